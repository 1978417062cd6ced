/**
 * What was asked of a resource, with no promise that it makes sense: method, query, preferences, body.
 */
import type * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import type * as MediaType from "./MediaType.ts"
import type * as Payload from "./Payload.ts"
import type * as Preferences from "./Preferences.ts"

/** Whose habits the answer follows: the contract's, or PostgREST's. */
export type Shape = "contract" | "postgrest"

export interface RowRequest {
  readonly resource: Resource.Any
  readonly action:
    | { readonly _tag: "Read"; readonly head: boolean }
    | { readonly _tag: "Create"; readonly payload: Payload.Payload }
    | { readonly _tag: "Update"; readonly payload: Payload.Payload }
    | { readonly _tag: "Put"; readonly payload: Payload.Payload }
    | { readonly _tag: "Delete" }
  readonly query: Query.Query
  /** The key's value when the request addresses one row by its key and nothing else. */
  readonly key: string | undefined
  readonly range: { readonly from: number; readonly to: number | undefined } | undefined
  readonly columns: ReadonlyArray<string> | undefined
  readonly onConflict: ReadonlyArray<string> | undefined
  readonly preferences: Preferences.Preferences
  readonly accept: MediaType.MediaType
  readonly shape: Shape
}
