/**
 * What a constraint of the embedded store said, as a refusal that names columns and never values. What names nothing
 * a caller could mend is no refusal: guards have named the reference before SQLite would, and rows are checked whole.
 */
import type { StoreRefusal } from "../../sql/Change.ts"
import * as ConstraintName from "../ConstraintName.ts"
import type { SqliteError } from "./SqliteDriver.ts"

/** What a rule's trigger raises; the resource and the check's name are read back from it. */
export const raised = (resource: string, check: string): string =>
  `rule:${resource}:${ConstraintName.check(resource, check)}`

const duplicate = (message: string, isKey: boolean): StoreRefusal | undefined => {
  // UNIQUE constraint failed: holiday._tenant, holiday.date
  const [, list] = message.split("UNIQUE constraint failed: ")
  const named = list?.split(", ").map((name) => name.split("."))
  const resource = named?.[0]?.[0]
  if (named === undefined || resource === undefined) return undefined
  const columns = ConstraintName.visible(named.flatMap(([, column]) => column ?? []))
  const constraint = isKey ? ConstraintName.primaryKey(resource) : ConstraintName.unique(resource, columns)
  return { _tag: "Duplicate", resource, columns, constraint }
}

const check = (message: string): StoreRefusal | undefined => {
  const [rule, resource, check] = message.split(":")
  return rule !== "rule" || resource === undefined || check === undefined
    ? undefined
    : { _tag: "CheckFailed", resource, check }
}

/** The refusal that an error means, if it means one. */
export const fromError = (error: SqliteError): StoreRefusal | undefined => {
  switch (error.code) {
    case "SQLITE_CONSTRAINT_PRIMARYKEY":
      return duplicate(error.message, true)
    case "SQLITE_CONSTRAINT_UNIQUE":
      return duplicate(error.message, false)
    case "SQLITE_CONSTRAINT_TRIGGER":
      return check(error.message)
    default:
      return undefined
  }
}
