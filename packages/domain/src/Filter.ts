/**
 * Conditions on rows, as data: what a filter parameter says, not yet held against any resource. Values are the
 * wire's text; whoever plans a query coerces them to the column's type.
 */

/** A column, and the way into its JSON value. */
export interface Path {
  readonly column: string
  readonly json: ReadonlyArray<{ readonly arrow: "->" | "->>"; readonly key: string | number }>
}

export type Filter = Compare | Quantified | In | Is | Search | Tree

interface Leaf {
  readonly path: Path
  readonly negated: boolean
}

export interface Compare extends Leaf {
  readonly _tag: "Compare"
  readonly operator: Operator
  readonly value: string
}

/** `eq(any).{a,b}`: the operator holds for any, or all, of the values. */
export interface Quantified extends Leaf {
  readonly _tag: "Quantified"
  readonly operator: Quantifiable
  readonly quantifier: "any" | "all"
  readonly values: ReadonlyArray<string>
}

export interface In extends Leaf {
  readonly _tag: "In"
  readonly values: ReadonlyArray<string>
}

export interface Is extends Leaf {
  readonly _tag: "Is"
  readonly value: "null" | "not_null" | "true" | "false" | "unknown"
}

/** Full-text search, with the configuration named in brackets if any. */
export interface Search extends Leaf {
  readonly _tag: "Search"
  readonly operator: "fts" | "plfts" | "phfts" | "wfts"
  readonly configuration: string | undefined
  readonly value: string
}

export interface Tree {
  readonly _tag: "And" | "Or"
  readonly negated: boolean
  readonly filters: ReadonlyArray<Filter>
}

export type Quantifiable = "eq" | "gt" | "gte" | "lt" | "lte" | "like" | "ilike" | "match" | "imatch"
export type Operator = Quantifiable | "neq" | "isdistinct" | "cs" | "cd" | "ov" | "sl" | "sr" | "nxr" | "nxl" | "adj"
