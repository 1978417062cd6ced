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

/** A function that makes keys for names. Each differs from those before it and from the taken keys. */
export const generator = (taken: ReadonlySet<string>): ((name: string) => string) => {
  const made = new Set<string>()
  // The number of the last key of each word, so that a thousand equal names are not compared with each other.
  const numbers = new Map<string, number>()
  return (name) => {
    const word = camelCase(name)
    let number = numbers.get(word) ?? 0
    let key: string
    do {
      number += 1
      key = number === 1 ? word : `${word}${number}`
    } while (taken.has(key) || made.has(key))
    numbers.set(word, number)
    made.add(key)
    return key
  }
}

/** Reports whether the service makes a resource's keys from names. */
export const isMade = ({ key, rules }: Resource.Any): boolean => rules.defaults[key]?._tag === "CamelCaseOf"
