/**
 * Declares the parts of the triggers that record the history, which both databases have: the columns of a change, and of
 * the row that it overwrites or deletes.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type * as Resource from "@mfgdata/domain/Resource"
import type { Dialect } from "../sql/Dialect.ts"
import * as PastRow from "../sql/PastRow.ts"
import * as Table from "../sql/Table.ts"
import { list, quote } from "./RuleSet.ts"

/** The setting of a store that keeps the history of its rows. */
export interface Options {
  /** Milliseconds since 1970. */
  readonly now: () => number
}

export type Kind = "INSERT" | "UPDATE" | "DELETE"

/** The resources whose changes are recorded. */
export const resources = Catalogue.importOrder

/** The columns of a change that its trigger sets, in the order of {@link changeValues}. */
export const changeColumns = list(["companyId", "resource", "key", "ownerId", "kind", "revision", "hides"])

const isSensitive = (resource: Resource.Any): boolean => Column.sensitiveNames(resource).length > 0

/** Tests whether a change makes a sensitive value unknown that was there before. */
const hides = (resource: Resource.Any, kind: Kind): string => {
  const names = Column.sensitiveNames(resource).map(quote)
  if (!isSensitive(resource) || kind === "INSERT") return "0"
  const changed = names.map((name) =>
    kind === "DELETE" ? `OLD.${name} IS NOT NULL` : `OLD.${name} IS DISTINCT FROM NEW.${name}`
  )
  return `CASE WHEN ${changed.join(" OR ")} THEN 1 ELSE 0 END`
}

/** The values of the columns of a change, as SQL in a trigger. */
export const changeValues = (resource: Resource.Any, kind: Kind): string => {
  const row = kind === "DELETE" ? "OLD" : "NEW"
  const [tenant = "", user] = Table.ownerColumns(resource).map((name) => `${row}.${quote(name)}`)
  return [
    tenant,
    `'${resource.resource}'`,
    `${row}.${quote(resource.key)}`,
    user ?? "NULL",
    `'${kind}'`,
    kind === "DELETE" ? "0" : `NEW.${quote(Table.revision)}`,
    hides(resource, kind)
  ].join(", ")
}

/** The columns of an overwritten or deleted row, and their values without those of sensitive columns. */
export const pastRow = (
  dialect: Dialect,
  resource: Resource.Any,
  withoutSecrets: (document: string, names: ReadonlyArray<string>) => string
): { readonly columns: string; readonly values: string } => {
  const sensitive = Column.sensitiveNames(resource)
  const stored = Table.stored(dialect, resource).map(({ column }) => column.name)
  const names = [Table.sequence, ...Table.ownerColumns(resource), ...stored, Table.document, Table.revision]
  const value = (name: string): string => {
    if (sensitive.includes(name)) return "NULL"
    const old = `OLD.${quote(name)}`
    return name === Table.document && sensitive.length > 0 ? withoutSecrets(old, sensitive) : old
  }
  return { columns: list([PastRow.change, ...names]), values: names.map(value).join(", ") }
}
