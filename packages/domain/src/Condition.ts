/**
 * The conditions of `where`: an operator and its operands, without a column. The type of a condition decides which
 * columns accept it.
 */
import { identity } from "effect/Function"
import type { Covariant } from "effect/Types"
import * as ArrayLiteral from "./ArrayLiteral.ts"
import type * as Filter from "./Filter.ts"
import type { JsonObject } from "./Json.ts"

const TypeId: unique symbol = Symbol.for("@mfgdata/domain/Condition")

/** The kinds of operators; the type of a column decides which of them it accepts. */
export type Kind = "equal" | "order" | "pattern" | "search" | "contain" | "overlap" | "null" | "truth"

/** A condition of a kind, with operands of a type. */
export interface Condition<out K extends Kind, out Value> {
  readonly [TypeId]: { readonly _Kind: Covariant<K>; readonly _Value: Covariant<Value> }
  /** The filter of this condition on a column. */
  readonly on: (path: Filter.Path) => Filter.Filter
}

/** A condition of any kind. */
// oxlint-disable-next-line typescript/no-explicit-any -- the operands occur only in the type
export type Any = Condition<Kind, any>

/** The values of columns that are neither arrays nor objects. */
export type Scalar = string | number | boolean

const make = <K extends Kind, Value>(on: (path: Filter.Path) => Filter.Filter): Condition<K, Value> => ({
  [TypeId]: { _Kind: identity, _Value: identity },
  on
})

/** Reports whether a value is a condition. */
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

/** The text matches a pattern, in which `*` and `%` match any characters and `_` matches one. */
export const like = (pattern: string) => compare<"pattern", string>("like", pattern)
/** The text matches a pattern of `like`, ignoring case. */
export const ilike = (pattern: string) => compare<"pattern", string>("ilike", pattern)
/** A part of the text matches a regular expression. */
export const match = (expression: string) => compare<"pattern", string>("match", expression)
/** A part of the text matches a regular expression, ignoring case. */
export const imatch = (expression: string) => compare<"pattern", string>("imatch", expression)

type Container = ReadonlyArray<string> | JsonObject

const isList = (value: Container): value is ReadonlyArray<string> => Array.isArray(value)
const write = (value: Container): string => (isList(value) ? ArrayLiteral.print(value) : JSON.stringify(value))

/** The array or object contains the value. */
export const contains = <V extends Container>(value: V) => compare<"contain", V>("cs", write(value))
/** The value contains the array or object. */
export const containedBy = <V extends Container>(value: V) => compare<"contain", V>("cd", write(value))
/** The array has an element in common with the values. */
export const overlaps = (values: ReadonlyArray<string>) =>
  compare<"overlap", ReadonlyArray<string>>("ov", ArrayLiteral.print(values))

/** The column equals one of the values; without values no row matches. */
const oneOf = <const V extends Scalar>(values: ReadonlyArray<V>): Condition<"equal", V> =>
  make((path) => ({ _tag: "In", path, negated: false, values: values.map(String) }))
export { oneOf as in }

/** The column is null, or is not; a boolean column is true, false or unknown. */
export const is: {
  (value: null | "not_null"): Condition<"null", never>
  (value: boolean | "unknown"): Condition<"truth", never>
} = (value: null | boolean | "not_null" | "unknown") =>
  make<never, never>((path) => ({ _tag: "Is", path, negated: false, value: `${value}` }))

type KindOf<O extends Filter.QuantifiableOperator> = O extends "eq"
  ? "equal"
  : O extends "gt" | "gte" | "lt" | "lte"
    ? "order"
    : "pattern"

const quantified =
  (quantifier: Filter.Quantifier) =>
  <const O extends Filter.QuantifiableOperator, const V extends Scalar>(
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

/** The syntax of a full-text query: that of web search, words, a phrase, or PostgreSQL's `tsquery`. */
export type Syntax = "web" | "plain" | "phrase" | "tsquery"

const operators: { readonly [S in Syntax]: Filter.SearchOperator } = {
  web: "wfts",
  plain: "plfts",
  phrase: "phfts",
  tsquery: "fts"
}

/** The text matches a full-text query. */
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
 * All of the conditions hold for the column.
 *
 * @example
 * Query.allOf(Query.gte(10), Query.lt(20))
 */
export const allOf = <C extends readonly [Any, ...ReadonlyArray<Any>]>(...conditions: C): C[number] =>
  make((path) => ({ _tag: "And", negated: false, filters: conditions.map((condition) => condition.on(path)) }))
