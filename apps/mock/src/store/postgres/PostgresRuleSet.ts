/**
 * A rule set laid over a store on PostgreSQL: unique indexes and constraints named `rule_*`. Each carries its own text
 * as a comment, for the server does not keep it as it was written.
 */
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as Either from "effect/Either"
import * as Table from "../../sql/Table.ts"
import { RulesViolated } from "../OpenError.ts"
import { rulePrefix } from "./PostgresConstraint.ts"
import type { Connection } from "./PostgresDriver.ts"
import * as PostgresMeta from "./PostgresMeta.ts"
import { list, offending, quote, type Rule, rules, type Violation, violation } from "../RuleSet.ts"

const nameOf = ({ name }: Rule): string => `${rulePrefix}${name}`

/** The statement that makes a rule. */
const overlay = (rule: Rule): string => {
  const table = quote(rule.resource.resource)
  const name = quote(nameOf(rule))
  return rule._tag === "Unique"
    ? `CREATE UNIQUE INDEX ${name} ON ${table} (${list([...Table.ownerColumns(rule.resource), ...rule.columns])})`
    : `ALTER TABLE ${table} ADD CONSTRAINT ${name} CHECK (NOT (${rule.broken(quote)}))`
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

const comment = (rule: Rule): string => {
  const name = quote(nameOf(rule))
  const what = rule._tag === "Unique" ? `INDEX ${name}` : `CONSTRAINT ${name} ON ${quote(rule.resource.resource)}`
  return `COMMENT ON ${what} IS ${literal(overlay(rule))}`
}

/** Every rule that stands: how it is taken off, and the text that made it. */
const standing = `
  SELECT 'DROP INDEX ' || quote_ident(c.relname), obj_description(c.oid, 'pg_class')
  FROM pg_class AS c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'i' AND starts_with(c.relname, '${rulePrefix}')
  UNION ALL
  SELECT 'ALTER TABLE ' || quote_ident(t.relname) || ' DROP CONSTRAINT ' || quote_ident(c.conname),
    obj_description(c.oid, 'pg_constraint')
  FROM pg_constraint AS c JOIN pg_class AS t ON t.oid = c.conrelid
  WHERE c.connamespace = current_schema()::regnamespace AND c.contype = 'c' AND starts_with(c.conname, '${rulePrefix}')`

const violations = async (connection: Connection, rules: ReadonlyArray<Rule>): Promise<ReadonlyArray<Violation>> => {
  const found: Array<Violation> = []
  for (const rule of rules) found.push(...violation(rule, await connection.execute(offending(rule))))
  return found
}

/** The rows that keep a rule set from being laid over the store. */
export const violationsOf = (connection: Connection, ruleSet: RuleSet): Promise<ReadonlyArray<Violation>> =>
  violations(connection, rules(ruleSet))

/** Lays a rule set over the store and remembers it; inside a transaction, which `Left` should undo. */
export const apply = async (connection: Connection, ruleSet: RuleSet): Promise<Either.Either<void, RulesViolated>> => {
  const found = await connection.execute({ text: standing, parameters: [] })
  const texts = new Set(found.map(([, text]) => text))
  const wanted = rules(ruleSet)
  const missing = wanted.filter((rule) => !texts.has(overlay(rule)))
  const broken = await violations(connection, missing)
  if (broken.length > 0) return Either.left(new RulesViolated({ ruleSet, violations: broken }))
  const kept = new Set<unknown>(wanted.map(overlay))
  const statements = [
    ...found.flatMap(([drop, text]) => (kept.has(text) ? [] : [String(drop)])),
    ...missing.flatMap((rule) => [overlay(rule), comment(rule)])
  ]
  if (statements.length > 0) await connection.script(statements.join(";\n"))
  await PostgresMeta.setRuleSet(connection, ruleSet)
  return Either.right(undefined)
}
