/**
 * Parses the filter that a person types: conditions as those of `--where`, separated by `and`, or a text that any of the
 * shown columns contains.
 */
import * as Column from "@mfgdata/domain/Column"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Either from "effect/Either"
import * as RowQuery from "../RowQuery.ts"

/** A field, and a sign of a condition. */
const condition = /^(?:not\.)?[A-Za-z_]\w*(?:->>?[\w-]+)*(?:!?~|[=<>]|!=)/

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, (character) => `\\${character}`)}"`

/** The condition that a text is in one of the columns. */
const contained = (
  resource: Resource.Any,
  columns: ReadonlyArray<string>,
  text: string
): Either.Either<RowQuery.Parameter, string> => {
  const byName = Column.byName(resource)
  const texts = columns.filter((name) => {
    const column = byName.get(name)
    return column?.type === "text" && !column.sensitive
  })
  return texts.length === 0
    ? Either.left("No text column is shown: type a condition, such as quantity>10")
    : Either.right(["or", `(${texts.map((name) => `${name}.ilike.${quoted(`*${text}*`)}`).join(",")})`])
}

/** The parameters of a filter, or its mistake. */
export const parse = (
  resource: Resource.Any,
  columns: ReadonlyArray<string>,
  text: string
): Either.Either<ReadonlyArray<RowQuery.Parameter>, string> => {
  // The condition after the last "and" is still to be typed.
  const trimmed = text.replace(/\s+and\s*$/, "").trim()
  if (trimmed === "") return Either.right([])
  if (!condition.test(trimmed)) return Either.map(contained(resource, columns, trimmed), (parameter) => [parameter])
  return Either.mapLeft(
    Either.all(trimmed.split(/ and (?=\S)/).map((part) => RowQuery.parse(resource, part))),
    ({ message }) => message
  )
}
