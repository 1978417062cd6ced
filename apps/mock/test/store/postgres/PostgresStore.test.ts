import * as Catalogue from "@mfgdata/domain/Catalogue"
import { CompanyId } from "@mfgdata/domain/Ids"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Schema from "@mfgdata/testing-postgres/Schema"
import { assert, describe, it } from "@effect/vitest"
import * as LocalServer from "@mfgdata/testing-server"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import * as net from "node:net"
import * as path from "node:path"
import { demo } from "../../../src/seeds/demo/index.ts"
import * as Seeder from "../../../src/seeds/Seeder.ts"
import * as Instance from "../../../src/service/Instance.ts"
import * as Settings from "../../../src/Settings.ts"
import * as PostgresDialect from "../../../src/sql/postgres/PostgresDialect.ts"
import * as Table from "../../../src/sql/Table.ts"
import * as SqliteMigrator from "../../../src/store/sqlite/SqliteMigrator.ts"
import * as SqliteDriver from "../../../src/store/sqlite/SqliteDriver.ts"
import * as SqliteTables from "../../../src/store/sqlite/SqliteTables.ts"
import * as Postgres from "../../postgres/schema.ts"
import { scratch } from "../scratch.ts"
import * as Measurement from "../../Measurement.ts"
import * as Wait from "../../Wait.ts"

const key = "mfg_postgres_test_key"

const instance = (store: Settings.StoreAddress, seed: Settings.SeedName = { _tag: "Empty" }) =>
  Instance.make({ settings: { ...Settings.defaults, store, seed, apiKey: key }, write: () => undefined })

const request = (method: string, target: string, authorization = key, body?: unknown) => ({
  method,
  target,
  headers: { authorization: `Bearer ${authorization}`, "content-type": "application/json" },
  body: body === undefined ? "" : JSON.stringify(body)
})

const holiday = { name: "Founding day", date: "2027-05-01", companyId: "demo" }

/** The columns of a schema's tables with type and nullability, the constraints, and the indexes. */
const described = (url: string, schema: string) =>
  Effect.map(
    Schema.run(
      url,
      `SELECT format('%s.%s %s %s %s', table_name, column_name, data_type, collation_name, is_nullable)
      FROM information_schema.columns WHERE table_schema = '${schema}' AND (NOT starts_with(table_name, '_') OR starts_with(table_name, '_past_'))
      UNION ALL SELECT conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
      WHERE connamespace = '${schema}'::regnamespace AND NOT starts_with(conname, '_') AND contype <> 'n'
      UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = '${schema}' AND (NOT starts_with(tablename, '_') OR starts_with(tablename, '_past_'))`
    ),
    (rows) => rows.map(([text]) => String(text).replaceAll(`${schema}.`, "")).toSorted()
  )

