/**
 * A seed as our own code states it: the same as a seed file, and the compiler knows its rows.
 */
import type * as Catalogue from "@mfgdata/domain/Catalogue"
import type * as Schema from "effect/Schema"
import type * as SeedFile from "./SeedFile.ts"

/** A row as a seed states it: what a create needs, and any field that the service would otherwise fill. */
type Row<Name extends Catalogue.Name> = Schema.Schema.Encoded<Catalogue.ByName[Name]["Create"]> &
  Partial<Schema.Schema.Encoded<Catalogue.ByName[Name]["Row"]>>

/** Rows by resource. */
export type Rows = { readonly [Name in Catalogue.Name]?: ReadonlyArray<Row<Name>> }

export interface Seed extends Omit<SeedFile.Seed, "rows"> {
  readonly rows: Rows
}
