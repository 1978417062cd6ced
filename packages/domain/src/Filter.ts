/**
 * Conditions on rows, as data: what a filter parameter says, not yet held against any resource. Values are the
 * wire's text; whoever plans a query coerces them to the column's type.
 */

/** A column, and the way into its JSON value. */
export interface Path {
  readonly column: string
  readonly json: ReadonlyArray<Step>
}

/** A path that begins at one of some columns. */
export interface PathOf<out Column extends string> extends Path {
  readonly column: Column
}

/** `->` keeps JSON, `->>` gives text; a number counts into an array, from its end when negative. */
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

/** An operator and the one value it is asked of. */
export interface Compare extends Leaf {
  readonly _tag: "Compare"
  readonly operator: Operator
  readonly value: string
}

/** `eq(any).{a,b}`: the operator holds for any, or all, of the values. */
export interface Quantified extends Leaf {
  readonly _tag: "Quantified"
  readonly operator: Quantifiable
  readonly quantifier: Quantifier
  readonly values: ReadonlyArray<string>
}

/** `in.(a,b)`; without values it holds for no row. */
export interface In extends Leaf {
  readonly _tag: "In"
  readonly values: ReadonlyArray<string>
}

/** `is.null` and its like, which are never null themselves. */
export interface Is extends Leaf {
  readonly _tag: "Is"
  readonly value: Truth
}

/** Full-text search, with the configuration named in brackets if any. */
export interface Search extends Leaf {
  readonly _tag: "Search"
  readonly operator: Searching
  readonly configuration: string | undefined
  readonly value: string
}

/** `and(…)` or `or(…)` over at least one filter. */
export interface Tree {
  readonly _tag: "And" | "Or"
  readonly negated: boolean
  readonly filters: ReadonlyArray<Filter>
}

/** Operators that can be asked of `any` or `all` of a list. */
export const quantifiable = ["eq", "gt", "gte", "lt", "lte", "like", "ilike", "match", "imatch"] as const
/** Operators of one value. */
export const operators = [
  ...quantifiable,
  ...(["neq", "isdistinct", "cs", "cd", "ov", "sl", "sr", "nxr", "nxl", "adj"] as const)
] as const
/** Operators of full-text search: raw, plain, phrase and web syntax. */
export const searching = ["fts", "plfts", "phfts", "wfts"] as const
/** How many of a list have to meet the operator. */
export const quantifiers = ["any", "all"] as const
/** What `is` can be asked for. */
export const truths = ["null", "not_null", "true", "false", "unknown"] as const

export type Quantifiable = (typeof quantifiable)[number]
export type Operator = (typeof operators)[number]
export type Searching = (typeof searching)[number]
export type Quantifier = (typeof quantifiers)[number]
export type Truth = (typeof truths)[number]

/** A whole column, as a path. */
export const column = <const Name extends string>(name: Name): PathOf<Name> => ({ column: name, json: [] })

/** The opposite filter; a row on which either is null passes neither. */
export const negate = (filter: Filter): Filter => ({ ...filter, negated: !filter.negated })
