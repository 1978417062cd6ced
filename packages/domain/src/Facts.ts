/**
 * What a store must know of a resource that its wire shapes do not say: unique keys, checks, what happens to
 * children, and which columns the service fills. Plain data; each rule names the rule set it belongs to.
 */

/** `contract` enforces what the contract shows; `public` adds what is known of the public system. */
export type RuleSet = "contract" | "public"

/** No two rows of one company share these columns' values. */
export interface Unique {
  readonly columns: ReadonlyArray<string>
  readonly rules: RuleSet
}

/** A condition on one row. An absent column counts as null. */
export type Check = { readonly rules: RuleSet; readonly name: string } & (
  | { readonly _tag: "OneOf"; readonly column: string; readonly values: ReadonlyArray<string> }
  | { readonly _tag: "Required"; readonly anyOf: ReadonlyArray<string> }
  /** `column` holds a value exactly when `when` equals `equals`. */
  | { readonly _tag: "PresentWhen"; readonly column: string; readonly when: string; readonly equals: string }
)

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
export interface Facts {
  readonly unique: ReadonlyArray<Unique>
  readonly checks: ReadonlyArray<Check>
  /** By referring column, for references among the served resources. */
  readonly onParentDelete: { readonly [column: string]: Deletion }
  readonly fills: { readonly [column: string]: Fill }
  /** Whose rows a caller sees: the company's, or the user's own. */
  readonly owner: "company" | "user"
}
