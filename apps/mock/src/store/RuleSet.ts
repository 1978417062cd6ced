/**
 * The constraints of the public rule set, which can be added to the tables and removed again: unique columns, checks, and
 * references. Their SQL is the same for both stores.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type * as ResourceRules from "@mfgdata/domain/ResourceRules"
import type * as Resource from "@mfgdata/domain/Resource"
import type { Rows } from "../sql/Change.ts"
import type { Dialect } from "../sql/Dialect.ts"
import * as Statement from "../sql/Statement.ts"
import * as Table from "../sql/Table.ts"
import * as ConstraintName from "./ConstraintName.ts"

export type Rule = Unique | Check | Reference

/** A unique constraint on `columns` among the rows of one owner. */
export interface Unique {
  readonly _tag: "Unique"
  readonly resource: Resource.Any
  readonly name: string
  readonly columns: ReadonlyArray<string>
}

/** A check constraint, which refuses a row when `broken` is true. */
export interface Check {
  readonly _tag: "Check"
  readonly resource: Resource.Any
  readonly name: string
  /** The name of the rule among those of its resource. */
  readonly check: string
  readonly columns: ReadonlyArray<string>
  /** The table's columns that the condition reads. */
  readonly reads: ReadonlyArray<string>
  /** Builds the SQL condition; `write` qualifies a column. */
  readonly broken: (write: (column: string) => string, dialect: Dialect["name"]) => string
}

/** A foreign key to a row of the same company. */
export interface Reference {
  readonly _tag: "Reference"
  readonly resource: Resource.Any
  readonly name: string
  readonly columns: ReadonlyArray<string>
  readonly reference: Catalogue.Reference
}

/** The SQL text of an identifier. */
export const quote = (name: string): string => Statement.identifier(name).chunks.join("")

/** The SQL text of a literal. */
export const literal = (value: string): string => Statement.literal(value).chunks.join("")

/** A condition on columns of the table. */
type Condition = Pick<Check, "columns" | "broken">

const broken = (check: ResourceRules.Check): Condition => {
  switch (check._tag) {
    case "OneOf":
      return {
        columns: [check.column],
        broken: (write) =>
          `${write(check.column)} IS NOT NULL AND ${write(check.column)} NOT IN (${check.values.map(literal).join(", ")})`
      }
    case "Required":
      return {
        columns: check.anyOf,
        broken: (write) => check.anyOf.map((column) => `${write(column)} IS NULL`).join(" AND ")
      }
    case "PresentWhen":
      return {
        columns: [check.column, check.when],
        broken: (write) =>
          `(${write(check.column)} IS NOT NULL) <> (${write(check.when)} IS NOT DISTINCT FROM ${literal(check.equals)})`
      }
  }
}

const unique = (resource: Resource.Any, columns: ReadonlyArray<string>): Unique => ({
  _tag: "Unique",
  resource,
  name: ConstraintName.unique(resource.resource, columns),
  columns
})

/** The condition that an array, which the document holds, has an element other than text. */
const elements = (column: string): Condition & Pick<Check, "reads"> => ({
  columns: [column],
  reads: [Table.document],
  broken: (write, dialect) => {
    const document = write(Table.document)
    if (dialect === "sqlite") {
      const path = literal(`$.${column}`)
      const others = `SELECT 1 FROM json_each(${document}, ${path}) WHERE "type" <> 'text'`
      return `json_type(${document}, ${path}) = 'array' AND EXISTS (${others})`
    }
    const array = `(${document} -> ${literal(column)})`
    const isOther = `jsonb_path_exists(${array}::jsonb, '$[*] ? (@.type() != "string")')`
    return `coalesce(json_typeof${array} = 'array' AND ${isOther}, false)`
  }
})

const check = (resource: Resource.Any, name: string, condition: Condition & Partial<Pick<Check, "reads">>): Check => ({
  _tag: "Check",
  resource,
  name: ConstraintName.check(resource.resource, name),
  check: name,
  reads: condition.columns,
  ...condition
})

const reference = (reference: Catalogue.Reference): Reference => ({
  _tag: "Reference",
  resource: reference.child,
  name: ConstraintName.reference(reference),
  columns: [reference.column],
  reference
})

/** The writable column that contains the row's own company. */
const company = "companyId"

const ofPublic = (resource: Resource.Any): ReadonlyArray<Rule> => {
  const { checks, unique: uniques } = resource.rules
  const columns = Column.fromResource(resource)
  return [
    ...uniques.map((rule) => unique(resource, rule.columns)),
    ...checks.map((rule) => check(resource, rule.name, broken(rule))),
    ...columns.flatMap(({ name, vocabulary }) =>
      vocabulary === undefined
        ? []
        : [
            check(
              resource,
              `${name}_vocabulary`,
              broken({ _tag: "OneOf", name, column: name, values: vocabulary.known })
            )
          ]
    ),
    ...columns
      .filter(({ type }) => type === "array")
      .map(({ name }) => check(resource, `${name}_elements`, elements(name))),
    ...columns
      .filter(({ name }) => name === company)
      .map(() =>
        check(resource, "own_company", {
          columns: [company],
          broken: (write) => `${write(company)} IS NOT NULL AND ${write(company)} <> ${write("_tenant")}`
        })
      ),
    ...Catalogue.references.filter(({ child }) => child === resource).map(reference)
  ]
}

