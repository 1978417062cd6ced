/**
 * What a column's value is held against: an operator and its operands, not yet put on a column. Its type says which
 * columns it fits.
 */
import { identity } from "effect/Function"
import type { Covariant } from "effect/Types"
import * as ArrayLiteral from "./ArrayLiteral.ts"
import type * as Filter from "./Filter.ts"
import type { JsonObject } from "./Json.ts"

const TypeId: unique symbol = Symbol.for("@mfgdata/domain/Condition")

/** The families of operators; a column takes some of them. */
export type Kind = "equal" | "order" | "pattern" | "search" | "contain" | "overlap" | "null" | "truth"

/** A condition of some kind, over operands of some type. */
export interface Condition<out K extends Kind, out Value> {
  readonly [TypeId]: { readonly _Kind: Covariant<K>; readonly _Value: Covariant<Value> }
  /** The filter that puts this condition on a column. */
  readonly on: (path: Filter.Path) => Filter.Filter
}

/** A condition of any kind. */
// oxlint-disable-next-line typescript/no-explicit-any -- whatever its operands, of which it is only the type
export type Any = Condition<Kind, any>

/** What single-valued columns hold. */
export type Scalar = string | number | boolean

const make = <K extends Kind, Value>(on: (path: Filter.Path) => Filter.Filter): Condition<K, Value> => ({
  [TypeId]: { _Kind: identity, _Value: identity },
  on
})

/** Whether a value is a condition. */
export const isCondition = (value: unknown): value is Any =>
  typeof value === "object" && value !== null && TypeId in value

const compare = <K extends Kind, V>(operator: Filter.Operator, value: string): Condition<K, V> =>
  make((path) => ({ _tag: "Compare", path, negated: false, operator, value }))

/** The column equals the value. */
export const eq = <const V extends Scalar>(value: V) => compare<"equal", V>("eq", String(value))
/** The column differs from the value; a null column does not. */
export const neq = <const V extends Scalar>(value: V) => compare<"equal", V>("neq", String(value))
/** The column differs from the value, and null does too. */
export const isDistinct = <const V extends Scalar>(value: V) => compare<"equal", V>("isdistinct", String(value))
/** The column is greater than the value. */
export const gt = <const V extends Scalar>(value: V) => compare<"order", V>("gt", String(value))
/** The column is greater than the value, or equal. */
export const gte = <const V extends Scalar>(value: V) => compare<"order", V>("gte", String(value))
/** The column is less than the value. */
export const lt = <const V extends Scalar>(value: V) => compare<"order", V>("lt", String(value))
/** The column is less than the value, or equal. */
export const lte = <const V extends Scalar>(value: V) => compare<"order", V>("lte", String(value))

/** The text fits a pattern, in which `*` and `%` stand for any characters and `_` for one. */
export const like = (pattern: string) => compare<"pattern", string>("like", pattern)
/** As `like`, whatever the case of letters. */
export const ilike = (pattern: string) => compare<"pattern", string>("ilike", pattern)
/** Some part of the text fits a regular expression. */
export const match = (expression: string) => compare<"pattern", string>("match", expression)
/** As `match`, whatever the case of letters. */
export const imatch = (expression: string) => compare<"pattern", string>("imatch", expression)

type Whole = ReadonlyArray<string> | JsonObject

const isList = (value: Whole): value is ReadonlyArray<string> => Array.isArray(value)
const write = (value: Whole): string => (isList(value) ? ArrayLiteral.print(value) : JSON.stringify(value))

/** The list or object holds all of the value. */
export const contains = <V extends Whole>(value: V) => compare<"contain", V>("cs", write(value))
/** The value holds all of the list or object. */
export const containedBy = <V extends Whole>(value: V) => compare<"contain", V>("cd", write(value))
/** The list shares an element with the values. */
export const overlaps = (values: ReadonlyArray<string>) =>
  compare<"overlap", ReadonlyArray<string>>("ov", ArrayLiteral.print(values))

/** The column is one of the values; of none, it is not. */
const oneOf = <const V extends Scalar>(values: ReadonlyArray<V>): Condition<"equal", V> =>
  make((path) => ({ _tag: "In", path, negated: false, values: values.map(String) }))
export { oneOf as in }

/** The column is null, or is not; a boolean column is true, false or unknown. */
export const is: {
  (value: null | "not_null"): Condition<"null", never>
  (value: boolean | "unknown"): Condition<"truth", never>
} = (value: null | boolean | "not_null" | "unknown") =>
  make<never, never>((path) => ({ _tag: "Is", path, negated: false, value: `${value}` }))

type KindOf<O extends Filter.Quantifiable> = O extends "eq"
  ? "equal"
  : O extends "gt" | "gte" | "lt" | "lte"
    ? "order"
    : "pattern"

const quantified =
  (quantifier: Filter.Quantifier) =>
  <const O extends Filter.Quantifiable, const V extends Scalar>(
    operator: O,
    values: ReadonlyArray<V>
  ): Condition<KindOf<O>, V> =>
    make((path) => ({ _tag: "Quantified", path, negated: false, operator, quantifier, values: values.map(String) }))

/**
 * The operator holds for any of the values.
 *
 * @example
 * Query.any("like", ["%bolt%", "%nut%"])
 */
export const any = quantified("any")
/** The operator holds for all of the values. */
export const all = quantified("all")

/** How a text to search for is read: as a person types it, as words, as a phrase, or as PostgreSQL's `tsquery`. */
export type Syntax = "web" | "plain" | "phrase" | "tsquery"

const operators: { readonly [S in Syntax]: Filter.Searching } = {
  web: "wfts",
  plain: "plfts",
  phrase: "phfts",
  tsquery: "fts"
}

/** The text holds the words searched for. */
export const search = (
  value: string,
  options: { readonly syntax?: Syntax; readonly configuration?: string } = {}
): Condition<"search", string> =>
  make((path) => ({
    _tag: "Search",
    path,
    negated: false,
    operator: operators[options.syntax ?? "web"],
    configuration: options.configuration,
    value
  }))

/**
 * All of the conditions hold of one column.
 *
 * @example
 * Query.allOf(Query.gte(10), Query.lt(20))
 */
export const allOf = <C extends readonly [Any, ...ReadonlyArray<Any>]>(...conditions: C): C[number] =>
  make((path) => ({ _tag: "And", negated: false, filters: conditions.map((condition) => condition.on(path)) }))