describe("PostgresStore", () => {
  it.scopedLive("creates the tables that the catalogue describes", () =>
    Effect.gen(function* () {
      const address = yield* Postgres.fresh
      const other = yield* Postgres.fresh
      const [schema, twin] = [address, other].map(({ url }) => String(new URL(url).searchParams.get("search_path")))
      yield* Instance.open({ store: address, rules: "contract" })
      const statements = Catalogue.importOrder.flatMap((resource) => [
        ...Table.create(PostgresDialect.dialect, resource),
        Table.createPast(PostgresDialect.dialect, resource)
      ])
      yield* Schema.run(other.url, `CREATE SCHEMA "${twin}"; ${statements.join("; ")}`)
      assert.deepStrictEqual(yield* described(address.url, String(schema)), yield* described(other.url, String(twin)))
    })
  )

  it.scopedLive("has the tables and columns of the embedded store", () =>
    Effect.gen(function* () {
      const address = yield* Postgres.fresh
      const { store } = yield* Instance.open({ store: address, rules: "contract" })
      const embedded = SqliteDriver.open(":memory:")
      SqliteMigrator.migrate(embedded, { store: "here", ruleSet: "contract" })
      const columns = yield* store.read({
        text: `SELECT table_name || '.' || column_name FROM information_schema.columns
          WHERE table_schema = current_schema() AND table_name <> '_meta'`,
        parameters: []
      })
      assert.deepStrictEqual(
        columns.map(([name]) => String(name)).toSorted(),
        SqliteTables.list(embedded)
          .flatMap(({ columns, name }) => columns.map((column) => `${name}.${column}`))
          .toSorted()
      )
    })
  )

  it.scopedLive("bounds the sizes of tables that were never analyzed, and reads the exact ones of others", () =>
    Effect.gen(function* () {
      const { store } = (yield* instance(yield* Postgres.fresh)).world
      const rows = () => store.tableSize(Catalogue.byName.webhookTable).rows
      const [[count] = []] = yield* store.read({ text: `SELECT count(*)::int FROM "webhookTable"`, parameters: [] })
      yield* store.maintain
      assert.isAbove(rows(), Number(count))
      assert.isBelow(rows(), 10_000)
      yield* store.read({ text: `ANALYZE "webhookTable"`, parameters: [] })
      yield* store.maintain
      assert.strictEqual(rows(), Number(count))
      assert.isAbove(rows(), 0)
    })
  )

  it.scopedLive("bounds the size of a table that was empty when it was analyzed", () =>
    Effect.gen(function* () {
      const { service, world } = yield* instance(yield* Postgres.fresh)
      const { store } = world
      const create = (count: number) =>
        service.handle(
          request(
            "POST",
            "/rest/holiday",
            key,
            Array.from({ length: count }, (_, index) => ({ ...holiday, name: `Day ${index}` }))
          )
        )
      assert.strictEqual((yield* create(300)).status, 201)
      yield* store.read({ text: `DELETE FROM "holiday"`, parameters: [] })
      yield* store.read({ text: `ANALYZE "holiday"`, parameters: [] })
      assert.strictEqual((yield* create(100)).status, 201)
      yield* store.maintain
      assert.isAtLeast(store.tableSize(Catalogue.byName.holiday).rows, 100)
    })
  )

  it.scopedLive("analyzes a table within seconds after it has grown", () =>
    Effect.gen(function* () {
      const address = yield* Postgres.fresh
      const { service, world } = yield* instance(address)
      const estimate = Effect.map(
        world.store.read({
          text: `SELECT "reltuples" FROM pg_class WHERE "oid" = '"holiday"'::regclass`,
          parameters: []
        }),
        ([row]) => Number(row?.[0])
      )
      const rows = Array.from({ length: 1000 }, (_, index) => ({ ...holiday, name: `Day ${index}` }))
      assert.strictEqual((yield* service.handle(request("POST", "/rest/holiday", key, rows))).status, 201)
      yield* Wait.until(estimate, (count) => count === 1000)
      yield* Wait.until(
        Effect.sync(() => world.store.tableSize(Catalogue.byName.holiday).rows),
        (count) => count === 1000
      )
    })
  )

  it.scopedLive("is migrated and seeded once when three services start at the same time", () =>
    Effect.gen(function* () {
      const address = yield* Postgres.fresh
      const instances = yield* Effect.all(
        [1, 2, 3].map(() => instance(address, { _tag: "Demo" })),
        { concurrency: "unbounded" }
      )
      const replies = yield* Effect.all(
        instances.flatMap(({ service }) =>
          Array.from({ length: 20 }, () => service.handle(request("POST", "/rest/holiday", key, holiday)))
        ),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([...new Set(replies.map(({ status }) => status))], [201])
      assert.strictEqual(new Set(replies.map(({ body }) => JSON.parse(String(body)).id)).size, 60)
    })
  )

  it.scopedLive("refuses a key on every instance within a second of its revocation on one", () =>
    Effect.gen(function* () {
      const address = yield* Postgres.fresh
      const [one, other] = yield* Effect.all([instance(address), instance(address)])
      const home = one.world.home()
      assert(home !== undefined)
      const revoked = Effect.gen(function* () {
        const { key: issued, record } = yield* one.keys.create({ ...home, name: "k", scopes: ["*"], expiresAt: null })
        const ask = Effect.map(
          other.service.handle(request("GET", "/rest/holiday", Redacted.value(issued))),
          ({ status }) => status
        )
        assert.strictEqual(yield* ask, 200)
        yield* one.keys.revoke(record.id)
        const { millis } = yield* Measurement.timed(Wait.until(ask, (status) => status === 401))
        return millis
      })
      yield* Measurement.isBelow(1000, revoked)
    })
  )

  it.scopedLive("makes companies and rules that one instance adds known to the others", () =>
    Effect.gen(function* () {
      const address = yield* Postgres.fresh
      const [one, other] = yield* Effect.all([instance(address), instance(address)])
      assert.isFalse(other.world.knowsCompany("second"))
      const user = { id: "u2", companyIds: ["second"], email: "a@example.com", firstName: "A", lastName: "B" }
      yield* Seeder.insert(one.world, "second", {
        companies: [{ id: CompanyId.make("second"), name: "Second" }],
        users: [user],
        rows: {}
      })
      yield* one.world.store.switchRules("public")
      const known = Effect.sync(() => [other.world.knowsCompany("second"), other.world.rules()] as const)
      yield* Wait.until(known, ([isKnown, rules]) => isKnown && rules === "public")
    })
  )

  it.scopedLive("responds with 503 while the server is away, and recovers without a restart", () =>
    Effect.gen(function* () {
      const address = yield* Postgres.fresh
      const { hostname, port: behind } = new URL(address.url)
      const server = new URL(address.url)
      const sockets = new Set<net.Socket>()
      const proxy = net.createServer((socket) => {
        const way = net.connect(Number(behind), hostname)
        for (const end of [socket, way]) {
          sockets.add(end)
          end.on("error", () => undefined).on("close", () => [socket, way].forEach((one) => one.destroy()))
        }
        socket.pipe(way).pipe(socket)
      })
      const port = yield* LocalServer.listen(proxy)
      server.port = String(port)
      const { service } = yield* instance({ ...address, url: server.href })
      const read = Effect.map(service.handle(request("GET", "/rest/holiday")), ({ status }) => status)
      const write = service.handle(request("POST", "/rest/holiday", key, holiday))
      const ready = Effect.map(service.handle(request("GET", "/health/ready")), ({ status }) => status)
      assert.deepStrictEqual(yield* Effect.all([read, ready]), [200, 200])

      proxy.close()
      for (const socket of sockets) socket.destroy()
      const lost = yield* Effect.all(
        Array.from({ length: 50 }, () => write),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([...new Set(lost.map(({ status }) => status))], [503])
      assert.strictEqual(lost[0]?.headers["Retry-After"], "1")
      assert.deepStrictEqual(yield* Effect.all([read, ready]), [503, 503])

      yield* Effect.promise(() => once(proxy.listen(port, "127.0.0.1"), "listening"))
      yield* Wait.until(ready, (status) => status === 200)
      yield* Wait.until(
        Effect.map(write, ({ status }) => status),
        (status) => status === 201
      )
      assert.strictEqual(yield* read, 200)
    })
  )

  it.scopedLive(
    "restores a snapshot of the embedded store on PostgreSQL and back without a change of rows or their order",
    () =>
      Effect.gen(function* () {
        const folder = yield* scratch
        const address = yield* Postgres.fresh
        const [first, second, third] = ["first", "second", "third"].map((name) =>
          path.join(folder, `${name}.ndjson.gz`)
        )
        assert(first !== undefined && second !== undefined && third !== undefined)
        const memory = { _tag: "Sqlite", path: ":memory:" } as const
        const { world } = yield* instance(memory, { _tag: "Demo" })
        const embedded = world.store
        const [code] = demo.rows["oauthCode"] ?? []
        const moments = [
          "2026-W05-6T12:00:00.0000009Z",
          "2026-031T24+02",
          "0001-01-01T00:00:00+02:00",
          "9999-12-31T24:00:00Z"
        ]
        const codes = moments.map((expiresAt, index) => ({ ...code, id: `c${index}`, code: `c${index}`, expiresAt }))
        const [day] = demo.rows["holiday"] ?? []
        const mixed = [{ ...day, id: "h0", tags: [1, "a", null, { a: [true] }] }]
        yield* Seeder.insert(world, "anything", { ...demo, rows: { oauthCode: codes, holiday: mixed } })
        // More than a page of a snapshot, in an order that is not the keys', and one with a long text.
        const long = randomBytes(500_000).toString("hex")
        const ids = Array.from({ length: 450 }, (_, index) => `${(index * 7919) % 450}`)
        const holidays = ids.map((id, index) => ({ ...holiday, id, name: index === 0 ? long : id }))
        yield* Seeder.insert(world, "order", { ...demo, rows: { holiday: holidays } })
        const stated = (store: typeof embedded) =>
          store.read({ text: `SELECT "id", "name" FROM "holiday" ORDER BY "_sequence"`, parameters: [] })
        const order = yield* stated(embedded)
        assert.deepStrictEqual(
          order.slice(-450),
          holidays.map(({ id, name }) => [id, name])
        )
        const server = (yield* Instance.open({ store: address, rules: "contract" })).store
        const again = (yield* Instance.open({ store: memory, rules: "contract" })).store
        yield* embedded.save(first)
        yield* server.restore(first)
        const schema = String(new URL(address.url).searchParams.get("search_path"))
        const stored = yield* Schema.run(
          address.url,
          `SELECT "id", extract(epoch FROM "expiresAt") * 1000000 FROM "${schema}"."oauthCode" WHERE "id" LIKE 'c_'`
        )
        assert.sameDeepMembers(
          stored.map(([id, micros]) => [id, Number(micros)]),
          moments.map((text, index) => [`c${index}`, Number(Timestamp.toMicros(text))])
        )
        for (const store of [embedded, server]) {
          const broken = yield* store.violations("public")
          assert.include(
            broken.map(({ rule }) => rule),
            "holiday_tags_elements"
          )
        }
        assert.deepStrictEqual(yield* stated(server), order)
        // An update moves a row within the server's table.
        yield* Schema.run(address.url, `UPDATE "${schema}"."holiday" SET "_revision" = "_revision" WHERE "id" = '0'`)
        const before = yield* server.checksum
        yield* server.save(second)
        yield* again.restore(second)
        assert.deepStrictEqual(yield* again.checksum, yield* embedded.checksum)
        assert.deepStrictEqual(yield* stated(again), order)
        yield* again.save(third)
        yield* server.restore(third)
        assert.deepStrictEqual(yield* server.checksum, before)
        assert.deepStrictEqual(yield* stated(server), order)
        assert.deepStrictEqual(yield* server.integrityProblems, [])
        const error = yield* Effect.flip(server.save(path.join(folder, "all.db")))
        assert.match(error.message, /a copy of an embedded store/)
      })
  )
})
