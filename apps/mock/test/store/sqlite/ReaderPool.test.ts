import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as fs from "node:fs"
import * as path from "node:path"
import type { Rows } from "../../../src/sql/Change.ts"
import type { Parameter, Statement } from "../../../src/sql/Statement.ts"
import * as AsyncConnection from "../../../src/store/sqlite/readers/AsyncConnection.ts"
import * as ReaderPool from "../../../src/store/sqlite/readers/ReaderPool.ts"
import * as SqliteDriver from "../../../src/store/sqlite/SqliteDriver.ts"
import { QueryStopped } from "../../../src/store/QueryStopped.ts"
import type { StoreUnavailable } from "../../../src/store/Store.ts"
import * as Measurement from "../../Measurement.ts"
import * as Wait from "../../Wait.ts"
import { scratch } from "../scratch.ts"

const statement = (text: string, ...parameters: ReadonlyArray<Parameter>): Statement => ({ text, parameters })

const one = statement("SELECT 1")

/** Counts to a number, 1 000 000 in about a tenth of a second. */
const slow = (count: number) =>
  statement("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT count(*) FROM n", count)

const endless = slow(1e12)

const [acme, other] = ["acme", "other"].map((companyId) => ({ companyId, keyId: "k" }))

const sleep = (millis: number) => Effect.promise(() => new Promise((resolve) => setTimeout(resolve, millis)))

const limits = { readers: 2, timeoutMillis: 60_000, memoryBytes: 256 * 1024 * 1024 }

/** A pool on a file, and the number of connections that it has opened. */
const setUp = (options: Partial<ReaderPool.Options> = {}) =>
  Effect.acquireRelease(
    Effect.map(scratch, (folder) => {
      const file = path.join(folder, "store.db")
      const driver = SqliteDriver.open(file)
      driver.script(`CREATE TABLE "t" ("id" TEXT); INSERT INTO "t" VALUES ('a')`)
      const opened = { count: 0 }
      const pool = ReaderPool.make({
        ...limits,
        connect: () => {
          opened.count += 1
          return AsyncConnection.open(file, { durable: true, isReadOnly: true, cacheKiB: 2048, threads: 4 })
        },
        ...options
      })
      return { folder, driver, opened, pool, query: (statement: Statement, by = acme!) => pool.query(statement, by) }
    }),
    ({ driver, pool }) =>
      Effect.promise(async () => {
        await pool.close()
        driver.close()
      })
  )

/** A connection whose queries are ended by the test. */
const manual = () => {
  const queries: Array<{ readonly resolve: (rows: Rows) => void; readonly reject: (error: unknown) => void }> = []
  const state = { interrupts: 0, closed: 0 }
  const connection: AsyncConnection.AsyncConnection = {
    script: () => Promise.resolve(),
    query: () => new Promise((resolve, reject) => queries.push({ resolve, reject })),
    interrupt: () => void (state.interrupts += 1),
    isWorn: () => false,
    close: () => {
      state.closed += 1
      return Promise.resolve()
    }
  }
  return { connection, queries, state }
}

const reasonOf = (exit: Exit.Exit<Rows, StoreUnavailable | QueryStopped>) => {
  const error = Exit.isFailure(exit) && exit.cause._tag === "Fail" ? exit.cause.error : undefined
  return error instanceof QueryStopped ? error.reason : error?.reason
}

