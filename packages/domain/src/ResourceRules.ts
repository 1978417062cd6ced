/**
 * The rules of a resource that its schemas leave out: unique columns, checks, indexes, the deletion of parents, and
 * defaults. Rules are plain data; unique columns, checks and deletions are rules of the public system.
 */

import type { Json } from "./Json.ts"

/**
 * `contract` has the rules of the contract; `public` adds those of the public system: unique columns, checks, closed
 * vocabularies, and references to existing rows.
 */
export type RuleSet = "contract" | "public"

/** Columns that are unique together among the rows of one owner; keys are unique under every rule set. */
export interface Unique {
  readonly columns: ReadonlyArray<string>
}

/** A condition on one row, with a name that is unique in its resource. */
export type Check = { readonly name: string } &
  /** `column` is null or one of `values`. */
  (
    | { readonly _tag: "OneOf"; readonly column: string; readonly values: ReadonlyArray<string> }
    /** At least one of the columns has a value. */
    | { readonly _tag: "Required"; readonly anyOf: ReadonlyArray<string> }
    /** `column` has a value exactly when `when` equals `equals`. */
    | { readonly _tag: "PresentWhen"; readonly column: string; readonly when: string; readonly equals: string }
  )

/** Columns that are unique together. */
export const unique = (...columns: readonly [string, ...Array<string>]): Unique => ({ columns })

/** A column that has a fixed set of values in the public system. */
export const oneOf = (column: string, values: ReadonlyArray<string>): Check => ({
  _tag: "OneOf",
  name: `${column}_check`,
  column,
  values
})

/** Columns of which the public system requires at least one. */
export const anyOf = (...columns: readonly [string, ...Array<string>]): Check => ({
  _tag: "Required",
  name: `${columns.join("_")}_check`,
  anyOf: columns
})

/** A column that the public system requires exactly when `when` equals `equals`, and forbids otherwise. */
export const presentWhen = (column: string, when: string, equals: string): Check => ({
  _tag: "PresentWhen",
  name: `${column}_check`,
  column,
  when,
  equals
})

/** The effect of deleting a row on the rows that refer to it. */
export type Deletion = "cascade" | "restrict"

/** The value that the service sets where the caller sends none, or may not send one. */
export type Default =
  | { readonly _tag: "NewId" }
  | { readonly _tag: "Company" }
  | { readonly _tag: "Creator" }
  | { readonly _tag: "CreatedAt" }
  | { readonly _tag: "Updater" }
  | { readonly _tag: "UpdatedAt" }
  /** A rule of the public system, or of a service that facts describe. */
  | { readonly _tag: "YearOf"; readonly column: string; readonly isTaught?: true }
  | { readonly _tag: "CamelCaseOf"; readonly column: string }
  | { readonly _tag: "Constant"; readonly value: Json }

/** Reports whether a service enforces the rules of a resource: those of a variant hold under every rule set. */
export const areEnforced = ({ variantOf }: { readonly variantOf?: unknown }, rules: RuleSet): boolean =>
  rules === "public" || variantOf !== undefined

/** The rules of one resource. */
export interface ResourceRules {
  readonly unique: ReadonlyArray<Unique>
  readonly checks: ReadonlyArray<Check>
  /** Columns with an index, besides keys and references between the resources. */
  readonly indexed: ReadonlyArray<string>
  /** By referring column, for references between the resources. */
  readonly onParentDelete: { readonly [column: string]: Deletion }
  readonly defaults: { readonly [column: string]: Default }
  /** The owner of a row, whose callers see it: the company, or the user. */
  readonly owner: "company" | "user"
  /** `true` when `companyId` must be the company of the API key under every rule set. */
  readonly ownCompany: boolean
}
