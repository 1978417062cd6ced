/**
 * Reads the refusals that errors of the embedded store's constraints mean, which name columns and never values. An
 * error that names nothing a caller could mend is none: rows are checked whole before they are written.
 */
import type { StoreRefusal } from "../../sql/Change.ts"
import * as ConstraintName from "../ConstraintName.ts"
import type { SqliteError } from "./SqliteDriver.ts"

/** The message that a rule's trigger raises: the resource that was written, and the rule's name. */
export const raised = (written: string, name: string): string => `rule:${written}:${name}`

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

const rule = (message: string): StoreRefusal | undefined => {
  const [rule, written, name] = message.split(":")
  return rule !== "rule" || written === undefined || name === undefined
    ? undefined
    : (ConstraintName.brokenReference(name, written) ?? { _tag: "CheckFailed", resource: written, check: name })
}

/** The refusal that an error means, if it means one. */
export const fromError = (error: SqliteError): StoreRefusal | undefined => {
  switch (error.code) {
    case "SQLITE_CONSTRAINT_PRIMARYKEY":
      return duplicate(error.message, true)
    case "SQLITE_CONSTRAINT_UNIQUE":
      return duplicate(error.message, false)
    case "SQLITE_CONSTRAINT_TRIGGER":
      return rule(error.message)
    default:
      return undefined
  }
}
