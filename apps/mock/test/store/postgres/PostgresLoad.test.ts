/** Tests that the requests of one company, or for one table, leave those of others fast. */
import * as PostgresServer from "@mfgdata/testing-postgres/vitest"
import * as Schema from "@mfgdata/testing-postgres/Schema"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Instance from "../../../src/service/Instance.ts"
import * as Settings from "../../../src/Settings.ts"
import type { QueryStopped } from "../../../src/store/QueryStopped.ts"
import * as PostgresStore from "../../../src/store/postgres/PostgresStore.ts"
import { Store } from "../../../src/store/Store.ts"
import * as Measurement from "../../Measurement.ts"
import * as Wait from "../../Wait.ts"
import * as Postgres from "../../postgres/schema.ts"
import { swallowing } from "./proxy.ts"
import { newWebhook } from "../../webhooks/newWebhook.ts"

const key = "mfg_postgres_load_key"

const instance = (
  store: Settings.StoreAddress,
  { statementTimeout = 5000, write = (_line: string): void => {} } = {}
) =>
  Instance.make({
    settings: { ...Settings.defaults, store, seed: { _tag: "Empty" }, apiKey: key, statementTimeout, log: "info" },
    write
  })

const request = (method: string, target: string, body?: unknown) => ({
  method,
  target,
  headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
  body: body === undefined ? "" : JSON.stringify(body)
})

const holiday = { name: "Founding day", date: "2027-05-01", companyId: "demo" }

const consumer = { companyId: "hostile", keyId: "k" }

/** A query that the server runs for some seconds. */
const slow = (seconds: number) => ({ text: `SELECT pg_sleep(${seconds})::text`, parameters: [] })

/** A store with limits of its own. */
const opened = (address: { readonly url: string; readonly connections: number }, timeoutMillis: number) =>
  Effect.map(
    Layer.build(PostgresStore.layer({ ...address, name: "here", ruleSet: "contract", isPooled: false, timeoutMillis })),
    Context.get(Store)
  )

const pause = (millis: number) => Effect.promise(() => new Promise((done) => setTimeout(done, millis)))

/** The number of statements that the server runs for a schema's store, and that sleep. */
const sleeping = (url: string) =>
  Effect.map(
    Schema.run(url, `SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT pg_sleep(7%'`),
    ([row]) => Number(row?.[0])
  )

/** Longer than the 100 ms that an idle machine meets: the tests share theirs. */
const shortMillis = 1500

