/**
 * What a world begins with, as plain data: companies, users, keys, and rows whose ids are kept. A seed file is
 * this, as JSON.
 */
import type * as Catalogue from "@mfgdata/domain/Catalogue"
import type { JsonObject } from "@mfgdata/domain/Json"
import type * as Schema from "effect/Schema"

/** A row as a seed states it: what a create needs, and any field that the service would otherwise fill. */
export type Row<Name extends Catalogue.Name> = Schema.Schema.Encoded<Catalogue.ByName[Name]["Create"]> &
  Partial<Schema.Schema.Encoded<Catalogue.ByName[Name]["Row"]>>

/** Rows by resource. */
export type Rows = { readonly [Name in Catalogue.Name]?: ReadonlyArray<Row<Name>> }

export interface Seed {
  readonly companies: ReadonlyArray<{ readonly id: string; readonly name: string }>
  readonly users: ReadonlyArray<{
    readonly id: string
    readonly companyIds: ReadonlyArray<string>
    readonly email: string
    readonly firstName: string
    readonly lastName: string
    readonly fullName?: string
    readonly about?: string
    readonly admin?: boolean
    readonly developer?: boolean
    readonly flags?: JsonObject
  }>
  readonly rows: Rows
}
