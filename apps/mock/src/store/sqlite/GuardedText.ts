/**
 * Reads text as bytes where it may be damaged: libsql ends the process for a text that is not UTF-8. A statement is
 * rewritten so that its texts are returned as bytes, which are decoded and checked here.
 */
import { isUtf8 } from "node:buffer"
import type { Rows } from "../../sql/Change.ts"
import type { Value } from "../../sql/Statement.ts"

/** A value of a rewritten statement. */
export type Bytes = Value | Uint8Array

const bytesOf = (value: string): string =>
  `CASE typeof(${value}) WHEN 'text' THEN CAST(${value} AS BLOB) ELSE ${value} END`

/** Tokens that decide about the structure: texts and names in quotes, parentheses, commas, and two keywords. */
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|[(),]|\b(?:RETURNING|AS)\b/g

/** The expressions after the last `RETURNING` outside parentheses, without their names, and the text before it. */
const returning = (
  text: string
): { readonly head: string; readonly expressions: ReadonlyArray<string> } | undefined => {
  let depth = 0
  let head: string | undefined
  let begin = 0
  let end: number | undefined
  const expressions: Array<string> = []
  const close = (at: number) => expressions.push(text.slice(begin, end ?? at).trim())
  for (const { 0: found, index } of text.matchAll(token)) {
    if (found === "(") depth += 1
    else if (found === ")") depth -= 1
    else if (depth > 0) continue
    else if (found === "RETURNING") {
      head = text.slice(0, index)
      begin = index + found.length
    } else if (head === undefined) continue
    else if (found === "AS") end = index
    else if (found === ",") {
      close(index)
      begin = index + 1
      end = undefined
    }
  }
  if (head === undefined) return undefined
  close(text.length)
  return { head, expressions }
}

/** Rewrites a statement that returns `columns` columns. A pragma is left as it is: it returns no stored text. */
export const rewrite = (text: string, columns: number): string => {
  const changed = returning(text)
  if (changed !== undefined) {
    const values = changed.expressions.map((value) => `(SELECT ${bytesOf(`"v"`)} FROM (SELECT ${value} AS "v"))`)
    return `${changed.head}RETURNING ${values.join(", ")}`
  }
  if (!/^\s*(SELECT|WITH|VALUES)\b/.test(text)) return text
  const names = Array.from({ length: columns }, (_, index) => `"c${index}"`)
  const query = text.replace(/;\s*$/, "")
  return `WITH "_guarded"(${names.join(", ")}) AS (${query}) SELECT ${names.map(bytesOf).join(", ")} FROM "_guarded"`
}

/** Decodes rows of a rewritten statement; calls `fail` for a text that is not UTF-8. */
export const decode = (rows: ReadonlyArray<ReadonlyArray<Bytes>>, fail: () => never): Rows =>
  rows.map((row) =>
    row.map((value) => {
      if (!(value instanceof Uint8Array)) return value
      return isUtf8(value) ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("utf8") : fail()
    })
  )
