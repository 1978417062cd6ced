/**
 * Validates the constants of `cs`, `cd` and `ov`. Objects and lists of scalars are compared at any depth in one query.
 * Lists and objects inside a list need a query each, so their depth is limited.
 */
import type { Json, JsonArray, JsonObject } from "@mfgdata/domain/Json"
import * as Either from "effect/Either"

/** The maximum number of scalars, objects and lists in a constant. */
export const maximumSize = 200

const isArray = (value: Json): value is JsonArray => Array.isArray(value)

const isContainer = (value: Json): value is JsonArray | JsonObject => typeof value === "object" && value !== null

type Key = string | number

/** An object or list inside a list, and the path of that list. */
interface Element {
  readonly list: ReadonlyArray<Key>
  readonly value: Json
}

/** A constant without the objects and lists inside its lists, and these separately. */
interface Parts {
  readonly flat: Json
  readonly elements: ReadonlyArray<Element>
}

/** Splits a constant into its flat part and the elements that need queries of their own. */
export const split = (value: Json, way: ReadonlyArray<Key> = []): Parts => {
  if (isArray(value)) {
    return {
      flat: value.filter((item) => !isContainer(item)),
      elements: value.filter(isContainer).map((item) => ({ list: way, value: item }))
    }
  }
  if (!isContainer(value)) return { flat: value, elements: [] }
  const parts = Object.entries(value).map(([key, item]) => [key, split(item, [...way, key])] as const)
  return {
    // An assignment would lose the key `__proto__`.
    flat: Object.fromEntries(parts.map(([key, { flat }]) => [key, flat])),
    elements: parts.flatMap(([, { elements }]) => elements)
  }
}

/** The number of scalars, objects and lists in a constant. */
export const sizeOf = (value: Json): number =>
  isContainer(value) ? Object.values(value).reduce<number>((sum, item) => sum + sizeOf(item), 1) : 1

/** Returns a constant that can be compiled, or the reason why it cannot. */
export const check = <A extends Json>(operator: "cs" | "cd" | "ov", value: A): Either.Either<A, string> => {
  if (sizeOf(value) > maximumSize) return Either.left(`a value of more than ${maximumSize} parts is not supported`)
  // `ov` compares whole elements, whatever their depth.
  if (operator === "ov") return Either.right(value)
  const { elements } = split(value)
  if (operator === "cd" && elements.some(({ list }) => list.length > 0)) {
    return Either.left("lists inside an object are supported on the right of <@ if they hold scalars")
  }
  return elements.some((element) => split(element.value).elements.length > 0)
    ? Either.left("objects and lists inside a list are supported if their own lists hold scalars")
    : Either.right(value)
}
