/**
 * What a store must know of a resource that its wire shapes do not say: unique keys, checks, what happens to
 * children, and which columns the service fills. Plain data; uniqueness, checks and deletions are rules of the public
 * system.
 */

/**
 * `contract` enforces what the document states; `public` adds what is known of the public system: uniqueness, checks,
 * closed vocabularies, and references that must lead to a row.
 */
export type RuleSet = "contract" | "public"

/** No two rows of one owner share these columns' values; the key of every resource is unique under every rule set. */
export interface Unique {
  readonly columns: ReadonlyArray<string>
}

/** A condition on one row, named within its resource. */
export type Check = { readonly name: string } &
  /** `column` is null or one of `values`. */
  (
    | { readonly _tag: "OneOf"; readonly column: string; readonly values: ReadonlyArray<string> }
    /** At least one of the columns holds a value. */
    | { readonly _tag: "Required"; readonly anyOf: ReadonlyArray<string> }
    /** `column` holds a value exactly when `when` equals `equals`. */
    | { readonly _tag: "PresentWhen"; readonly column: string; readonly when: string; readonly equals: string }
  )

/** Uniqueness of some columns together. */
export const unique = (...columns: readonly [string, ...Array<string>]): Unique => ({ columns })

/** A text of the public system with a fixed set of values. */
export const oneOf = (column: string, values: ReadonlyArray<string>): Check => ({
  _tag: "OneOf",
  name: `${column}_check`,
  column,
  values
})

/** The public system wants at least one of these. */
export const anyOf = (...columns: readonly [string, ...Array<string>]): Check => ({
  _tag: "Required",
  name: `${columns.join("_")}_check`,
  anyOf: columns
})

/** The public system wants `column` exactly when `when` equals `equals`. */
export const presentWhen = (column: string, when: string, equals: string): Check => ({
  _tag: "PresentWhen",
  name: `${column}_check`,
  column,
  when,
  equals
})

/** What happens to a row when the row it refers to is deleted. */
export type Deletion = "cascade" | "restrict"

/** What the service puts into a column when the caller gives nothing (or may give nothing). */
export type Fill =
  | { readonly _tag: "NewId" }
  | { readonly _tag: "Company" }
  | { readonly _tag: "Creator" }
  | { readonly _tag: "CreatedAt" }
  | { readonly _tag: "Updater" }
  | { readonly _tag: "UpdatedAt" }
  | { readonly _tag: "YearOf"; readonly column: string }
  | { readonly _tag: "CamelCaseOf"; readonly column: string }

/** The facts of one resource; whatever is left out does not apply. */
export interface ResourceRules {
  readonly unique: ReadonlyArray<Unique>
  readonly checks: ReadonlyArray<Check>
  /** Columns that many rows are looked for by, beside keys and references among the served resources. */
  readonly indexed: ReadonlyArray<string>
  /** By referring column, for references among the served resources. */
  readonly onParentDelete: { readonly [column: string]: Deletion }
  readonly fills: { readonly [column: string]: Fill }
  /** Whose rows a caller sees: the company's, or the user's own. */
  readonly owner: "company" | "user"
}
