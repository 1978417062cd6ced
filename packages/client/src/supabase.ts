/**
 * The service's rows as supabase-js wants to know them: types alone, computed from the catalogue.
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

/** A value as JSON holds it: an id, a day or a moment is any text, a vocabulary shows its known values. */
type Plain<A> = A extends { readonly [BrandTypeId]: unknown } ? string : A

/** A row, every column of it. */
export type Row<R extends Resource.Any> = { -readonly [C in Resource.Column<R>]: Plain<Resource.Row<R>[C]> }

/** What an insert takes: an upsert names the row by its key. */
export type Insert<R extends Resource.Any> = {
  -readonly [C in keyof Resource.Create<R>]: Plain<Resource.Create<R>[C]>
} & { [C in Exclude<R["key"], keyof Resource.Create<R>>]?: string }

/** What an update takes. */
export type Update<R extends Resource.Any> = { -readonly [C in keyof Resource.Update<R>]: Plain<Resource.Update<R>[C]> }

/** Where the ids of a column lead, as `resource.field`. */
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

/** supabase-js looks for relationships in a list. */
type List<A> = [A] extends [never] ? [] : [...List<Exclude<A, Last<A>>>, Last<A>]

/** The references of a resource to others, along which both embed each other. */
export type Relationships<R extends Resource.Any> = List<References<R>>

/** One resource. */
export interface Table<R extends Resource.Any> {
  Row: Row<R>
  Insert: Insert<R>
  Update: Update<R>
  Relationships: Relationships<R>
}

type None = { [_ in never]: never }

/** All of them: the type argument of `createClient`. */
export interface Database {
  /** Which of PostgREST's habits the types rely on. */
  __InternalSupabase: { PostgrestVersion: "14" }
  public: {
    Tables: { [Name in Catalogue.Name]: Table<Catalogue.ByName[Name]> }
    Views: None
    Functions: None
    Enums: None
    CompositeTypes: None
  }
}
