/**
 * Lists the tables on PostgreSQL whose rows belong to a company, with the column that names it, and those that all
 * companies share. The primary key, the unique indexes and the foreign keys of the first contain that column.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as PastRow from "../../../sql/PastRow.ts"
import * as Table from "../../../sql/Table.ts"

export interface CompanyTable {
  readonly name: string
  /** The column with the id of the company. */
  readonly column: string
}

const ofService = [
  "_notificationPreference",
  "_outbox",
  "_webhookSecret",
  "_webhookFailure",
  "_webhookCount",
  "_delivery",
  "_deliveryAttempt",
  "_idempotency",
  "_history"
] as const

export const tables: ReadonlyArray<CompanyTable> = [
  ...Catalogue.resources.flatMap((resource) =>
    [resource.resource, PastRow.tableName(resource)].map((name) => ({ name, column: Table.tenant }))
  ),
  ...ofService.map((name) => ({ name, column: "companyId" }))
]

/** The small tables that all companies share, and that tables of companies reference or are joined with. */
export const reference = [
  "_company",
  "_user",
  "_companyUser",
  "_attributeCategory",
  "_attribute",
  "_attributeValue",
  "_historySpan"
] as const

/** The tables that are read before the company is known, in statements of their own. */
export const local = ["_meta", "_apiKey"] as const
