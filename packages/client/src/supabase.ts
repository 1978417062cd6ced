/**
 * The types of the service's rows for supabase-js, computed from the catalogue.
 *
 * @example
 * import { createClient } from "@supabase/supabase-js"
 * import type { Database } from "@mfgdata/client/supabase"
 *
 * const supabase = createClient<Database>("http://127.0.0.1:4010", apiKey)
 * const { data } = await supabase.from("warehouseTransfer").select("id, warehouseTransferLine(itemId, quantity)")
 */
import type * as Catalogue from "@mfgdata/domain/Catalogue"
import type * as Resource from "@mfgdata/domain/Resource"
import type { BrandTypeId } from "effect/Brand"
import type { UnionToIntersection } from "effect/Types"

/** The JSON of a value: ids, dates and timestamps are plain strings, and vocabularies list their known words. */
type Plain<A> = A extends { readonly [BrandTypeId]: unknown } ? string : A

/** A row with all its columns. */
export type Row<R extends Resource.Any> = { -readonly [C in Resource.Column<R>]: Plain<Resource.Row<R>[C]> }

/**
 * The columns of a row besides those of `Written`: the service sets them, and accepts them in a write that repeats their
 * stored values, so that a row that was read can be written back.
 */
type Repeated<R extends Resource.Any, Written> = { [C in Exclude<Resource.Column<R>, keyof Written>]?: Row<R>[C] }

/** The values of an insert; those of an upsert include the key. */
export type Insert<R extends Resource.Any> = {
  -readonly [C in keyof Resource.Create<R>]: Plain<Resource.Create<R>[C]>
} & Repeated<R, Resource.Create<R>>

/** The values of an update. */
export type Update<R extends Resource.Any> = {
  -readonly [C in keyof Resource.Update<R>]: Plain<Resource.Update<R>[C]>
} & Repeated<R, Resource.Update<R>>

/** The field that the ids of a column refer to, as `resource.field`. */
type Arrow<A> = NonNullable<A> extends { readonly [BrandTypeId]: infer Brands } ? keyof Brands & string : never

type Reference<R extends Resource.Any, C extends string, A extends string> = A extends `${infer Parent}.${infer Field}`
  ? Parent extends Exclude<Catalogue.Name, R["resource"]>
    ? {
        foreignKeyName: `${R["resource"]}_${C}_fkey`
        columns: [C]
        isOneToOne: false
        referencedRelation: Parent
        referencedColumns: [Field]
      }
    : never
  : never

type References<R extends Resource.Any> = {
  [C in Resource.Column<R>]: Reference<R, C, Arrow<Resource.Row<R>[C]>>
}[Resource.Column<R>]

type Last<A> =
  UnionToIntersection<A extends unknown ? (_: A) => void : never> extends (_: infer Member) => void ? Member : never

/** The tuple in which supabase-js looks for relationships. */
type List<A> = [A] extends [never] ? [] : [...List<Exclude<A, Last<A>>>, Last<A>]

/** The references of a resource to others; rows on both sides can embed each other. */
export type Relationships<R extends Resource.Any> = List<References<R>>

/** The types of one resource. */
export interface Table<R extends Resource.Any> {
  Row: Row<R>
  Insert: Insert<R>
  Update: Update<R>
  Relationships: Relationships<R>
}

type None = { [_ in never]: never }

/** The types of all resources: the type argument of `createClient`. */
export interface Database {
  /** The version of PostgREST that supabase-js types queries for. */
  __InternalSupabase: { PostgrestVersion: "14" }
  public: {
    Tables: { [Name in Catalogue.Name]: Table<Catalogue.ByName[Name]> }
    Views: None
    Functions: None
    Enums: None
    CompositeTypes: None
  }
}
