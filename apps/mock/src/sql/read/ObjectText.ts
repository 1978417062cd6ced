/**
 * Prints objects as JSON text in SQL.
 */
import { chain, type Fragment, sql, text } from "../Statement.ts"

/** A key of the response, and its value as JSON text. */
export interface Member {
  readonly name: string
  readonly json: Fragment
}

/**
 * The number of texts that are concatenated in a row. SQLite keeps the text of every step until the next row, so that a
 * long chain of long texts takes many times the memory of its result.
 */
const width = 4

/** The JSON text of an object; null when a value is null. The last one of several members of the same name is printed. */
export const print = (members: ReadonlyArray<Member>): Fragment => {
  const unique = [...new Map(members.map((member) => [member.name, member])).values()]
  if (unique.length === 0) return text("'{}'")
  const parts = unique.map(
    ({ json, name }, index) => sql`${`${index === 0 ? "{" : ","}${JSON.stringify(name)}:`} || (${json})`
  )
  return chain([...parts, text("'}'")], " || ", width)
}
