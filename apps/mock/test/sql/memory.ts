/** An embedded store in memory, and its rows. */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { Json } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as Either from "effect/Either"
import type { Rows, Step, StoreRefusal } from "../../src/sql/Change.ts"
import type { Condition } from "../../src/sql/read/Condition.ts"
import type { Target } from "../../src/sql/read/Target.ts"
import * as Column from "@mfgdata/domain/Column"
import * as Mutation from "../../src/sql/write/Mutation.ts"
import type { OwnedTable, Owner } from "../../src/sql/Owner.ts"
import * as SelectStatement from "../../src/sql/read/SelectStatement.ts"
import type { Selection } from "../../src/sql/read/Selection.ts"
import { dialect } from "../../src/sql/sqlite/SqliteDialect.ts"
import type { Statement } from "../../src/sql/Statement.ts"
import { fromError } from "../../src/store/sqlite/SqliteConstraint.ts"
import * as SqliteDriver from "../../src/store/sqlite/SqliteDriver.ts"
import * as SqliteMigrator from "../../src/store/sqlite/SqliteMigrator.ts"

export { dialect }

export const owner: Owner = { companyId: "acme", userId: "ann" }
export const stranger: Owner = { companyId: "evil", userId: "eve" }

export const whole: Selection = { _tag: "Document" }

export type Row = Mutation.NewRow

/** A value that satisfies a check of the public system. */
const checked = ({ rules }: Resource.Any, name: string): Json | undefined =>
  rules.checks.flatMap((check) => (check._tag === "OneOf" && check.column === name ? check.values : []))[0]

/** A row that is valid under every rule set, with text in its columns and the given values. */
export const rowOf = (resource: Resource.Any, values: { readonly [column: string]: Json } = {}): Row => {
  const plain: { readonly [T in Column.Type]: Json } = {
    text: "text",
    number: 0,
    boolean: false,
    date: "2026-01-31",
    timestamp: "2026-01-31T12:00:00Z",
    object: {},
    array: []
  }
  return Object.fromEntries(
    Column.fromResource(resource).map(({ name, nullable, type, vocabulary }) => [
      name,
      values[name] ??
        (nullable
          ? null
          : name === "companyId"
            ? owner.companyId
            : (vocabulary?.known[0] ?? checked(resource, name) ?? plain[type]))
    ])
  )
}

export interface Memory {
  readonly execute: (statement: Statement) => Rows
  /** Runs steps as one change: a refusal, or what the runs returned. */
  readonly change: (steps: ReadonlyArray<Step>) => ReadonlyArray<Rows> | StoreRefusal
  /** Runs a mutation that is not refused. */
  readonly write: (mutation: Mutation.Mutation) => ReadonlyArray<Mutation.Affected>
  readonly insert: (resource: Resource.Any, rows: ReadonlyArray<Row>, owner?: Owner) => void
  /** The matching rows, in order. */
  readonly list: (
    resource: Resource.Any,
    options?: Partial<SelectStatement.Page> & { readonly owner?: Owner }
  ) => ReadonlyArray<Row>
  /** The keys of the rows that match a condition. */
  readonly find: (resource: Resource.Any, ...where: ReadonlyArray<Condition>) => ReadonlyArray<Json | undefined>
  readonly clear: () => void
}

export const open = (ruleSet: RuleSet = "contract"): Memory => {
  const driver = SqliteDriver.open(":memory:")
  Either.getOrThrow(SqliteMigrator.migrate(driver, { store: ":memory:", ruleSet }))
  const { execute } = driver
  const change = (steps: ReadonlyArray<Step>) => {
    const results: Array<Rows> = []
    driver.script("BEGIN")
    try {
      for (const step of steps) {
        const rows = execute(step.statement)
        if (step._tag === "Run") results.push(rows)
      }
    } catch (error) {
      driver.script("ROLLBACK")
      const refusal = error instanceof SqliteDriver.SqliteError ? fromError(error) : undefined
      if (refusal === undefined) throw error
      return refusal
    }
    driver.script("COMMIT")
    return results
  }
  const write = ({ affected, steps }: Mutation.Mutation) => {
    const results = change(steps)
    if ("_tag" in results) throw new Error(`refused: ${JSON.stringify(results)}`)
    return affected(results)
  }
  const insert = (resource: Resource.Any, rows: ReadonlyArray<Row>, whose: Owner = owner) =>
    void write(Mutation.insert(dialect, { owned: { resource, owner: whose }, rows, revision: 1, selection: whole }))
  const list: Memory["list"] = (resource, { owner: whose = owner, ...options } = {}) => {
    const [row] = execute(
      SelectStatement.page(dialect, {
        owned: { resource, owner: whose },
        selection: whole,
        where: [],
        order: [],
        limit: undefined,
        offset: 0,
        counted: false,
        ...options
      })
    )
    return JSON.parse(String(row?.[0]))
  }
  return {
    execute,
    change,
    write,
    insert,
    list,
    find: (resource, ...where) => list(resource, { where }).map((row) => row[resource.key]),
    clear: () => {
      for (const { resource } of Catalogue.deletionOrder) driver.script(`DELETE FROM "${resource}"`)
    }
  }
}

/** A target from a column's name and the keys of a path; `->>` before the last one if `asText`. */
export const at = (
  resource: Resource.Any,
  name: string,
  keys: ReadonlyArray<string | number> = [],
  asText = false
): Target => {
  const column = Column.byName(resource).get(name)
  if (column === undefined) throw new Error(`${resource.resource} has no ${name}`)
  const json = keys.map((key, index) => ({
    arrow: asText && index === keys.length - 1 ? ("->>" as const) : ("->" as const),
    key
  }))
  return { column, json }
}

export const ownedBy = (owner: Owner, resource: Resource.Any): OwnedTable => ({ resource, owner })
