/**
 * What a constraint of PostgreSQL said, as a refusal that names columns and never values. Guards have named references
 * before; what is left of those here is a race that they lost.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { StoreRefusal } from "../../sql/Change.ts"
import * as Table from "../../sql/Table.ts"
import * as ConstraintName from "../ConstraintName.ts"
import type { PostgresError } from "./PostgresDriver.ts"

/** What rules are called in a store begins like this. */
export const rulePrefix = "rule_"

const duplicate = ({ columns: all, constraint, table: resource = "" }: PostgresError): StoreRefusal => {
  const columns = ConstraintName.visible(all)
  const primaryKey = ConstraintName.primaryKey(resource)
  return {
    _tag: "Duplicate",
    resource,
    columns,
    constraint: constraint === primaryKey ? primaryKey : ConstraintName.unique(resource, columns)
  }
}

/** The first name that a message quotes is the table that was written. */
const written = (message: string): string | undefined => /"([^"]+)"/.exec(message)?.[1]

const reference = ({ constraint, message }: PostgresError): StoreRefusal | undefined => {
  const found = Catalogue.references.find(({ child, column }) => constraint === Table.referenceName(child, column))
  if (found === undefined) return undefined
  const { child, column, field, parent } = found
  return written(message) === child.resource
    ? { _tag: "ParentMissing", resource: child.resource, column, parent: parent.resource, field }
    : { _tag: "StillReferenced", resource: parent.resource, field, child: child.resource, column }
}

/** The refusal that an error means, if it means one. */
export const fromError = (error: PostgresError): StoreRefusal | undefined => {
  const { code, constraint = "", table: resource = "" } = error
  switch (code) {
    case "23505":
      return duplicate(error)
    case "23503":
      return reference(error)
    case "23514":
      return constraint.startsWith(rulePrefix)
        ? { _tag: "CheckFailed", resource, check: constraint.slice(rulePrefix.length) }
        : undefined
    default:
      return undefined
  }
}
