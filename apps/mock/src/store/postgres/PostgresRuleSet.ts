/**
 * Applies a rule set to a store on PostgreSQL by unique indexes, constraints and trigger functions named `rule_*`. Each
 * has its own text as a comment, because the server does not store that text unchanged.
 */
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as Either from "effect/Either"
import { dialect } from "../../sql/postgres/PostgresDialect.ts"
import * as Table from "../../sql/Table.ts"
import { RulesViolated } from "../OpenError.ts"
import { rulePrefix } from "./PostgresConstraint.ts"
import type { Connection } from "./PostgresDriver.ts"
import * as PostgresMeta from "./PostgresMeta.ts"
import {
  childrenOf,
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
  type Violation,
  violation
} from "../RuleSet.ts"

const nameOf = ({ name }: Rule): string => `${rulePrefix}${name}`

/**
 * Triggers in place of a foreign key, which requires a unique index on the column itself, whose entries have a maximum
 * length. The trigger of the child locks the parent until the child is committed; the trigger of the parent finds
 * children that were committed before.
 */
const references = (rule: Reference): string => {
  const { reference } = rule
  const { child, column, field, parent } = reference
  const [name, children, parents] = [nameOf(rule), quote(child.resource), quote(parent.resource)]
  const lock = field === parent.key ? "KEY SHARE" : "SHARE"
  const trigger = (on: string, event: string, columns: string, condition: string) =>
    `CREATE TRIGGER ${quote(`${name}_${event.toLowerCase()}`)} AFTER ${event} ${columns} ON ${on}
  FOR EACH ROW ${condition} EXECUTE FUNCTION ${quote(name)} ()`
  const isGiven = `WHEN (NEW.${quote(column)} IS NOT NULL)`
  const isChanged = `WHEN (OLD.${quote(field)} <> NEW.${quote(field)})`
  return `CREATE FUNCTION ${quote(name)} () RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF TG_TABLE_NAME = ${literal(child.resource)} THEN
    PERFORM ${parentOf(reference, "NEW").slice("SELECT ".length)} FOR ${lock};
    IF FOUND THEN RETURN NULL; END IF;
  ELSE
    PERFORM ${childrenOf(reference, "OLD").slice("SELECT ".length)};
    IF NOT FOUND THEN RETURN NULL; END IF;
  END IF;
  RAISE EXCEPTION USING ERRCODE = '23503', TABLE = TG_TABLE_NAME, CONSTRAINT = ${literal(name)},
    MESSAGE = ${literal(`${rule.name} is broken`)};
END
$body$;
${trigger(children, "INSERT", "", isGiven)};
${trigger(children, "UPDATE", `OF ${quote(column)}`, isGiven)};
${trigger(parents, "UPDATE", `OF ${quote(field)}`, isChanged)};
${trigger(parents, "DELETE", "", "")}`
}

/** The columns of a unique index, in which texts are digests. */
const columnsOf = ({ columns, resource }: Rule): string => Table.uniqueness(dialect, resource, columns).chunks.join("")

/** The statements that create a rule. */
const overlay = (rule: Rule): string => {
  const table = quote(rule.resource.resource)
  const name = quote(nameOf(rule))
  switch (rule._tag) {
    case "Unique":
      return `CREATE UNIQUE INDEX ${name} ON ${table} (${columnsOf(rule)})`
    case "Check":
      return `ALTER TABLE ${table} ADD CONSTRAINT ${name} CHECK (NOT (${rule.broken(quote, "postgres")}))`
    case "Reference":
      return references(rule)
  }
}

const comment = (rule: Rule): string => {
  const name = quote(nameOf(rule))
  const what = {
    Unique: `INDEX ${name}`,
    Check: `CONSTRAINT ${name} ON ${quote(rule.resource.resource)}`,
    Reference: `FUNCTION ${name} ()`
  }
  return `COMMENT ON ${what[rule._tag]} IS ${literal(overlay(rule))}`
}

/** Selects every applied rule: the statement that drops it, and the text that created it. */
const applied = `
  SELECT 'DROP INDEX ' || quote_ident(c.relname), obj_description(c.oid, 'pg_class')
  FROM pg_class AS c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'i' AND starts_with(c.relname, '${rulePrefix}')
  UNION ALL
  SELECT 'ALTER TABLE ' || quote_ident(t.relname) || ' DROP CONSTRAINT ' || quote_ident(c.conname),
    obj_description(c.oid, 'pg_constraint')
  FROM pg_constraint AS c JOIN pg_class AS t ON t.oid = c.conrelid
  WHERE c.connamespace = current_schema()::regnamespace AND c.contype = 'c' AND starts_with(c.conname, '${rulePrefix}')
  UNION ALL
  SELECT 'DROP FUNCTION ' || quote_ident(p.proname) || ' () CASCADE', obj_description(p.oid, 'pg_proc')
  FROM pg_proc AS p
  WHERE p.pronamespace = current_schema()::regnamespace AND starts_with(p.proname, '${rulePrefix}')`

const violations = async (connection: Connection, rules: ReadonlyArray<Rule>): Promise<ReadonlyArray<Violation>> => {
  const found: Array<Violation> = []
  for (const rule of rules) found.push(...violation(rule, await connection.execute(offending(rule, "postgres"))))
  return found
}

/** The statements that let columns be null, of those that may not. */
const relaxations = async (connection: Connection, nullable: Overlay["nullable"]): Promise<ReadonlyArray<string>> => {
  if (nullable.length === 0) return []
  const found = await connection.execute({
    text: `SELECT c.relname, a.attname FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnotnull`,
    parameters: []
  })
  const required = new Set(found.map(([table, column]) => `${table}.${column}`))
  return nullable
    .filter(({ column, table }) => required.has(`${table}.${column}`))
    .map(({ column, table }) => `ALTER TABLE ${quote(table)} ALTER COLUMN ${quote(column)} DROP NOT NULL`)
}

/** The rows that violate a rule set. */
export const violationsOf = (connection: Connection, ruleSet: RuleSet): Promise<ReadonlyArray<Violation>> =>
  violations(connection, rules(ruleSet))

/**
 * Applies a rule set with the overlay of facts, and saves its name. The caller runs it in a transaction and rolls back after `Left`.
 */
export const apply = async (
  connection: Connection,
  ruleSet: RuleSet,
  { nullable, rules: added }: Overlay = noOverlay
): Promise<Either.Either<void, RulesViolated>> => {
  const found = await connection.execute({ text: applied, parameters: [] })
  const texts = new Set(found.map(([, text]) => text))
  const wanted = rulesWith(ruleSet, added)
  const missing = wanted.filter((rule) => !texts.has(overlay(rule)))
  const broken = await violations(connection, missing)
  if (broken.length > 0) return Either.left(new RulesViolated({ ruleSet, violations: broken }))
  const kept = new Set<unknown>(wanted.map(overlay))
  const statements = [
    ...found.flatMap(([drop, text]) => (kept.has(text) ? [] : [String(drop)])),
    ...missing.flatMap((rule) => [overlay(rule), comment(rule)]),
    ...(await relaxations(connection, nullable))
  ]
  if (statements.length > 0) await connection.script(statements.join(";\n"))
  await PostgresMeta.setRuleSet(connection, ruleSet)
  return Either.right(undefined)
}
