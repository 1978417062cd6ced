/**
 * Converts errors of PostgreSQL's constraints to refusals, which name columns and never values.
 */
import type { StoreRefusal } from "../../sql/Change.ts"
import * as ConstraintName from "../ConstraintName.ts"
import type { PostgresError } from "./connection/PostgresError.ts"

/** The prefix of the names of rules in the database. */
export const rulePrefix = "rule_"

/** The name of the rule that a constraint implements, if any. */
const ruleOf = (constraint: string): string | undefined =>
  constraint.startsWith(rulePrefix) ? constraint.slice(rulePrefix.length) : undefined

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

/** The refusal of a constraint error; `undefined` for any other error. */
export const fromError = (error: PostgresError): StoreRefusal | undefined => {
  const { code, constraint = "", table: resource = "" } = error
  const rule = ruleOf(constraint)
  switch (code) {
    case "23505":
      return duplicate(error)
    case "23503":
      return rule === undefined ? undefined : ConstraintName.brokenReference(rule, resource)
    case "23514":
      return rule === undefined ? undefined : { _tag: "CheckFailed", resource, check: rule }
    default:
      return undefined
  }
}
