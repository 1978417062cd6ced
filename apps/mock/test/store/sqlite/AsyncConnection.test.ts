import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { createRequire } from "node:module"
import * as path from "node:path"
import * as AsyncConnection from "../../../src/store/sqlite/readers/AsyncConnection.ts"
import * as SqliteDriver from "../../../src/store/sqlite/SqliteDriver.ts"
import * as Measurement from "../../Measurement.ts"
import { scratch } from "../scratch.ts"

const setUp = Effect.map(scratch, (folder) => {
  const file = path.join(folder, "it's.db")
  const driver = SqliteDriver.open(file)
  driver.script(`CREATE TABLE "t" ("id" TEXT); INSERT INTO "t" VALUES ('a')`)
  const open = () => AsyncConnection.open(file, { durable: true, isReadOnly: true, cacheKiB: 2048, threads: 5 })
  return { folder, driver, open }
})

/** The longest time in milliseconds that a query blocks the event loop of a process, after this script. */
const blockedBy = (script: string) => {
  const libsql = JSON.stringify(createRequire(import.meta.url).resolve("libsql/promise"))
  const slow = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) SELECT count(*) FROM n`
  const { stdout } = spawnSync(process.execPath, [
    "--expose-gc",
    "-e",
    `(async () => {
      const db = new (require(${libsql}))(":memory:")
      const kept = []
      for (let i = 0; i < 100; i++) { const statement = await db.prepare("SELECT " + i); await statement.all([]); ${script} }
      const slow = await db.prepare("${slow}")
      const done = slow.all([])
      await new Promise((resolve) => setTimeout(resolve, 20))
      const begin = performance.now()
      gc()
      await new Promise((resolve) => setTimeout(resolve, 1))
      console.log(performance.now() - begin)
      await done
    })()`
  ])
  return Number(stdout)
}

/** The time in milliseconds that a small query takes while two others run for longer, on a number of threads. */
const preparedDuringQueries = (threads: number) => {
  const libsql = JSON.stringify(createRequire(import.meta.url).resolve("libsql/promise"))
  const { stdout } = spawnSync(process.execPath, [
    "-e",
    `(async () => {
      process.env.TOKIO_WORKER_THREADS = "${threads}"
      const Database = require(${libsql})
      const open = [1, 2].map(() => new Database(":memory:"))
      const slow = await Promise.all(open.map((db) => db.prepare("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")))
      const done = slow.map((statement) => statement.all([]).catch(() => undefined))
      await new Promise((resolve) => setTimeout(resolve, 50))
      setTimeout(() => open.forEach((db) => db.interrupt()), 1000)
      const begin = performance.now()
      const statement = await new Database(":memory:").prepare("SELECT 1")
      await statement.all([])
      console.log(performance.now() - begin)
      await Promise.all(done)
    })()`
  ])
  return Number(stdout)
}

describe("AsyncConnection", () => {
  it.effect("keeps its statements, because libsql blocks when they are collected during a query", () =>
    Measurement.isBelow(
      1 / 3,
      Effect.sync(() => blockedBy("kept.push(statement)") / blockedBy(""))
    )
  )

  it.scopedLive("sets the number of threads, because libsql has one for each core", () =>
    Effect.gen(function* () {
      const { open } = yield* setUp
      // Tests before this one may have set it.
      delete process.env["TOKIO_WORKER_THREADS"]
      yield* Effect.promise(open)
      assert.strictEqual(process.env["TOKIO_WORKER_THREADS"], "5")
      // The environment of a test is a copy, which the driver does not read.
      yield* Measurement.isBelow(
        1 / 3,
        Effect.sync(() => preparedDuringQueries(5) / preparedDuringQueries(2))
      )
    })
  )

  it.scopedLive("is worn when it keeps many statements or long ones", () =>
    Effect.gen(function* () {
      const { driver, open } = yield* setUp
      const connection = yield* Effect.promise(open)
      for (let number = 0; number < 300; number++)
        yield* Effect.promise(() => connection.query({ text: "SELECT 1", parameters: [] }))
      assert.isFalse(connection.isWorn())
      for (let number = 0; number < 256; number++)
        yield* Effect.promise(() => connection.query({ text: `SELECT ${number}`, parameters: [] }))
      assert.isTrue(connection.isWorn())
      yield* Effect.promise(connection.close)
      const next = yield* Effect.promise(open)
      const long = `SELECT '${"x".repeat(1024 * 1024)}'`
      yield* Effect.promise(() => next.query({ text: long, parameters: [] }))
      assert.isTrue(next.isWorn())
      yield* Effect.promise(next.close)
      driver.close()
    })
  )

  it.scopedLive("repeats a statement that has failed", () =>
    Effect.gen(function* () {
      const { driver, open } = yield* setUp
      yield* Effect.promise(async () => {
        const connection = await open()
        const parse = (json: string) => connection.query({ text: "SELECT json(?)", parameters: [json] })
        for (const _ of [1, 2]) {
          const error = await parse("{").catch((error: unknown) => error)
          assert.instanceOf(error, SqliteDriver.SqliteError)
          assert.deepStrictEqual(await parse("{ }"), [["{}"]])
        }
        await connection.close()
      })
      driver.close()
    })
  )

  it.scopedLive("releases the file with statements still prepared, and passes no boolean to libsql", () =>
    Effect.gen(function* () {
      const { driver, folder, open } = yield* setUp
      yield* Effect.promise(async () => {
        const connection = await open()
        await connection.query({ text: `SELECT "id" FROM "t"`, parameters: [] })
        // Types keep these out; the connection is the last that can.
        const wrong = connection.query({ text: "SELECT ?", parameters: [true as unknown as string] })
        assert.instanceOf(await wrong.catch((error: unknown) => error), TypeError)
        await connection.close()
      })
      driver.close()
      assert.deepStrictEqual(fs.readdirSync(folder), ["it's.db"])
    })
  )
})