const rulesOfPublic: ReadonlyArray<Rule> = Catalogue.resources.flatMap(ofPublic)

/** The constraints that a rule set adds to the tables. The contract rules add none: the tables declare their keys. */
export const rules = (ruleSet: ResourceRules.RuleSet): ReadonlyArray<Rule> =>
  ruleSet === "public" ? rulesOfPublic : []

/** The changes of facts to the tables: constraints besides those of the rule set, and columns that may be null. */
export interface Overlay {
  readonly rules: ReadonlyArray<Rule>
  readonly nullable: ReadonlyArray<{ readonly table: string; readonly column: string }>
}

/** The overlay of a store without facts. */
export const noOverlay: Overlay = { rules: [], nullable: [] }

/** The columns that the tables require, and that rows of a variant do not have, or have only in their documents. */
const nullableOf = (resource: Resource.Any): Overlay["nullable"] =>
  Column.fromResource(Catalogue.find(resource.resource) ?? resource)
    .filter(({ name, nullable, type }) => {
      const column = Column.byName(resource).get(name)
      const isStored = type !== "object" && type !== "array"
      return isStored && !nullable && (column === undefined || column.isOpaque)
    })
    .map(({ name }) => ({ table: resource.resource, column: name }))

/** The overlay of resources as facts describe them. */
export const overlayOf = (resources: ReadonlyArray<Resource.Any>): Overlay => ({
  rules: taught(resources),
  nullable: resources.flatMap(nullableOf)
})

/** The constraints that facts add to those of the contract rules; the public rules have all known ones. */
const taught = (resources: ReadonlyArray<Resource.Any>): ReadonlyArray<Rule> =>
  resources.flatMap((resource) => [
    ...resource.rules.unique.map((rule) => unique(resource, rule.columns)),
    ...resource.rules.checks.map((rule) => check(resource, rule.name, broken(rule))),
    ...Catalogue.referencesOf(resource)
      .filter(({ child, column }) => child === resource && column in resource.rules.onParentDelete)
      .map(reference)
  ])

/** The constraints of a rule set and others, each once. */
export const rulesWith = (ruleSet: ResourceRules.RuleSet, added: ReadonlyArray<Rule>): ReadonlyArray<Rule> => {
  const names = new Set(rules(ruleSet).map(({ name }) => name))
  return [...rules(ruleSet), ...added.filter(({ name }) => !names.has(name))]
}

/** The rows that violate a rule: their number, and the first of them. */
export interface Violation {
  readonly rule: string
  readonly resource: string
  readonly columns: ReadonlyArray<string>
  readonly count: number
  readonly rows: ReadonlyArray<{ readonly companyId: string; readonly key: string }>
}

/** The maximum number of rows in a violation. */
const named = 20

/** Selects the row that a child refers to; `child` is the name of the child row. */
export const parentOf = ({ column, field, parent }: Catalogue.Reference, child: string): string =>
  `SELECT 1 FROM ${quote(parent.resource)} AS "p" ` +
  `WHERE "p"."_tenant" = ${child}."_tenant" AND "p".${quote(field)} = ${child}.${quote(column)}`

/** Selects the rows that refer to a parent; `parent` is the name of the parent row. */
export const childrenOf = ({ child, column, field }: Catalogue.Reference, parent: string): string =>
  `SELECT 1 FROM ${quote(child.resource)} AS "c" ` +
  `WHERE "c"."_tenant" = ${parent}."_tenant" AND "c".${quote(column)} = ${parent}.${quote(field)}`

/** Lists quoted columns. */
export const list = (columns: ReadonlyArray<string>): string => columns.map(quote).join(", ")

/** Selects the rows that violate a rule. */
export const offending = (rule: Rule, dialect: Dialect["name"]): Statement.Statement => {
  const { key, resource } = rule.resource
  const select = `SELECT "_tenant", ${quote(key)}, count(*) OVER () FROM ${quote(resource)}`
  const order = `ORDER BY "_tenant", ${quote(key)} LIMIT ${named}`
  if (rule._tag === "Check") return { text: `${select} WHERE ${rule.broken(quote, dialect)} ${order}`, parameters: [] }
  if (rule._tag === "Reference") {
    const { column } = rule.reference
    const isDangling = `${quote(column)} IS NOT NULL AND NOT EXISTS (${parentOf(rule.reference, quote(resource))})`
    return { text: `${select} WHERE ${isDangling} ${order}`, parameters: [] }
  }
  const unique = list([...Table.ownerColumns(rule.resource), ...rule.columns])
  const present = rule.columns.map((column) => `${quote(column)} IS NOT NULL`).join(" AND ")
  const repeated = `SELECT ${unique} FROM ${quote(resource)} WHERE ${present} GROUP BY ${unique} HAVING count(*) > 1`
  return { text: `${select} WHERE (${unique}) IN (${repeated}) ${order}`, parameters: [] }
}

/** Reads the rows of {@link offending}: one violation, or none. */
export const violation = ({ columns, name, resource }: Rule, rows: Rows): ReadonlyArray<Violation> =>
  rows.length === 0
    ? []
    : [
        {
          rule: name,
          resource: resource.resource,
          columns,
          count: Number(rows[0]?.[2]),
          rows: rows.map(([companyId, key]) => ({ companyId: String(companyId), key: String(key) }))
        }
      ]