describe("ReaderPool", () => {
  it.scopedLive("leaves the event loop free during a query of two seconds, whatever ran before it", () =>
    Effect.gen(function* () {
      const { query } = yield* setUp()
      // Statements and rows for the garbage collector.
      for (let number = 0; number < 200; number++) yield* query(statement(`SELECT ${number}, ?`, "x"))
      const longestGap = Effect.gen(function* () {
        let longest = 0
        let last = performance.now()
        let garbage: ReadonlyArray<unknown> = []
        const timer = setInterval(() => {
          const now = performance.now()
          longest = Math.max(longest, now - last)
          last = now
          garbage = Array.from({ length: 2000 }, (_, index) => ({ index }))
        }, 1)
        const { millis, result } = yield* Measurement.timed(Effect.exit(Effect.timeout(query(endless), 2000)))
        clearInterval(timer)
        assert.isTrue(Exit.isFailure(result))
        assert.isNotEmpty(garbage)
        assert.isAbove(millis, 1900)
        return longest
      })
      // About 5 ms on an idle machine; a query on the event loop would block it for two seconds.
      yield* Measurement.isBelow(500, longestGap)
    })
  )

  it.scopedLive("reads committed rows, writes none, and opens a connection at the first query", () =>
    Effect.gen(function* () {
      const { driver, opened, query } = yield* setUp()
      assert.strictEqual(opened.count, 0)
      const ids = statement(`SELECT group_concat("id") FROM "t"`)
      assert.deepStrictEqual(yield* query(ids), [["a"]])
      driver.script(`INSERT INTO "t" VALUES ('b')`)
      driver.script(`BEGIN; INSERT INTO "t" VALUES ('never')`)
      assert.deepStrictEqual(yield* query(ids), [["a,b"]])
      driver.script("ROLLBACK")
      const written = yield* Effect.exit(query(statement(`INSERT INTO "t" VALUES ('c') RETURNING "id"`)))
      assert.isTrue(Exit.isFailure(written))
      assert.deepStrictEqual(yield* query(ids), [["a,b"]])
    })
  )

  it.scopedLive("interrupts a query at the timeout, and uses its connection again", () =>
    Effect.gen(function* () {
      const { opened, pool, query } = yield* setUp({ timeoutMillis: 200, readers: 1 })
      const both = Effect.all(
        [endless, endless].map((slow) => Effect.exit(query(slow))),
        { concurrency: "unbounded" }
      )
      const { millis, result } = yield* Measurement.timed(both)
      const [first, second] = result
      assert.deepStrictEqual(reasonOf(first!), { _tag: "Timeout", phase: "running", millis: 200 })
      assert.deepStrictEqual(reasonOf(second!), { _tag: "Timeout", phase: "waiting", millis: 200 })
      assert.deepStrictEqual(yield* query(one), [[1]])
      assert.strictEqual(opened.count, 1)
      assert.deepInclude(pool.counts(), { started: 2, waiting: 0 })
      assert.deepInclude(pool.counts().stopped, { timeout: 2, hangup: 0 })
      return millis
    }).pipe(Effect.scoped, (millis) => Measurement.isBelow(600, millis))
  )

  it.scopedLive("ends the query of a caller that hangs up within 100 ms", () =>
    Effect.gen(function* () {
      const { opened, pool, query } = yield* setUp({ readers: 1 })
      const running = yield* Effect.fork(query(endless))
      const waiting = yield* Effect.fork(query(endless))
      yield* sleep(100)
      assert.strictEqual(pool.counts().waiting, 1)
      const next = Effect.zipRight(Fiber.interrupt(waiting), Effect.zipRight(Fiber.interrupt(running), query(one)))
      const { millis, result } = yield* Measurement.timed(next)
      assert.deepStrictEqual(result, [[1]])
      assert.strictEqual(opened.count, 1)
      assert.deepInclude(pool.counts().stopped, { hangup: 2, timeout: 0 })
      return millis
    }).pipe(Effect.scoped, (millis) => Measurement.isBelow(100, millis))
  )

  it.scopedLive(
    "responds in time when a query does not end, and keeps its connection until it does",
    () =>
      Effect.gen(function* () {
        const { connection, queries, state } = manual()
        const { query } = yield* setUp({ readers: 1, timeoutMillis: 500, connect: () => Promise.resolve(connection) })
        const { millis, result } = yield* Measurement.timed(Effect.flip(query(one)))
        assert.strictEqual(result._tag, "QueryStopped")
        assert.isBelow(millis, 1000)
        const next = yield* Effect.fork(query(one))
        yield* Wait.untilTrue(() => state.interrupts > 1)
        assert.lengthOf(queries, 1)
        queries[0]!.resolve([["too late"]])
        yield* sleep(10)
        const interrupts = state.interrupts
        queries[1]!.resolve([["next"]])
        assert.deepStrictEqual(yield* Fiber.join(next), [["next"]])
        yield* sleep(50)
        assert.strictEqual(state.interrupts, interrupts)
      }),
    Measurement.retried
  )

  it.scopedLive("replaces a connection that fails, and reports its query as unavailable", () =>
    Effect.gen(function* () {
      const failures = [
        [new Error("panicked"), "ConnectionLost"],
        [new SqliteDriver.SqliteError({ code: "SQLITE_IOERR_READ", message: "disk I/O error" }), "ConnectionLost"],
        [new SqliteDriver.SqliteError({ code: "SQLITE_NOMEM", message: "out of memory" }), "OutOfMemory"]
      ] as const
      const connections: Array<ReturnType<typeof manual>> = []
      const { query } = yield* setUp({
        readers: 1,
        connect: () => {
          const made = manual()
          connections.push(made)
          return Promise.resolve(made.connection)
        }
      })
      for (const [index, [failure, reason]] of failures.entries()) {
        const failed = yield* Effect.fork(Effect.flip(query(one)))
        yield* Wait.untilTrue(() => connections[index]?.queries.length === 1)
        connections[index]!.queries[0]!.reject(failure)
        assert.deepInclude(yield* Fiber.join(failed), { _tag: "StoreUnavailable", reason })
        assert.strictEqual(connections[index]!.state.closed, 1)
      }
      const next = yield* Effect.fork(query(one))
      yield* Wait.untilTrue(() => connections[3]?.queries.length === 1)
      connections[3]!.queries[0]!.resolve([[1]])
      assert.deepStrictEqual(yield* Fiber.join(next), [[1]])
    })
  )

  it.scopedLive("reports a connection that cannot be opened, and tries again", () =>
    Effect.gen(function* () {
      let isFailing = true
      const { connection, queries } = manual()
      const { query } = yield* setUp({
        connect: () => (isFailing ? Promise.reject(new Error("EMFILE")) : Promise.resolve(connection))
      })
      assert.deepInclude(yield* Effect.flip(query(one)), { _tag: "StoreUnavailable", reason: "ConnectionLost" })
      isFailing = false
      const next = yield* Effect.fork(query(one))
      yield* Wait.untilTrue(() => queries.length === 1)
      queries[0]!.resolve([[1]])
      assert.deepStrictEqual(yield* Fiber.join(next), [[1]])
    })
  )

  it.scopedLive("ends a query that needs too much memory, and uses its connection again", () =>
    Effect.gen(function* () {
      const memoryBytes = 64 * 1024 * 1024
      const { opened, pool, query } = yield* setUp({ memoryBytes })
      const large = statement(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400000)
          SELECT length(group_concat(hex(zeroblob(500)))) FROM n`
      )
      const before = process.memoryUsage.rss()
      assert.deepStrictEqual(reasonOf(yield* Effect.exit(query(large))), { _tag: "Memory", bytes: memoryBytes })
      assert.isBelow(process.memoryUsage.rss() - before, 4 * memoryBytes)
      assert.deepStrictEqual(yield* query(one), [[1]])
      assert.strictEqual(opened.count, 1)
      assert.strictEqual(pool.counts().stopped.memory, 1)
    })
  )

  it.scopedLive("lets another company pass while one takes its share, and refuses what finds no place", () =>
    Effect.gen(function* () {
      const { pool, query } = yield* setUp()
      const fibers = yield* Effect.forEach(Array.from({ length: 129 }), () => Effect.fork(query(endless)))
      yield* sleep(50)
      assert.deepStrictEqual(yield* query(one, other), [[1]])
      const refused = yield* Effect.flip(query(one))
      assert.deepStrictEqual(reasonOf(Exit.fail(refused)), {
        _tag: "QueueFull",
        places: 128,
        retryAfterSeconds: 1
      })
      assert.deepInclude(pool.counts(), { waiting: 128 })
      yield* Fiber.interruptAll(fibers)
      assert.deepStrictEqual(yield* query(one), [[1]])
      assert.deepInclude(pool.counts().stopped, { queue: 1, hangup: 129 })
    })
  )

  it.scopedLive("starts no query while it is paused", () =>
    Effect.gen(function* () {
      const { pool, query } = yield* setUp()
      const running = yield* Effect.fork(query(slow(1_000_000)))
      yield* sleep(10)
      const resume = yield* Effect.promise(pool.pause)
      assert.deepStrictEqual(yield* Fiber.join(running), [[1_000_000]])
      const held = yield* Effect.fork(query(one))
      yield* sleep(30)
      assert.strictEqual(pool.counts().waiting, 1)
      resume()
      assert.deepStrictEqual(yield* Fiber.join(held), [[1]])
    })
  )

  it.scopedLive("ends its queries when it closes, and releases the file", () =>
    Effect.gen(function* () {
      const { driver, folder, pool, query } = yield* setUp({ readers: 1 })
      const fibers = yield* Effect.forEach([endless, endless], (slow) => Effect.fork(Effect.flip(query(slow))))
      yield* sleep(50)
      yield* Effect.promise(pool.close)
      for (const fiber of fibers) assert.deepInclude(yield* Fiber.join(fiber), { reason: "Closed" })
      assert.deepInclude(yield* Effect.flip(query(one)), { reason: "Closed" })
      driver.close()
      assert.deepStrictEqual(fs.readdirSync(folder), ["store.db"])
    })
  )
})
