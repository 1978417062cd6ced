/**
 * Applies a rule set to an embedded store by unique indexes and triggers named `rule_*`. It compares them with the
 * catalog of the database, and creates or drops those that differ.
 */
import type * as Resource from "@mfgdata/domain/Resource"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as Either from "effect/Either"
import type { Value } from "../../sql/Statement.ts"
import * as Table from "../../sql/Table.ts"
import * as SqliteConstraint from "./SqliteConstraint.ts"
import { RulesViolated } from "../OpenError.ts"
import {
  type Check,
  childrenOf,
  list,
  literal,
  noOverlay,
  offending,
  type Overlay,
  parentOf,
  quote,
  type Reference,
  type Rule,
  rules,
  rulesWith,
  type Unique,
  type Violation,
  violation
} from "../RuleSet.ts"
import type { SqliteDriver } from "./SqliteDriver.ts"
import * as SqliteMeta from "./SqliteMeta.ts"

const index = ({ columns: unique, name, resource }: Unique) =>
  `CREATE UNIQUE INDEX ${quote(`rule_${name}`)} ON ${quote(resource.resource)} (${list([...Table.ownerColumns(resource), ...unique])})`

/** A trigger that refuses a write of a resource when a condition holds. */
const trigger = (name: string, event: string, { resource }: Resource.Any, rule: Rule, condition: string) =>
  [
    `CREATE TRIGGER ${quote(`rule_${rule.name}_${name}`)} ${event} ON ${quote(resource)} WHEN ${condition}`,
    `BEGIN SELECT RAISE(ABORT, '${SqliteConstraint.raised(resource, rule.name)}'); END`
  ].join(" ")

const checks = (rule: Check): ReadonlyArray<string> => {
  const { reads, resource } = rule
  const condition = rule.broken((column) => `NEW.${quote(column)}`, "sqlite")
  return [
    trigger("insert", "BEFORE INSERT", resource, rule, condition),
    trigger("update", `BEFORE UPDATE OF ${list(reads)}`, resource, rule, condition)
  ]
}

/** Checks references after the write, so that an upsert which inserts no row needs no parent. */
const references = (rule: Reference): ReadonlyArray<string> => {
  const { child, column, field, parent } = rule.reference
  const isDangling = `NEW.${quote(column)} IS NOT NULL AND NOT EXISTS (${parentOf(rule.reference, "NEW")})`
  const isReferenced = `EXISTS (${childrenOf(rule.reference, "OLD")})`
  const isChanged = `OLD.${quote(field)} <> NEW.${quote(field)}`
  return [
    trigger("insert", "AFTER INSERT", child, rule, isDangling),
    trigger("update", `AFTER UPDATE OF ${quote(column)}`, child, rule, isDangling),
    trigger("change", `AFTER UPDATE OF ${quote(field)}`, parent, rule, `${isChanged} AND ${isReferenced}`),
    trigger("delete", "AFTER DELETE", parent, rule, isReferenced)
  ]
}

/** The statements that create a rule. The catalog stores their text. */
const overlay = (rule: Rule): ReadonlyArray<string> => {
  switch (rule._tag) {
    case "Unique":
      return [index(rule)]
    case "Check":
      return checks(rule)
    case "Reference":
      return references(rule)
  }
}

const violations = (driver: SqliteDriver, rules: ReadonlyArray<Rule>): ReadonlyArray<Violation> =>
  rules.flatMap((rule) => violation(rule, driver.execute(offending(rule, "sqlite"))))

/**
 * Lets columns be null. SQLite documents this edit of the schema for constraints, which do not change how rows are stored;
 * the other way is a copy of the table.
 */
const relax = (driver: SqliteDriver, nullable: Overlay["nullable"]): void => {
  const edits = nullable.flatMap(({ column, table }) => {
    const named = `"type" = 'table' AND "name" = ${literal(table)}`
    const [[text] = []] = driver.execute({ text: `SELECT "sql" FROM sqlite_schema WHERE ${named}`, parameters: [] })
    const [declared] = new RegExp(String.raw`${quote(column)} \w+ NOT NULL`).exec(String(text)) ?? []
    if (declared === undefined) return []
    const to = declared.replace(" NOT NULL", "")
    return [`UPDATE sqlite_schema SET "sql" = replace("sql", ${literal(declared)}, ${literal(to)}) WHERE ${named}`]
  })
  if (edits.length === 0) return
  const [[version] = []] = driver.execute({ text: "PRAGMA schema_version", parameters: [] })
  driver.script("PRAGMA writable_schema = ON")
  for (const edit of edits) driver.script(edit)
  driver.script(`PRAGMA schema_version = ${Number(version) + 1}`)
  driver.script("PRAGMA writable_schema = RESET")
}

/** The rows that violate a rule set. */
export const violationsOf = (driver: SqliteDriver, ruleSet: RuleSet): ReadonlyArray<Violation> =>
  violations(driver, rules(ruleSet))

/**
 * Applies a rule set with the overlay of facts, and saves its name. The caller runs it in a transaction and rolls back after `Left`.
 */
export const apply = (
  driver: SqliteDriver,
  ruleSet: RuleSet,
  { nullable, rules: added }: Overlay = noOverlay
): Either.Either<void, RulesViolated> => {
  const found = driver.execute({
    text: `SELECT "type", "name", "sql" FROM sqlite_schema WHERE "name" LIKE 'rule\\_%' ESCAPE '\\'`,
    parameters: []
  })
  const standing = new Set<Value | undefined>(found.map(([, , sql]) => sql))
  const wanted = rulesWith(ruleSet, added)
  const missing = wanted.filter((rule) => overlay(rule).some((sql) => !standing.has(sql)))
  const broken = violations(driver, missing)
  if (broken.length > 0) return Either.left(new RulesViolated({ ruleSet, violations: broken }))
  const statements = wanted.flatMap(overlay)
  const kept = new Set<Value | undefined>(statements)
  for (const [type, name, sql] of found) {
    if (!kept.has(sql)) driver.script(`DROP ${type} ${quote(String(name))}`)
  }
  for (const sql of statements) if (!standing.has(sql)) driver.script(sql)
  relax(driver, nullable)
  SqliteMeta.setRuleSet(driver, ruleSet)
  return Either.right(undefined)
}
