/** Generates random rows of any resource, and random conditions and orders that distinguish them. */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type { Json } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as fc from "effect/FastCheck"
import type { Condition, Value } from "../../src/sql/read/Condition.ts"
import { kindOf, type Target } from "../../src/sql/read/Target.ts"
import type { OrderTerm } from "../../src/sql/read/Order.ts"
import * as Containment from "../../src/sql/read/Containment.ts"
import type { Row } from "./memory.ts"

/** Texts with characters, cases, quotes and widths that stores could sort or compare wrongly. */
const words = ["", "a", "A", "b", "ab", "a%b", "a_b", "a\\b", 'a"b', "é", "É", "ﬀ", "😀", "{a}", "it's", "a\nb"]
const word = fc.oneof(fc.constantFrom(...words), fc.string({ unit: "binary", maxLength: 3 }).map(keepable))

function keepable(text: string): string {
  return text.replaceAll("\u0000", "")
}

const number = fc.oneof(
  fc.constantFrom(0, 1, -1, 2, 10, 0.1, 1e21, 5e-324, 9007199254740991, 61098214627622510),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0)
)

/** Milliseconds and microseconds at three times, the last beyond the precision of doubles. */
const timestamp = fc
  .tuple(
    fc.constantFrom(-62135596800000000n, 1767225600000000n, 253402300799000000n),
    fc.constantFrom(0n, 1n, 1000n, 999999n),
    fc.constantFrom("Z", "000Z", "+00:00", "-02:00")
  )
  .map(([base, more, end]) => `${Timestamp.fromMicros(base + more).slice(0, -1)}${end}`)

const keys = ["a", "b", 'c"d', "e.f", "0", "\\", "__proto__"]
const jsons = fc.letrec<{ json: Json; object: { [key: string]: Json }; array: ReadonlyArray<Json> }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(
      fc.constant(null),
      fc.boolean(),
      fc.constantFrom(0, 1, 2.5, 1e21, 61098214627622510),
      fc.constantFrom(...words)
    ),
    tie("array"),
    tie("object")
  ),
  array: fc.array(tie("json"), { maxLength: 3 }),
  object: fc.dictionary(fc.constantFrom(...keys), tie("json"), { minKeys: 1, maxKeys: 4, noNullPrototype: true })
}))

/** Any JSON. */
export const json = jsons.json

/** JSON that is likely to be contained in a value: the value without some of its parts. */
export const part = (value: Json): fc.Arbitrary<Json> => {
  if (typeof value !== "object" || value === null) return fc.constant(value)
  if (Array.isArray(value)) {
    const items: ReadonlyArray<Json> = value
    return fc.subarray([...items]).chain((kept): fc.Arbitrary<Json> => fc.tuple(...kept.map(part)))
  }
  const members = Object.entries(value)
  return fc
    .subarray(members)
    .chain((kept) => fc.tuple(...kept.map(([key, item]) => part(item).map((item) => [key, item] as const))))
    .map((kept) => Object.fromEntries(kept))
}

const valueOf = (type: Column.Type): fc.Arbitrary<Json> => {
  switch (type) {
    case "text":
      return word
    case "number":
      return number
    case "boolean":
      return fc.boolean()
    case "date":
      return fc.constantFrom("0001-01-01", "2026-01-31", "2026-02-01", "9999-12-31")
    case "timestamp":
      return timestamp
    case "object":
      return jsons.object
    case "array":
      return fc.oneof(fc.array(word, { maxLength: 3 }), jsons.array)
  }
}

const isJson = ({ type }: Column.Column): boolean => type === "object" || type === "array"

const resources: ReadonlyArray<Resource.Any> = Catalogue.resources

/** Resources, with JSON columns more often. */
export const resource: fc.Arbitrary<Resource.Any> = fc.oneof(
  fc.constantFrom(...resources),
  fc.constantFrom(...resources.filter((resource) => Column.fromResource(resource).some(isJson)))
)

/** A column, JSON ones as likely as others. */
const column = (resource: Resource.Any): fc.Arbitrary<Column.Column> => {
  const columns = Column.fromResource(resource)
  const jsons = columns.filter(isJson)
  return jsons.length === 0
    ? fc.constantFrom(...columns)
    : fc.oneof(fc.constantFrom(...columns), fc.constantFrom(...jsons))
}

/** A whole row with its key. */
export const row = (resource: Resource.Any, key: string): fc.Arbitrary<Row> =>
  fc.record(
    Object.fromEntries(
      Column.fromResource(resource).map(({ name, nullable, type }) => [
        name,
        name === resource.key
          ? fc.constant(key)
          : nullable
            ? fc.option(valueOf(type), { nil: null, freq: 3 })
            : valueOf(type)
      ])
    ),
    { noNullPrototype: true }
  )

/** Rows with distinct keys. */
export const rows = (resource: Resource.Any): fc.Arbitrary<ReadonlyArray<Row>> =>
  fc
    .uniqueArray(word, { minLength: 1, maxLength: 12 })
    .chain((names) => fc.tuple(...names.map((name) => row(resource, name))))

