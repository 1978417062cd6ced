/**
 * The type of a seed in source code: like a seed file, but with typed rows.
 */
import type * as Catalogue from "@mfgdata/domain/Catalogue"
import type * as Schema from "effect/Schema"
import type * as SeedFile from "./SeedFile.ts"

/** A row of a seed: the fields that a create requires, and any field that the service would otherwise fill. */
type Row<Name extends Catalogue.Name> = Schema.Schema.Encoded<Catalogue.ByName[Name]["Create"]> &
  Partial<Schema.Schema.Encoded<Catalogue.ByName[Name]["Row"]>>

/** Rows by resource. */
export type Rows = { readonly [Name in Catalogue.Name]?: ReadonlyArray<Row<Name>> }

export interface Seed extends Omit<SeedFile.Seed, "rows"> {
  readonly rows: Rows
}
