/**
 * A column as machinery sees it: read off a resource's schemas, never declared twice. Nothing else looks into an AST.
 */
import type * as Id from "./Id.ts"
import type * as Resource from "./Resource.ts"

export type Type = "text" | "number" | "boolean" | "date" | "timestamp" | "object" | "array"

export interface Column {
  readonly name: string
  readonly type: Type
  readonly nullable: boolean
  /** Whether a create must, may or must not carry it. */
  readonly write: "required" | "optional" | "never"
  readonly reference: Id.Reference | undefined
  /** The vocabulary's name and known values, for a column that has one. */
  readonly vocabulary: { readonly name: string; readonly known: ReadonlyArray<string> } | undefined
}

/** All columns of a resource by name, in declaration order (returned, required, optional); computed once. */
export declare const byName: (resource: Resource.Any) => ReadonlyMap<string, Column>

/** All columns of a resource, in the same order. */
export declare const fromResource: (resource: Resource.Any) => ReadonlyArray<Column>
