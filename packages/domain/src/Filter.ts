/**
 * The filters of a query as data, as their parameters write them. They are not checked against a resource; their values
 * are text, which the service converts to the types of its columns.
 */

/** A column, and the steps into its JSON value. */
export interface Path {
  readonly column: string
  readonly json: ReadonlyArray<Step>
}

/** A path that starts at one of some columns. */
export interface PathOf<out Column extends string> extends Path {
  readonly column: Column
}

/** `->` returns JSON, `->>` returns text; a number is an index of an array, counted from its end when negative. */
export interface Step {
  readonly arrow: "->" | "->>"
  readonly key: string | number
}

/** A condition on one column, or a tree of conditions. */
export type Filter = Compare | Quantified | In | Is | Search | Tree

interface Leaf {
  readonly path: Path
  readonly negated: boolean
}

/** An operator and its value. */
export interface Compare extends Leaf {
  readonly _tag: "Compare"
  readonly operator: Operator
  readonly value: string
}

/** `eq(any).{a,b}`: the operator holds for any, or all, of the values. */
export interface Quantified extends Leaf {
  readonly _tag: "Quantified"
  readonly operator: QuantifiableOperator
  readonly quantifier: Quantifier
  readonly values: ReadonlyArray<string>
}

/** `in.(a,b)`; without values no row matches. */
export interface In extends Leaf {
  readonly _tag: "In"
  readonly values: ReadonlyArray<string>
}

/** `is.null` and the other values of `is`; the result is never null. */
export interface Is extends Leaf {
  readonly _tag: "Is"
  readonly value: IsValue
}

/** Full-text search, with an optional configuration in brackets. */
export interface Search extends Leaf {
  readonly _tag: "Search"
  readonly operator: SearchOperator
  readonly configuration: string | undefined
  readonly value: string
}

/** `and(…)` or `or(…)` over at least one filter. */
export interface Tree {
  readonly _tag: "And" | "Or"
  readonly negated: boolean
  readonly filters: ReadonlyArray<Filter>
}

/** The operators that accept `any` or `all` of a list. */
export const quantifiableOperators = ["eq", "gt", "gte", "lt", "lte", "like", "ilike", "match", "imatch"] as const
/** The operators of one value. */
export const operators = [
  ...quantifiableOperators,
  ...(["neq", "isdistinct", "cs", "cd", "ov", "sl", "sr", "nxr", "nxl", "adj"] as const)
] as const
/** The operators of full-text search: raw, plain, phrase and web syntax. */
export const searchOperators = ["fts", "plfts", "phfts", "wfts"] as const
/** The quantifiers of a list. */
export const quantifiers = ["any", "all"] as const
/** The values of `is`. */
export const isValues = ["null", "not_null", "true", "false", "unknown"] as const

export type QuantifiableOperator = (typeof quantifiableOperators)[number]
export type Operator = (typeof operators)[number]
export type SearchOperator = (typeof searchOperators)[number]
export type Quantifier = (typeof quantifiers)[number]
export type IsValue = (typeof isValues)[number]

/** The path of a whole column. */
export const column = <const Name extends string>(name: Name): PathOf<Name> => ({ column: name, json: [] })

/** The negated filter. A row for which the filter is null matches neither. */
export const negate = (filter: Filter): Filter => ({ ...filter, negated: !filter.negated })
