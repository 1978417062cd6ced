/** A queue of changes on a store in memory, and its clock and failures. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import type { Change } from "../../../src/sql/Change.ts"
import type { Parameter, Statement } from "../../../src/sql/Statement.ts"
import * as CommitQueue from "../../../src/store/sqlite/CommitQueue.ts"
import * as SqliteDriver from "../../../src/store/sqlite/SqliteDriver.ts"
import { StoreUnavailable } from "../../../src/store/Store.ts"

export const statement = (text: string, ...parameters: ReadonlyArray<Parameter>): Statement => ({ text, parameters })

export const insert = (id: string): Change<string, never> => ({
  steps: [{ _tag: "Run", statement: statement(`INSERT INTO "t" ("id") VALUES (?) RETURNING "id"`, id) }],
  resolve: ([rows]) => Either.right(String(rows?.[0]?.[0]))
})

/** A driver that records its statements, and can be made to fail. */
export const setUp = (limits?: Partial<CommitQueue.Limits>, log?: Parameters<typeof CommitQueue.make>[1]) => {
  const driver = SqliteDriver.open(":memory:")
  driver.script(`CREATE TABLE "t" ("id" TEXT PRIMARY KEY)`)
  const ran: Array<string> = []
  const failing = new Map<string, Error>()
  const run = (text: string) => {
    ran.push(text)
    const failure = failing.get(text)
    if (failure !== undefined) throw failure
  }
  const queue = CommitQueue.make(
    {
      inTransaction: driver.inTransaction,
      execute: (statement) => {
        run(statement.text)
        return driver.execute(statement)
      },
      script: (text) => {
        run(text)
        driver.script(text)
      }
    },
    log,
    // No commit ends early on a machine that is busy.
    { ...CommitQueue.limits, millis: Infinity, ...limits }
  )
  const ids = () => driver.execute(statement(`SELECT "id" FROM "t" ORDER BY "id"`)).map(([id]) => id)
  const begun = () => ran.filter((text) => text === "BEGIN IMMEDIATE").length
  return { driver, queue, failing, ids, begun }
}

export const full = new SqliteDriver.SqliteError({ code: "SQLITE_FULL", message: "database or disk is full" })

export const together = <A, E>(changes: ReadonlyArray<Effect.Effect<A, E>>) =>
  Effect.all(changes.map(Effect.exit), { concurrency: "unbounded" })

export const reasonOf = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.match(exit, {
    onSuccess: () => "success",
    onFailure: (cause) =>
      cause._tag === "Fail" && cause.error instanceof StoreUnavailable ? cause.error.reason : cause._tag
  })
