/**
 * The columns that stores keep in an index, because rows are found by them or told apart, and how much such a one holds.
 */
import * as Column from "@mfgdata/domain/Column"
import { DecodeError } from "@mfgdata/domain/DecodeError"
import * as Memo from "@mfgdata/domain/Memo"
import type * as Resource from "@mfgdata/domain/Resource"

/**
 * Two of the longest and a company's id are what an index of PostgreSQL takes in one entry, so that the rules can be
 * changed at any time.
 */
export const most = { characters: 512, bytes: 1024 }

export const isTooLong = (text: string): boolean =>
  text.length > most.bytes ||
  (text.length > most.bytes / 3 && (Array.from(text).length > most.characters || Buffer.byteLength(text) > most.bytes))

/** A key, or the column that the service makes it of. */
export const isKey = ({ key, rules }: Resource.Any, name: string): boolean => {
  const fill = rules.defaults[key]
  return name === key || (fill?._tag === "CamelCaseOf" && fill.column === name)
}

const namesOf = Memo.make((resource: Resource.Any) =>
  Column.fromResource(resource)
    .map(({ name }) => name)
    .filter((name) => isKey(resource, name))
)

/** What is wrong with a row that holds more than an index takes. */
export const lengthError = (
  resource: Resource.Any,
  row: { readonly [column: string]: unknown }
): DecodeError | undefined => {
  const issues = namesOf(resource).flatMap((name) => {
    const value = row[name]
    if (typeof value !== "string" || !isTooLong(value)) return []
    const [characters, bytes] = [Array.from(value).length, Buffer.byteLength(value)]
    const expected = `at most ${most.characters} characters and ${most.bytes} bytes`
    return [{ path: [name], expected, actual: `${characters} characters and ${bytes} bytes` }]
  })
  return issues.length === 0 ? undefined : new DecodeError({ subject: resource.resource, issues })
}
