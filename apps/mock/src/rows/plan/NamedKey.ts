/**
 * Keys that the service makes of a name, such as `salesOrder` of "Sales Order": the next free number is put behind one
 * that is taken.
 */
import type * as Resource from "@mfgdata/domain/Resource"

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** A name's letters and digits as one word. */
const camelCase = (name: string): string => {
  const [first = "table", ...rest] = name.match(/[\p{L}\p{N}]+/gu) ?? []
  return first.charAt(0).toLowerCase() + first.slice(1) + rest.map(capitalize).join("")
}

/** A key for a name, unlike those that are taken. */
export const make = (name: string, taken: ReadonlySet<string>): string => {
  const word = camelCase(name)
  let key = word
  for (let number = 2; taken.has(key); number++) key = `${word}${number}`
  return key
}

/** Whether the service makes a resource's keys of names. */
export const isMade = ({ key, rules }: Resource.Any): boolean => rules.defaults[key]?._tag === "CamelCaseOf"
