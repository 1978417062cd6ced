/**
 * Makes keys from names, such as `salesOrder` from "Sales Order". A key that is taken gets the next free number.
 */
import type * as Resource from "@mfgdata/domain/Resource"

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** The letters and digits of a name in camel case. */
const camelCase = (name: string): string => {
  const [first = "table", ...rest] = name.match(/[\p{L}\p{N}]+/gu) ?? []
  return first.charAt(0).toLowerCase() + first.slice(1) + rest.map(capitalize).join("")
}

/** A key for a name that is not among the taken keys. */
export const make = (name: string, taken: ReadonlySet<string>): string => {
  const word = camelCase(name)
  let key = word
  for (let number = 2; taken.has(key); number++) key = `${word}${number}`
  return key
}

/** Reports whether the service makes a resource's keys from names. */
export const isMade = ({ key, rules }: Resource.Any): boolean => rules.defaults[key]?._tag === "CamelCaseOf"
