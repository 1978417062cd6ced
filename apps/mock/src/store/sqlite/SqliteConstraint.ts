/**
 * Reads refusals from the constraint errors of SQLite, which name columns and never values. Errors of other constraints
 * are faults of the service, because rows are validated before they are written.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { StoreRefusal } from "../../sql/Change.ts"
import * as ConstraintName from "../ConstraintName.ts"
import type { SqliteError } from "./SqliteDriver.ts"

/** The message that the trigger of a rule raises: the resource that was written and the name of the rule. */
export const raised = (written: string, name: string): string => `rule:${written}:${name}`

/** SQLite reports the key of a resource as unique columns, because the primary key is the hidden row number. */
const duplicate = ({ code, message }: SqliteError): StoreRefusal | undefined => {
  // UNIQUE constraint failed: holiday._tenant, holiday.date
  const [, list] = message.split("UNIQUE constraint failed: ")
  const named = list?.split(", ").map((name) => name.split("."))
  const resource = named?.[0]?.[0]
  if (named === undefined || resource === undefined) return undefined
  const columns = ConstraintName.visible(named.flatMap(([, column]) => column ?? []))
  const isKey =
    code === "SQLITE_CONSTRAINT_PRIMARYKEY" || (columns.length === 1 && columns[0] === Catalogue.find(resource)?.key)
  const constraint = isKey ? ConstraintName.primaryKey(resource) : ConstraintName.unique(resource, columns)
  return { _tag: "Duplicate", resource, columns, constraint }
}

const rule = (message: string): StoreRefusal | undefined => {
  const [rule, written, name] = message.split(":")
  return rule !== "rule" || written === undefined || name === undefined
    ? undefined
    : (ConstraintName.brokenReference(name, written) ?? { _tag: "CheckFailed", resource: written, check: name })
}

/** The refusal that an error means, if the caller can correct it. */
export const fromError = (error: SqliteError): StoreRefusal | undefined => {
  switch (error.code) {
    case "SQLITE_CONSTRAINT_PRIMARYKEY":
    case "SQLITE_CONSTRAINT_UNIQUE":
      return duplicate(error)
    case "SQLITE_CONSTRAINT_TRIGGER":
      return rule(error.message)
    default:
      return undefined
  }
}
