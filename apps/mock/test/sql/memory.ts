/** An embedded database in memory with every resource's table, and rows in it. */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { Json } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import type { Rows, Step } from "../../src/sql/Change.ts"
import type { Condition } from "../../src/sql/read/Condition.ts"
import type { Target } from "../../src/sql/read/Target.ts"
import * as Column from "@mfgdata/domain/Column"
import * as Mutation from "../../src/sql/write/Mutation.ts"
import type { Owned, Owner } from "../../src/sql/Owner.ts"
import * as SelectStatement from "../../src/sql/read/SelectStatement.ts"
import type { Selection } from "../../src/sql/read/Selection.ts"
import { dialect } from "../../src/sql/sqlite/SqliteDialect.ts"
import type { Statement } from "../../src/sql/Statement.ts"
import * as Table from "../../src/sql/Table.ts"
import * as SqliteDriver from "../../src/store/sqlite/SqliteDriver.ts"

export { dialect }

export const owner: Owner = { companyId: "acme", userId: "ann" }
export const stranger: Owner = { companyId: "evil", userId: "eve" }

export const whole: Selection = { _tag: "Document" }

export type Row = Mutation.NewRow

/** A row with text in its columns and whatever is given. */
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
    Column.fromResource(resource).map(({ name, nullable, type }) => [
      name,
      values[name] ?? (nullable ? null : plain[type])
    ])
  )
}

export interface Memory {
  readonly execute: (statement: Statement) => Rows
  /** Runs steps as one change: a refusal, or what the runs returned. */
  readonly change: (steps: ReadonlyArray<Step>) => ReadonlyArray<Rows> | Step
  /** Writes a mutation that nothing refuses. */
  readonly write: (mutation: Mutation.Mutation) => ReadonlyArray<Mutation.Affected>
  readonly insert: (resource: Resource.Any, rows: ReadonlyArray<Row>, owner?: Owner) => void
  /** The whole rows that pass, in order. */
  readonly list: (
    resource: Resource.Any,
    options?: Partial<SelectStatement.Page> & { readonly owner?: Owner }
  ) => ReadonlyArray<Row>
  /** The keys of the rows that a condition passes. */
  readonly find: (resource: Resource.Any, ...where: ReadonlyArray<Condition>) => ReadonlyArray<Json | undefined>
  readonly clear: () => void
}

export const open = (): Memory => {
  const driver = SqliteDriver.open(":memory:")
  for (const resource of Catalogue.importOrder) {
    for (const text of Table.create(dialect, resource)) driver.execute({ text, parameters: [] })
  }
  const { execute } = driver
  const change = (steps: ReadonlyArray<Step>) => {
    const results: Array<Rows> = []
    driver.script("BEGIN")
    for (const step of steps) {
      const rows = execute(step.statement)
      if (step._tag === "Run") results.push(rows)
      else if (step._tag === "Guard" && rows.length > 0) {
        driver.script("ROLLBACK")
        return step
      }
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

/** A target by its column's name and the keys of a path; `->>` before the last one when `asText`. */
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

export const ownedBy = (owner: Owner, resource: Resource.Any): Owned => ({ resource, owner })
