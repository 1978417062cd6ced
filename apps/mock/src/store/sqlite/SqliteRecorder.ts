/**
 * Records the history of an embedded store: temporary triggers on the writing connection keep each change of a row in the
 * transaction of the change. A connection without them pays nothing. The triggers of a table are created before its first
 * change, because those of all tables take 10 milliseconds and 2 megabytes of memory.
 */
import type { Change, Origin, Step } from "../../sql/Change.ts"
import * as PastRow from "../../sql/PastRow.ts"
import { micros } from "../../sql/ServiceColumn.ts"
import { dialect } from "../../sql/sqlite/SqliteDialect.ts"
import type { Statement } from "../../sql/Statement.ts"
import { list, quote } from "../RuleSet.ts"
import * as Recorder from "../Recorder.ts"
import * as StatementCache from "../StatementCache.ts"
import type * as SqliteDriver from "./SqliteDriver.ts"

type Driver = Pick<SqliteDriver.SqliteDriver, "execute" | "script">

/** The time and the request of the current change, one row; without it nothing is recorded. */
const origin = `temp."_origin"`
const originColumns = ["at", "requestId", "request", "apiKey", "userId"]

const withoutSecrets = (document: string, names: ReadonlyArray<string>): string =>
  `json_set(${document}, ${names.map((name) => `'$.${name}', json('null')`).join(", ")})`

/** The triggers of a resource. A change of a key is the deletion of one row and the creation of another. */
const triggers = (resource: (typeof Recorder.resources)[number]): ReadonlyArray<string> => {
  const table = quote(resource.resource)
  const key = quote(resource.key)
  const { columns, values } = Recorder.pastRow(dialect, resource, withoutSecrets)
  const change = (kind: Recorder.Kind) =>
    `INSERT INTO "_history" (${list(originColumns)}, ${Recorder.changeColumns})
      SELECT ${list(originColumns)}, ${Recorder.changeValues(resource, kind)} FROM "_origin";`
  const past = `INSERT INTO ${quote(PastRow.tableName(resource))} (${columns})
      SELECT last_insert_rowid(), ${values} FROM "_origin";`
  const trigger = (suffix: string, event: string, condition: string, body: string) =>
    `CREATE TEMP TRIGGER ${quote(`history_${resource.resource}_${suffix}`)} AFTER ${event} ON main.${table}
     ${condition} BEGIN ${body} END`
  const insert = trigger("insert", "INSERT", "", change("INSERT"))
  const remove = trigger("delete", "DELETE", "", change("DELETE") + past)
  if (resource.writes[resource.key] === undefined) {
    return [insert, remove, trigger("update", "UPDATE", "", change("UPDATE") + past)]
  }
  const isSame = `OLD.${key} IS NEW.${key}`
  const moved = change("DELETE") + past + change("INSERT")
  return [
    insert,
    remove,
    trigger("update", "UPDATE", `WHEN ${isSame}`, change("UPDATE") + past),
    trigger("rekey", `UPDATE OF ${key}`, `WHEN NOT (${isSame})`, moved)
  ]
}
/** Starts to record, from a time in microseconds on; a history that has not ended continues. */
export const begin = (driver: Driver, at: number): void => {
  driver.script(`CREATE TEMP TABLE "_origin" ("id" INTEGER PRIMARY KEY, ${list(originColumns)})`)
  span(driver, at)
}

/** Begins a span of the history, unless one has not ended. */
export const span = (driver: Driver, at: number): void =>
  void driver.execute({
    text: `INSERT INTO "_historySpan" ("id", "begins") VALUES (1, ?) ON CONFLICT ("id")
      DO UPDATE SET "begins" = excluded."begins", "ended" = NULL WHERE "ended" IS NOT NULL`,
    parameters: [at]
  })

/** Reports whether the history has begun and not ended. */
export const isOpen = (driver: Driver): boolean =>
  driver.execute({ text: `SELECT 1 FROM "_historySpan" WHERE "ended" IS NULL`, parameters: [] }).length > 0

/** Ends the span of the history: later changes are not recorded. */
export const end = (driver: Driver, at: number): void =>
  void driver.execute({
    text: `UPDATE "_historySpan" SET "ended" = ? WHERE "ended" IS NULL`,
    parameters: [at]
  })

/** Records nothing until the next change: a restore replaces the history itself. */
export const pause = (driver: Driver): void => driver.script(`DELETE FROM ${origin}`)

/** The tables that a statement changes. Those of the service begin with an underscore. */
const changed = /\b(?:INSERT INTO|UPDATE|DELETE FROM) "([a-z]\w*)"/gi

/** The maximum number of texts whose tables are kept. */
const capacity = 512

/** Records the changes of one connection. */
export interface SqliteRecorder {
  /** Prepares the tables of a change. No transaction is open: its end could remove the triggers. */
  readonly watch: (change: Pick<Change<never, never>, "steps">) => void
  /** The statement that sets the time and the request of a change, within its transaction. */
  readonly origin: (change: Pick<Change<never, never>, "origin">) => Statement
}

const setOrigin = `REPLACE INTO ${origin} ("id", ${list(originColumns)}) VALUES (1, ?, ?, ?, ?, ?)`

const valuesOf = (at: number, request: Origin | undefined): Statement["parameters"] =>
  request === undefined
    ? [at, null, null, null, null]
    : [at, request.requestId, request.request, request.apiKey, request.userId]

/** The recorder of a connection on which {@link begin} was called. */
export const make = (driver: Driver, { now }: Recorder.Options): SqliteRecorder => {
  const missing = new Map(Recorder.resources.map((resource) => [resource.resource, resource]))
  const tables = StatementCache.make(capacity, (text) => Array.from(text.matchAll(changed), ([, name = ""]) => name))
  const watchAll = (steps: ReadonlyArray<Step>) => {
    for (const step of steps) {
      for (const name of tables.get(step.statement.text)) {
        const resource = missing.get(name)
        if (resource === undefined) continue
        driver.script(triggers(resource).join(";\n"))
        missing.delete(name)
      }
    }
  }
  return {
    watch: ({ steps }) => {
      if (missing.size > 0) watchAll(steps)
    },
    origin: ({ origin }) => ({ text: setOrigin, isSingle: true, parameters: valuesOf(micros(now()), origin) })
  }
}
