/**
 * Limits the length of texts in keys, which both stores index whole.
 */
import * as Column from "@mfgdata/domain/Column"
import { DecodeError } from "@mfgdata/domain/DecodeError"
import * as Memo from "@mfgdata/domain/Memo"
import type * as Resource from "@mfgdata/domain/Resource"

/**
 * The maximum length. An index entry of PostgreSQL has room for two texts of this length and a company's id.
 */
export const most = { characters: 512, bytes: 1024 }

/** Reports whether a text is longer than the limit. */
export const isTooLong = (text: string): boolean =>
  text.length > most.bytes ||
  (text.length > most.bytes / 3 && (Array.from(text).length > most.characters || Buffer.byteLength(text) > most.bytes))

/** Reports whether a column is the key, or the column that the key's default is derived from. */
export const isKey = ({ key, rules }: Resource.Any, name: string): boolean => {
  const fill = rules.defaults[key]
  return name === key || (fill?._tag === "CamelCaseOf" && fill.column === name)
}

const namesOf = Memo.make((resource: Resource.Any) =>
  Column.fromResource(resource)
    .map(({ name }) => name)
    .filter((name) => isKey(resource, name))
)

/** The error of a row whose key is too long; `undefined` when its key is short enough. */
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
