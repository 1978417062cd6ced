/**
 * Parses and prints lists of texts in PostgreSQL's notation, `{a,"b, c"}`: the operands of `any`, `all`, `cs`, `cd` and
 * `ov`, and the CSV cells of array columns.
 */
import * as Either from "effect/Either"

/** Blanks, then a quoted text or a bare one; a backslash escapes any character in both. */
const element = /\s*(?:"([^"\\]*(?:\\[^][^"\\]*)*)"\s*|([^"{},\\]*(?:\\[^][^"{},\\]*)*))/y

const unescape = (raw: string): string => raw.replace(/\\([^])/g, "$1")

/** Removes blanks from the end, except an escaped one. */
const trimEnd = (raw: string): string => {
  const { length } = raw.trimEnd()
  let start = length
  while (raw.charAt(start - 1) === "\\") start--
  return raw.slice(0, length + ((length - start) % 2))
}

const unexpected = (found: string): string =>
  found === "" ? "Unexpected end of input." : `Unexpected "${found}" character.`

/** The texts of a list, or the reason why it cannot be parsed. NULL is an error: it is not a text. */
export const parse = (literal: string): Either.Either<ReadonlyArray<string>, string> => {
  const text = literal.trim()
  if (!text.startsWith("{")) return Either.left('Array value must start with "{" or dimension information.')
  if (text.slice(1).trimStart() === "}") return Either.right([])
  const values: Array<string> = []
  let position = 0
  do {
    element.lastIndex = position + 1
    const [whole = "", quoted, bare = ""] = element.exec(text) ?? []
    position += 1 + whole.length
    const raw = quoted ?? trimEnd(bare)
    if (quoted === undefined && raw === "") return Either.left(unexpected(text.charAt(position)))
    if (quoted === undefined && /^null$/i.test(raw)) return Either.left("NULL is not allowed in a list of texts.")
    values.push(unescape(raw))
  } while (text.charAt(position) === ",")
  const closed = text.charAt(position) === "}"
  return closed && position === text.length - 1
    ? Either.right(values)
    : Either.left(unexpected(text.charAt(closed ? position + 1 : position)))
}

const write = (value: string): string =>
  /^[^\s"{},\\]+$/.test(value) && !/^null$/i.test(value) ? value : `"${value.replace(/["\\]/g, "\\$&")}"`

/** Prints a list of texts. */
export const print = (values: ReadonlyArray<string>): string => `{${values.map(write).join(",")}}`