describe("PostgresStore under load", () => {
  it.scopedLive(
    "answers a small read and a small write while another company sends twelve slow queries",
    () =>
      Effect.gen(function* () {
        const address = yield* Postgres.fresh
        const { service, world } = yield* instance({ ...address, connections: 10 })
        yield* service.handle(request("POST", "/rest/holiday", holiday))
        const queries = yield* Effect.forkAll(
          Array.from({ length: 12 }, () => Effect.exit(world.store.query(slow(2), consumer)))
        )
        yield* pause(100)
        for (let count = 0; count < 10; count++) {
          const read = yield* Measurement.timed(service.handle(request("GET", "/rest/holiday?limit=1")))
          const write = yield* Measurement.timed(service.handle(request("POST", "/rest/holiday", holiday)))
          assert.deepStrictEqual([read.result.status, write.result.status], [200, 201])
          assert.isBelow(Math.max(read.millis, write.millis), shortMillis)
        }
        const other = yield* Measurement.timed(world.store.query(slow(0), { companyId: "other", keyId: "k" }))
        assert.isBelow(other.millis, shortMillis)
        const ends = yield* Fiber.join(queries)
        const late = ends.filter(Exit.isFailure)
        assert.isAbove(late.length, 0)
        assert.isAbove(ends.length, late.length)
      }),
    Measurement.retried
  )

  it.scopedLive(
    "leaves a connection to others while one company sends changes of many rows",
    () =>
      Effect.gen(function* () {
        const address = yield* Postgres.fresh
        const { service, world } = yield* instance({ ...address, connections: 6 })
        const heavy = { steps: [{ _tag: "Run", statement: slow(1), returns: 1 }], isFinal: true } as const
        const changes = yield* Effect.forkAll(
          Array.from({ length: 12 }, () =>
            Effect.exit(world.store.change({ ...heavy, companyId: "hostile", resolve: () => Either.void }))
          )
        )
        yield* pause(100)
        for (let count = 0; count < 5; count++) {
          const write = yield* Measurement.timed(service.handle(request("POST", "/rest/holiday", holiday)))
          assert.strictEqual(write.result.status, 201)
          assert.isBelow(write.millis, shortMillis)
        }
        yield* Fiber.interrupt(changes)
      }),
    Measurement.retried
  )

  it.scopedLive("ends a query on the server when its caller is interrupted", () =>
    Effect.gen(function* () {
      const address = yield* Postgres.fresh
      const store = yield* opened({ ...address, connections: 3 }, 60_000)
      const running = yield* Effect.fork(store.query(slow(70), consumer))
      const waiting = yield* Effect.fork(store.query(slow(70), consumer))
      yield* Wait.until(sleeping(address.url), (count) => count === 1)
      yield* Fiber.interrupt(waiting)
      yield* Fiber.interrupt(running)
      yield* Wait.until(sleeping(address.url), (count) => count === 0)
      // The connection is free again.
      assert.deepStrictEqual(yield* store.query({ text: "SELECT 1", parameters: [] }, consumer), [[1]])
    })
  )

  it.scopedLive(
    "stops a query at the statement timeout, and one that waits for its turn",
    () =>
      Effect.gen(function* () {
        const address = yield* Postgres.fresh
        const store = yield* opened({ ...address, connections: 3 }, 2000)
        const reasons = yield* Effect.all(
          [1, 2].map(() => Effect.flip(store.query(slow(70), consumer))),
          { concurrency: "unbounded" }
        )
        const stopped = reasons.filter((error): error is QueryStopped => error._tag === "QueryStopped")
        assert.sameDeepMembers(
          stopped.map(({ reason }) => reason),
          [
            { _tag: "Timeout", phase: "running", millis: 2000 },
            { _tag: "Timeout", phase: "waiting", millis: 2000 }
          ]
        )
        yield* Wait.until(sleeping(address.url), (count) => count === 0)
      }),
    Measurement.retried
  )

  it.scopedLive(
    "answers reads of other tables, and is ready, while a table is locked",
    () =>
      Effect.gen(function* () {
        const address = yield* Postgres.fresh
        const { service } = yield* instance({ ...address, connections: 5 }, { statementTimeout: 3000 })
        const schema = String(new URL(address.url).searchParams.get("search_path"))
        const lock = `BEGIN; LOCK TABLE "${schema}"."holiday"; SELECT pg_sleep(70); ROLLBACK`
        const locked = yield* Effect.fork(Effect.exit(Effect.sandbox(Schema.run(address.url, lock))))
        const held = `FROM pg_locks WHERE granted AND mode = 'AccessExclusiveLock' AND relation::regclass::text = 'holiday'`
        const locks = Schema.run(address.url, `SELECT count(*) ${held}`)
        yield* Wait.until(locks, ([row]) => Number(row?.[0]) === 1)
        const reads = yield* Effect.forkAll(
          Array.from({ length: 40 }, (_, index) => service.handle(request("GET", `/rest/holiday?limit=${index + 1}`)))
        )
        yield* pause(100)
        for (let count = 0; count < 5; count++) {
          const read = yield* Measurement.timed(service.handle(request("GET", "/rest/kanban?limit=1")))
          const ready = yield* Measurement.timed(service.handle(request("GET", "/health/ready")))
          assert.deepStrictEqual([read.result.status, ready.result.status], [200, 200])
          assert.isBelow(Math.max(read.millis, ready.millis), shortMillis)
        }
        for (const { body, status } of yield* Fiber.join(reads)) {
          assert.strictEqual(status, 504, String(body))
          assert.propertyVal(JSON.parse(String(body)), "code", "57014")
        }
        assert.isNull(locked.unsafePoll())
        yield* Schema.run(address.url, `SELECT pg_cancel_backend(pid) ${held}`)
        yield* Fiber.join(locked)
      }),
    Measurement.retried
  )

  it.scopedLive(
    "answers a company while small reads of the same table, of another one, wait",
    () =>
      Effect.gen(function* () {
        const address = yield* Postgres.fresh
        const store = yield* opened({ ...address, connections: 10 }, 5000)
        const read = { text: `SELECT pg_sleep(0.004)::text FROM (SELECT 1) AS "one"`, parameters: [] }
        const many = yield* Effect.forkAll(
          Array.from({ length: 3000 }, () => Effect.exit(store.read(read, consumer.companyId)))
        )
        yield* pause(100)
        const { millis, result } = yield* Measurement.timed(store.read(read, "other"))
        assert.lengthOf(result, 1)
        assert.isBelow(millis, shortMillis)
        yield* Fiber.interrupt(many)
      }),
    Measurement.retried
  )

  it.scopedLive("refuses the small reads and writes of a company above the maximum, and no others", () =>
    Effect.gen(function* () {
      const address = yield* Postgres.fresh
      const store = yield* opened({ ...address, connections: 10 }, 60_000)
      const one = { text: "SELECT 1", parameters: [] }
      const read = (companyId: string) => store.read(one, companyId)
      const write = (companyId: string) =>
        store.change({
          companyId,
          steps: [{ _tag: "Run", statement: one, returns: 1 }],
          isFinal: true,
          resolve: Either.right
        })
      for (const run of [read, write] as ReadonlyArray<
        (companyId: string) => Effect.Effect<unknown, { readonly _tag: string; readonly reason?: unknown }>
      >) {
        const many = yield* Effect.forkAll(
          Array.from({ length: 4100 }, () => Effect.either(run(consumer.companyId))),
          { discard: false }
        )
        yield* Effect.yieldNow()
        yield* run("other")
        const refused = (yield* Fiber.join(many)).filter(Either.isLeft)
        assert.lengthOf(refused, 4)
        for (const { left } of refused) assert.propertyVal(left, "reason", "Overloaded")
        yield* run(consumer.companyId)
      }
    })
  )

  it.scopedLive.each([1, 4, 16])(
    "refuses nothing when the server grants fewer connections than the maximum (%s in flight)",
    (concurrency) =>
      Effect.gen(function* () {
        const address = yield* Postgres.fresh
        const server = yield* PostgresServer.url
        const role = `few_${concurrency}_${process.pid}`
        yield* Schema.run(
          server,
          `CREATE ROLE ${role} LOGIN PASSWORD 'few' CONNECTION LIMIT 3;
          GRANT CREATE ON DATABASE ${new URL(server).pathname.slice(1)} TO ${role}`
        )
        yield* Effect.addFinalizer(() => Schema.run(server, `DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`))
        const url = new URL(address.url)
        url.username = role
        url.password = "few"
        const lines: Array<string> = []
        const { service } = yield* instance(
          { ...address, url: url.href, connections: 10 },
          { write: (line) => lines.push(line) }
        )
        const statuses = yield* Effect.all(
          Array.from({ length: 200 }, () =>
            Effect.map(service.handle(request("POST", "/rest/holiday", holiday)), ({ status }) => status)
          ),
          { concurrency }
        )
        assert.deepStrictEqual([...new Set(statuses)], [201])
        // The first connections of all classes are opened in turn, and the fourth is refused: one line for each change.
        const warnings = lines.filter((line) => line.includes("cannot be opened: 53300"))
        const recoveries = lines.filter((line) => line.includes("accepts connections again"))
        assert.isAtLeast(warnings.length, 1)
        assert.include([recoveries.length, recoveries.length + 1], warnings.length, lines.join("\n"))
        assert.include(warnings[0], "max_connections")
        const { body } = yield* service.monitoring.handle(request("GET", "/metrics"))
        assert.match(String(body), /mfg_mock_connection_failures_total [1-9]/)
        assert.match(String(body), /mfg_mock_connections_waiting\{class="writes"\} 0/)
        const open = [...String(body).matchAll(/mfg_mock_connections_open\{class="\w+"\} (\d)/g)]
        assert.isAtMost(
          open.reduce((sum, [, count]) => sum + Number(count), 0),
          3
        )
      })
  )

  it.scopedLive.each([5000, 60_000])("closes within ten seconds when the server has fallen silent (%s ms)", (millis) =>
    Effect.gen(function* () {
      const address = yield* Postgres.fresh
      const way = yield* swallowing(address.url)
      const scope = yield* Scope.make()
      const { service } = yield* instance({ ...address, url: way.url }, { statementTimeout: millis }).pipe(
        Scope.extend(scope)
      )
      assert.propertyVal(yield* service.handle(request("POST", "/rest/holiday", holiday)), "status", 201)
      way.swallow()
      yield* Effect.fork(service.handle(request("POST", "/rest/holiday", holiday)))
      yield* pause(50)
      const closing = yield* Measurement.timed(Scope.close(scope, Exit.void))
      assert.isBelow(closing.millis, 10_000)
    })
  )

  it.scopedLive("keeps a connection when an attempt at another host fails after it was opened", () =>
    Effect.gen(function* () {
      const address = yield* Postgres.fresh
      const way = yield* swallowing(address.url)
      const url = way.url.replace(/@[^/]+/, (hosts) => `${hosts},${new URL(address.url).host}`)
      const store = yield* opened({ ...address, url, connections: 3 }, 5000)
      const session = store.read({ text: "SELECT pg_backend_pid()", parameters: [] })
      yield* session
      // The first host falls silent, so the second one is used.
      way.swallow()
      way.cut()
      const first = yield* Wait.until(Effect.option(session), Option.isSome)
      // The attempts at the first host end.
      yield* pause(6000)
      assert.deepStrictEqual(yield* Effect.option(session), first)
    })
  )

  it.scopedLive("writes the event of a webhook that another instance has created at that moment", () =>
    Effect.gen(function* () {
      const address = yield* Postgres.fresh
      const [one, other] = yield* Effect.all([instance(address), instance(address)])
      // The first instance has seen no webhook of the table.
      yield* one.service.handle(request("POST", "/rest/holiday", holiday))
      const events = Effect.map(
        one.world.store.read({ text: `SELECT count(*) FROM "_delivery"`, parameters: [] }),
        ([row]) => row?.[0]
      )
      assert.strictEqual(yield* events, 0)
      const created = yield* other.service.handle(request("POST", "/rest/webhook", newWebhook({})))
      assert.strictEqual(created.status, 201, String(created.body))
      const rows = [holiday, { ...holiday, name: "Second day" }]
      for (const body of [holiday, rows]) {
        assert.propertyVal(yield* one.service.handle(request("POST", "/rest/holiday", body)), "status", 201)
      }
      assert.strictEqual(yield* events, 3)
    })
  )
})