export const target = (resource: Resource.Any): fc.Arbitrary<Target> =>
  column(resource).chain((column): fc.Arbitrary<Target> => {
    const whole = fc.constant<Target>({ column, json: [] })
    if (!isJson(column)) return whole
    const index = fc.constantFrom(0, 1, -1, -2, 4294967296, -4294967297)
    const key = column.type === "array" ? index : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...keys) }, index)
    const path = fc
      .tuple(fc.array(key, { minLength: 1, maxLength: 2 }), fc.boolean())
      .map(([keys, asText]): Target => ({
        column,
        json: keys.map((key, index) => ({ arrow: asText && index === keys.length - 1 ? "->>" : "->", key }))
      }))
    return fc.oneof(whole, path)
  })

const scalar = (target: Target): fc.Arbitrary<Value> => {
  const kind = kindOf(target)
  switch (kind) {
    case "text":
      return fc.oneof(word, fc.constantFrom("1", "true", "2.5", "{}", "1e+21"))
    case "json":
      return fc.oneof(word, fc.constantFrom(0, 1, 2.5, 1e21, 61098214627622510), fc.boolean())
    default:
      return valueOf(kind)
  }
}

const pattern = fc
  .array(fc.constantFrom("%", "_", "a", "A", "b", "\\%", "\\_", "\\\\", "é", "😀", '"'), { maxLength: 4 })
  .map((parts) => parts.join(""))

const operators = ["eq", "neq", "gt", "gte", "lt", "lte", "isdistinct"] as const
const truths = ["true", "false", "unknown"] as const

const leaf = (target: Target): fc.Arbitrary<Condition> => {
  const kind = kindOf(target)
  const isNull = fc.constant<Condition>({ _tag: "Is", target, value: "null" })
  const isWhole = kind === "object" || kind === "array"
  const compare = fc
    .tuple(fc.constantFrom(...operators), scalar(target))
    .map(([operator, value]): Condition => ({ _tag: "Compare", target, operator, value }))
  // Arrays and objects are compared for equality only; null occurs where JSON can occur.
  const isJsonKind = isWhole || kind === "json"
  const value = isWhole ? valueOf(kind) : isJsonKind ? json : scalar(target)
  const equality = fc
    .tuple(fc.constantFrom("eq" as const, "neq" as const, "isdistinct" as const), value)
    .map(([operator, value]): Condition => ({ _tag: "Compare", target, operator, value }))
  const oneOf = fc.array(value, { maxLength: 4 }).map((values): Condition => ({ _tag: "OneOf", target, values }))
  const like = fc
    .tuple(pattern, fc.boolean())
    .map(([pattern, foldCase]): Condition => ({ _tag: "Like", target, pattern, foldCase }))
  const truth = fc.constantFrom(...truths).map((value): Condition => ({ _tag: "Is", target, value }))
  const held = (tag: "Contains" | "ContainedBy", value: fc.Arbitrary<Json>): fc.Arbitrary<Condition> =>
    value
      .filter((value) => Containment.check(tag === "Contains" ? "cs" : "cd", value)._tag === "Right")
      .map((value) => ({ _tag: tag, target, value }))
  const lists = fc.oneof(fc.array(word, { maxLength: 3 }), jsons.array)
  return fc.oneof(
    isNull,
    oneOf,
    equality,
    ...(isWhole ? [] : [compare]),
    ...(kind === "text" ? [like] : []),
    ...(kind === "boolean" ? [truth] : []),
    ...(kind === "array"
      ? [held("Contains", lists), held("ContainedBy", lists), held("ContainedBy", fc.constant(words))]
      : []),
    ...(kind === "array" ? [lists.map((value): Condition => ({ _tag: "Overlaps", target, value }))] : []),
    ...(kind === "object" ? [held("Contains", jsons.object), held("ContainedBy", jsons.object)] : []),
    ...(kind === "json" ? [held("Contains", json), held("ContainedBy", json)] : [])
  )
}

export const condition = (resource: Resource.Any): fc.Arbitrary<Condition> => {
  const leaves = target(resource).chain(leaf)
  return fc.letrec<{ condition: Condition }>((tie) => {
    const many = fc.array(tie("condition"), { maxLength: 3 })
    return {
      condition: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        leaves,
        many.map((conditions): Condition => ({ _tag: "And", conditions })),
        many.map((conditions): Condition => ({ _tag: "Or", conditions })),
        tie("condition").map((condition): Condition => ({ _tag: "Not", condition }))
      )
    }
  }).condition
}

export const order = (resource: Resource.Any): fc.Arbitrary<ReadonlyArray<OrderTerm>> =>
  fc.array(
    fc.record({
      target: target(resource),
      through: fc.constant(undefined),
      direction: fc.constantFrom("asc", "desc"),
      nulls: fc.constantFrom("first", "last")
    }),
    { maxLength: 3 }
  )
