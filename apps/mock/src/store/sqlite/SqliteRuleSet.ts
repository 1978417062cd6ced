/**
 * A rule set laid over an embedded store: objects named `rule_*`, unique indexes and triggers, that the store's own
 * description is compared with and brought in line with.
 */
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as Either from "effect/Either"
import type { Value } from "../../sql/Statement.ts"
import * as Table from "../../sql/Table.ts"
import * as SqliteConstraint from "./SqliteConstraint.ts"
import { RulesViolated } from "../OpenError.ts"
import {
  type Check,
  list,
  offending,
  quote,
  type Rule,
  rules,
  type Unique,
  type Violation,
  violation
} from "../RuleSet.ts"
import type { SqliteDriver } from "./SqliteDriver.ts"
import * as SqliteMeta from "./SqliteMeta.ts"

const index = ({ columns: unique, name, resource }: Unique) =>
  `CREATE UNIQUE INDEX ${quote(`rule_${name}`)} ON ${quote(resource.resource)} (${list([...Table.ownerColumns(resource), ...unique])})`

const trigger = ({ broken, check, columns: touched, name, resource }: Check, event: "insert" | "update") =>
  [
    `CREATE TRIGGER ${quote(`rule_${name}_${event}`)} BEFORE`,
    event === "insert" ? "INSERT" : `UPDATE OF ${list(touched)}`,
    `ON ${quote(resource.resource)} WHEN ${broken((column) => `NEW.${quote(column)}`)}`,
    `BEGIN SELECT RAISE(ABORT, '${SqliteConstraint.raised(resource.resource, check)}'); END`
  ].join(" ")

/** The statements that make a rule; the store keeps their text. */
const overlay = (rule: Rule): ReadonlyArray<string> =>
  rule._tag === "Unique" ? [index(rule)] : [trigger(rule, "insert"), trigger(rule, "update")]

const violations = (driver: SqliteDriver, rules: ReadonlyArray<Rule>): ReadonlyArray<Violation> =>
  rules.flatMap((rule) => violation(rule, driver.execute(offending(rule))))

/** The rows that keep a rule set from being laid over the store. */
export const violationsOf = (driver: SqliteDriver, ruleSet: RuleSet): ReadonlyArray<Violation> =>
  violations(driver, rules(ruleSet))

/** Lays a rule set over the store and remembers it; inside a transaction, which `Left` should undo. */
export const apply = (driver: SqliteDriver, ruleSet: RuleSet): Either.Either<void, RulesViolated> => {
  const found = driver.execute({
    text: `SELECT "type", "name", "sql" FROM sqlite_schema WHERE "name" LIKE 'rule\\_%' ESCAPE '\\'`,
    parameters: []
  })
  const standing = new Set<Value | undefined>(found.map(([, , sql]) => sql))
  const wanted = rules(ruleSet)
  const missing = wanted.filter((rule) => overlay(rule).some((sql) => !standing.has(sql)))
  const broken = violations(driver, missing)
  if (broken.length > 0) return Either.left(new RulesViolated({ ruleSet, violations: broken }))
  const statements = wanted.flatMap(overlay)
  const kept = new Set<Value | undefined>(statements)
  for (const [type, name, sql] of found) {
    if (!kept.has(sql)) driver.script(`DROP ${type} ${quote(String(name))}`)
  }
  for (const sql of statements) if (!standing.has(sql)) driver.script(sql)
  SqliteMeta.setRuleSet(driver, ruleSet)
  return Either.right(undefined)
}
