import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as PostgresDriver from "../../../src/store/postgres/PostgresDriver.ts"
import { PostgresError } from "../../../src/store/postgres/connection/PostgresError.ts"
import { QueryStopped } from "../../../src/store/QueryStopped.ts"
import type { Rows } from "../../../src/sql/Change.ts"
import type { Statement } from "../../../src/sql/Statement.ts"
import * as Postgres from "../../postgres/schema.ts"
import * as Measurement from "../../Measurement.ts"
import { swallowing } from "./proxy.ts"

/** A driver whose statements and transactions have a connection alone, and a deadline. */
const opened = (options: PostgresDriver.Options) => {
  const { close, execute, readOnce, transaction } = PostgresDriver.open(options)
  const use = () => ({
    class: "writes" as const,
    group: "",
    isExclusive: true,
    deadline: performance.now() + options.statementMillis,
    companyId: undefined
  })
  return {
    close,
    read: readOnce,
    execute: (statement: Statement) =>
      new Promise<Rows>((resolve, reject) => execute(statement, use(), resolve, reject)),
    transaction: <A, E>(body: (connection: PostgresDriver.Connection) => Promise<Either.Either<A, E>>) =>
      transaction(body, { use: use() })
  }
}

const one = { text: "SELECT 1", parameters: [] }

describe("PostgresDriver", () => {
  it.scopedLive("returns the rows of a statement after one that failed when it had sent rows", () =>
    Effect.gen(function* () {
      const { url } = yield* Postgres.fresh
      const { close, execute } = opened({ url, connections: 3, statementMillis: 5000, responseMillis: 10_000 })
      yield* Effect.addFinalizer(() => Effect.promise(() => close(0)))
      const failing = { text: "SELECT 1 / (3 - n) FROM generate_series(1, 5) AS n", parameters: [] }
      const three = { text: "SELECT n FROM generate_series(1, 3) AS n", parameters: [] }
      // Statements alone take turns on the one connection for them.
      for (const statement of [one, three]) {
        const failure = yield* Effect.promise(() => execute(failing).catch((error: unknown) => error))
        assert.propertyVal(failure, "code", "22012")
        const rows = yield* Effect.promise(() => execute(statement))
        assert.deepStrictEqual(Array.from(rows), statement === one ? [[1]] : [[1], [2], [3]])
      }
    })
  )

  it.scopedLive(
    "rejects a query at its deadline without a response, and keeps its connection until the end",
    () =>
      Effect.gen(function* () {
        const way = yield* swallowing((yield* Postgres.fresh).url)
        const options = { connections: 5, statementMillis: 400, responseMillis: 1500 }
        const driver = PostgresDriver.open({ url: way.url, ...options })
        yield* Effect.addFinalizer(() => Effect.promise(() => driver.close(0)))
        const query = () => {
          let ended: number | undefined
          const begin = performance.now()
          const outcome = new Promise((resolve) => {
            const consumer = { companyId: "one", keyId: "one" }
            const deadline = begin + options.statementMillis
            driver.query(one, { consumer, deadline }, resolve, resolve, () => (ended = performance.now() - begin))
          })
          return Effect.map(
            Effect.promise(() => outcome),
            (outcome) => ({ outcome, millis: performance.now() - begin, ended: () => ended })
          )
        }
        const first = yield* query()
        assert.deepStrictEqual(first.outcome, [[1]])
        assert.isDefined(first.ended())
        way.lose()
        const lost = yield* query()
        assert.deepInclude(lost.outcome, {
          _tag: "QueryStopped",
          reason: { _tag: "Timeout", phase: "running", millis: 400 }
        })
        assert.isBelow(lost.millis, 1200)
        assert.isUndefined(lost.ended())
        assert.strictEqual(driver.usage().classes.queries.inUse, 1)
        while (lost.ended() === undefined) yield* Effect.sleep(20)
        assert.isAtLeast(lost.ended() ?? 0, 1500)
        assert.deepStrictEqual((yield* query()).outcome, [[1]])
      }),
    Measurement.retried
  )

  it.scopedLive(
    "fails a statement whose response is lost, and closes without it",
    () =>
      Effect.gen(function* () {
        const { url } = yield* Postgres.fresh
        const way = yield* swallowing(url)
        const { close, execute, transaction } = opened({
          url: way.url,
          connections: 3,
          statementMillis: 200,
          responseMillis: 400
        })
        assert.deepStrictEqual(yield* Effect.promise(() => execute(one)), [[1]])
        const during = transaction(async (connection) => {
          await connection.execute(one)
          way.swallow()
          await connection.execute(one)
          return Either.void
        })
        const errors = yield* Effect.promise(async () => {
          const first = await Promise.allSettled([during])
          return [...first, ...(await Promise.allSettled([execute(one), transaction(async () => Either.void)]))]
        })
        for (const error of errors) {
          assert(error.status === "rejected")
          // The others wait for a connection, which cannot be opened.
          if (error.reason instanceof QueryStopped) assert.propertyVal(error.reason.reason, "phase", "waiting")
          else assert(error.reason instanceof PostgresError && error.reason.isLost)
        }
        assert.propertyVal(errors[0]?.status === "rejected" ? errors[0].reason : undefined, "code", "ETIMEDOUT")
        const begin = performance.now()
        yield* Effect.promise(() => close(30_000))
        assert.isBelow(performance.now() - begin, 10_000)
      }),
    Measurement.retried
  )

  it.scopedLive.each([false, true])(
    "opens another connection in place of one whose responses are lost (TLS: %s)",
    (isSecure) =>
      Effect.gen(function* () {
        const { url } = yield* Postgres.fresh
        const way = yield* swallowing(url, isSecure)
        const { close, execute, transaction } = opened({
          url: way.url,
          connections: 3,
          statementMillis: 200,
          responseMillis: 400
        })
        const works = () => execute(one).then(([row]) => row)
        const inTransaction = () =>
          transaction(async (connection) => {
            await connection.execute(one)
            way.lose()
            await connection.execute(one)
            return Either.void
          })
        for (const losing of [works, inTransaction]) {
          assert.deepStrictEqual(yield* Effect.promise(works), [1])
          way.lose()
          const lost = yield* Effect.promise(() => Promise.allSettled([losing(), works(), works()]))
          assert.isTrue(lost.every(({ status }) => status === "rejected"))
          // Statements that are sent while the connection is being closed fail with it.
          yield* Effect.promise(() => works().catch(() => undefined))
          const found = yield* Effect.promise(() => Promise.all([works(), works(), works()]))
          assert.deepStrictEqual(found, [[1], [1], [1]])
        }
        yield* Effect.promise(() => close(30_000))
      }),
    Measurement.retried
  )

  it.scopedLive("recovers after its connections were closed in transactions", () =>
    Effect.gen(function* () {
      const { url } = yield* Postgres.fresh
      const way = yield* swallowing(url)
      const { close, execute, read, transaction } = opened({
        url: way.url,
        connections: 3,
        statementMillis: 30_000,
        responseMillis: 35_000
      })
      const asking = transaction(async (connection) => {
        await connection.execute(one)
        setImmediate(way.cut)
        await connection.execute({ text: "SELECT 1 FROM pg_sleep(10)", parameters: [] })
        return Either.void
      })
      const lost = yield* Effect.promise(() => Promise.allSettled([asking]))
      const aside = transaction(async (connection) => {
        await connection.execute(one)
        await read(one)
        const other = read({ text: "SELECT 1 FROM pg_sleep(10)", parameters: [] })
        setImmediate(way.cut)
        await other.catch(() => undefined)
        await connection.execute(one)
        return Either.void
      })
      for (const error of [...lost, ...(yield* Effect.promise(() => Promise.allSettled([aside])))]) {
        assert(error.status === "rejected" && error.reason instanceof PostgresError)
        assert.isTrue(error.reason.isLost)
      }
      // Statements that are sent while the last connection is being closed fail with it.
      yield* Effect.promise(() => Promise.allSettled([execute(one), execute(one)]))
      const found = yield* Effect.promise(() => Promise.all([execute(one), execute(one), execute(one)]))
      assert.deepStrictEqual(found, [[[1]], [[1]], [[1]]])
      const whole = yield* Effect.promise(() =>
        transaction(async (connection) => Either.right(await connection.execute(one)))
      )
      assert.deepStrictEqual(whole, Either.right([[1]]))
      yield* Effect.promise(() => close(30_000))
    })
  )

  it.scopedLive("finishes its statements before it closes", () =>
    Effect.gen(function* () {
      const { url } = yield* Postgres.fresh
      const { close, execute } = opened({ url, connections: 3, statementMillis: 30_000, responseMillis: 35_000 })
      const asked = execute({ text: "SELECT 1 FROM pg_sleep(0.2)", parameters: [] })
      yield* Effect.promise(() => close(30_000))
      assert.deepStrictEqual(yield* Effect.promise(() => asked), [[1]])
    })
  )
})
