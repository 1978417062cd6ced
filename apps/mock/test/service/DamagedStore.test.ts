/** Tests that a damaged store ends in a named error, and never in the end of the process. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import Database from "libsql"
import * as fs from "node:fs"
import * as path from "node:path"
import * as Instance from "../../src/service/Instance.ts"
import * as Settings from "../../src/Settings.ts"
import * as SqliteDriver from "../../src/store/sqlite/SqliteDriver.ts"
import * as SqliteTables from "../../src/store/sqlite/SqliteTables.ts"
import { scratch } from "../store/scratch.ts"
import { newWebhook } from "../webhooks/newWebhook.ts"
import * as Measurement from "../Measurement.ts"
import * as Wait from "../Wait.ts"

const key = "mfg_damaged_store_key"
const adminKey = "mfg_damaged_store_administrator"

const serve = (file: string) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const { service, world } = yield* Instance.make({
      settings: {
        ...Settings.defaults,
        store: { _tag: "Sqlite", path: file },
        seed: { _tag: "Demo" },
        apiKey: key,
        adminKey,
        log: "info"
      },
      write: (line) => lines.push(line)
    })
    const ask = (method: string, target: string, body?: unknown, more: { readonly [name: string]: string } = {}) =>
      Effect.map(
        Effect.suspend(() =>
          service.handle({
            method,
            target,
            headers: {
              authorization: `Bearer ${target.startsWith("/_mock") ? adminKey : key}`,
              "content-type": "application/json",
              ...more
            },
            body: body === undefined ? "" : JSON.stringify(body)
          })
        ),
        ({ body, status }) => ({ status, text: String(body) })
      )
    const messages = () => lines.flatMap((line) => (line.includes('"requestId"') ? [] : [String(JSON.parse(line).msg)]))
    return { ask, world, messages }
  })

/** A closed store with the demo's rows. */
const prepared = Effect.gen(function* () {
  const file = path.join(yield* scratch, "mock.db")
  const scope = yield* Scope.make()
  const { ask } = yield* Scope.extend(serve(file), scope)
  assert.strictEqual((yield* ask("POST", "/rest/webhook", newWebhook({}))).status, 201)
  const holiday = { name: "Founding day", date: "2027-05-01", companyId: "demo" }
  assert.strictEqual((yield* ask("POST", "/rest/holiday", holiday, { "idempotency-key": "once" })).status, 201)
  yield* Scope.close(scope, Exit.void)
  return file
})

/** Changes a closed store with a plain connection. */
const edit = (file: string, sql: string) =>
  Effect.sync(() => {
    const database = new Database(file)
    database.exec(sql)
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
  })

const invalid = "CAST(X'61ff62' AS TEXT)"

/** The columns with text: all of the event and key tables and of one resource, and one of each other table. */
const textColumns = (file: string): ReadonlyArray<readonly [table: string, column: string]> => {
  const driver = SqliteDriver.open(file)
  const columns = SqliteTables.all(driver).flatMap(({ name }) =>
    driver
      .execute({ text: `SELECT "name" FROM pragma_table_info(?) WHERE "type" = 'TEXT'`, parameters: [name] })
      .map(([column]) => [name, String(column)] as const)
      .filter(
        ([table, column], index) =>
          /^(_outbox|_delivery|_idempotency|_webhookSecret|_apiKey|_meta|holiday)$/.test(table) ||
          (table.startsWith("_") ? index === 0 : column === "_doc")
      )
  )
  driver.close()
  return columns
}

describe("a store with a text that is not UTF-8", () => {
  it.scopedLive(
    "is served without the end of the process, whatever column has it",
    () =>
      Effect.gen(function* () {
        const whole = yield* prepared
        const columns = textColumns(whole)
        assert.isAbove(columns.length, 70)
        const statuses = new Map<number, number>()
        for (const [table, column] of columns) {
          const file = path.join(yield* scratch, "mock.db")
          fs.copyFileSync(whole, file)
          yield* edit(
            file,
            `PRAGMA foreign_keys = OFF;
            UPDATE OR IGNORE "${table}" SET "${column}" = ${invalid} WHERE rowid = (SELECT max(rowid) FROM "${table}")`
          )
          const exit = yield* Effect.exit(
            Effect.scoped(
              Effect.gen(function* () {
                const { ask } = yield* serve(file)
                const resource = table.startsWith("_") ? "holiday" : table
                const many = [
                  "",
                  "?limit=5",
                  `?order=${column.startsWith("_") ? "id" : column}`,
                  "?select=*&or=(id.eq.a,id.neq.b)"
                ]
                const holiday = { name: "Founding day", date: "2027-05-01", companyId: "demo" }
                const responses = yield* Effect.all([
                  ...many.map((search) => ask("GET", `/rest/${resource}${search}`)),
                  ask("POST", "/rest/holiday", holiday),
                  ask("POST", "/rest/holiday", holiday, { "idempotency-key": "once" }),
                  ask("PATCH", `/rest/v1/${resource}?limit=100`, {}),
                  ask("POST", "/api/v1/account/getCurrentUser", {}),
                  ask("GET", "/_mock/keys"),
                  ask("GET", "/_mock/deliveries")
                ])
                for (const { status, text } of responses) {
                  statuses.set(status, (statuses.get(status) ?? 0) + 1)
                  assert.notStrictEqual(status, 500, `${table}.${column}: ${text}`)
                }
              })
            )
          )
          // A store whose metadata or companies cannot be read is refused, with a sentence.
          if (Exit.isFailure(exit)) {
            const error = exit.cause._tag === "Fail" ? exit.cause.error : exit.cause
            assert.instanceOf(error, Error, `${table}.${column}: ${String(exit.cause)}`)
            assert.include(String(error), "damaged", `${table}.${column}`)
          }
        }
        assert.isAbove(statuses.get(503) ?? 0, 50)
        assert.isAbove(statuses.get(200) ?? 0, 50)
      }),
    300_000
  )
})

/** Overwrites the pages of a table's rows in a closed store. */
const breakPages = (file: string, table: string) =>
  Effect.sync(() => {
    const driver = SqliteDriver.open(file)
    const [row] = driver.execute({ text: `SELECT "rootpage" FROM sqlite_schema WHERE "name" = ?`, parameters: [table] })
    const [size] = driver.execute({ text: "PRAGMA page_size", parameters: [] })
    driver.close()
    const bytes = Number(size?.[0])
    const descriptor = fs.openSync(file, "r+")
    fs.writeSync(descriptor, Buffer.alloc(bytes, 0xa5), 0, bytes, (Number(row?.[0]) - 1) * bytes)
    fs.closeSync(descriptor)
  })

const holiday = { name: "Founding day", date: "2027-05-01", companyId: "demo" }

const unready = (served: Effect.Effect.Success<ReturnType<typeof serve>>) =>
  Effect.map(served.ask("GET", "/health/ready"), ({ status, text }) => {
    const { message = "", reason } = JSON.parse(text)
    return { status, reason, message: String(message) }
  })

describe("a damaged store", () => {
  it.scopedLive("is not ready, and refuses what it cannot read, until a snapshot is restored", () =>
    Effect.gen(function* () {
      const file = yield* prepared
      const good = path.join(path.dirname(file), "good.ndjson.gz")
      yield* Effect.scoped(Effect.flatMap(serve(file), ({ world }) => world.store.save(good)))
      yield* edit(file, `UPDATE "holiday" SET "_doc" = ${invalid} WHERE rowid = (SELECT min(rowid) FROM "holiday")`)
      const served = yield* serve(file)
      const { ask, messages, world } = served
      yield* Wait.untilTrue(() => messages().some((message) => message.includes("found damage")))
      const line = messages().find((message) => message.includes("found damage"))
      assert.include(line, "holiday, row 1: cannot be read (a text is not valid UTF-8)")
      assert.include(line, "mfg-mock check --repair")
      const state = yield* unready(served)
      assert.deepInclude(state, { status: 503, reason: "Damaged" })
      assert.include(state.message, "mfg-mock check")
      assert.include(state.message, "snapshot restore")
      const list = yield* ask("GET", "/rest/holiday")
      assert.strictEqual(list.status, 503)
      assert.deepInclude(JSON.parse(list.text), { code: "XX001", message: "The store is damaged" })
      // All other rows are served and written.
      assert.propertyVal(yield* ask("GET", "/rest/paymentTerm"), "status", 200)
      assert.propertyVal(yield* ask("POST", "/rest/holiday", holiday), "status", 201)
      yield* world.store.restore(good)
      yield* Wait.untilTrue(() => messages().some((message) => message.includes("found no damage")))
      assert.deepInclude(yield* unready(served), { status: 200 })
      assert.propertyVal(yield* ask("GET", "/rest/holiday"), "status", 200)
    })
  )

  it.scopedLive("is not ready after a page could not be read, and accepts no writes", () =>
    Effect.gen(function* () {
      const file = yield* prepared
      yield* breakPages(file, "paymentTerm")
      const served = yield* serve(file)
      const { ask, messages } = served
      assert.propertyVal(yield* ask("GET", "/rest/holiday"), "status", 200)
      const list = yield* ask("GET", "/rest/paymentTerm")
      assert.deepStrictEqual([list.status, JSON.parse(list.text).code], [503, "XX001"])
      const state = yield* unready(served)
      assert.deepInclude(state, { status: 503, reason: "Damaged" })
      const write = yield* ask("POST", "/rest/holiday", holiday)
      assert.deepStrictEqual([write.status, JSON.parse(write.text).code], [503, "XX001"])
      assert.propertyVal(yield* ask("GET", "/rest/holiday"), "status", 200)
      yield* Wait.untilTrue(() => messages().some((message) => message.includes("found damage")))
      assert.isTrue(messages().some((message) => message.includes("SQLITE_CORRUPT: database disk image is malformed")))
      assert.deepInclude(yield* unready(served), { status: 503 })
    })
  )

  it.scopedLive("is checked when the last process has not closed it, and when another process writes to it", () =>
    Effect.gen(function* () {
      const file = yield* prepared
      fs.writeFileSync(`${file}.lock`, JSON.stringify({ pid: 1, address: null }))
      const served = yield* serve(file)
      yield* Wait.untilTrue(() => served.messages().some((message) => message.includes("found no damage")))
      assert.deepInclude(yield* unready(served), { status: 200 })
      // Bytes that change in the file itself, as a failing disk or a copy over the file changes them.
      const [row] = yield* served.world.store.read({
        text: `SELECT "rootpage" FROM sqlite_schema WHERE "name" = 'paymentTerm'`,
        parameters: []
      })
      yield* Effect.sleep("1 seconds")
      const descriptor = fs.openSync(file, "r+")
      fs.writeSync(descriptor, Buffer.alloc(4096, 0xa5), 0, 4096, (Number(row?.[0]) - 1) * 4096)
      fs.closeSync(descriptor)
      yield* Wait.untilTrue(() => served.messages().some((message) => message.includes("found damage")))
      assert.deepInclude(yield* unready(served), { status: 503, reason: "Damaged" })
    })
  )
})

describe("a store whose file is removed or replaced while it is served", () => {
  for (const how of ["removed", "replaced", "unlocked"] as const) {
    const title = `refuses writes within a second, and leaves the files of others alone (${how})`
    it.scopedLive(
      title,
      () =>
        Effect.gen(function* () {
          const file = yield* prepared
          const copy = `${file}.copy`
          fs.copyFileSync(file, copy)
          const scope = yield* Scope.make()
          const served = yield* Scope.extend(serve(file), scope)
          const { ask, messages } = served
          assert.propertyVal(yield* ask("POST", "/rest/holiday", holiday), "status", 201)
          if (how === "unlocked") fs.rmSync(`${file}-lock`)
          else for (const suffix of ["", "-wal", "-shm", "-lock", ".lock"]) fs.rmSync(`${file}${suffix}`)
          if (how === "replaced") fs.copyFileSync(copy, file)
          const isNoticed = () => messages().some((message) => message.includes("was removed or replaced"))
          const { millis } = yield* Measurement.timed(Wait.untilTrue(isNoticed))
          assert.isBelow(millis, 1000)
          const write = yield* ask("POST", "/rest/holiday", holiday)
          assert.deepStrictEqual([write.status, JSON.parse(write.text).code], [503, "58P01"])
          const state = yield* unready(served)
          assert.deepInclude(state, { status: 503, reason: "Replaced" })
          assert.include(state.message, "put the file back")
          assert.lengthOf(
            messages().filter((message) => message.includes("was removed or replaced")),
            1
          )
          if (how !== "replaced") return yield* Scope.close(scope, Exit.void)
          // Another process serves the new file: closing the first one must not end its lock or remove its log.
          const other = yield* serve(file)
          assert.propertyVal(yield* other.ask("POST", "/rest/holiday", holiday), "status", 201)
          const files = () => fs.readdirSync(path.dirname(file)).toSorted()
          const before = files()
          yield* Scope.close(scope, Exit.void)
          assert.deepStrictEqual(files(), before)
          assert.propertyVal(yield* other.ask("POST", "/rest/holiday", holiday), "status", 201)
          assert.deepInclude(yield* unready(other), { status: 200 })
          assert.include(String(yield* Effect.flip(Effect.scoped(serve(file)))), "is in use by process")
        }),
      Measurement.retried
    )
  }

  it.scopedLive("is ready again when the file is back", () =>
    Effect.gen(function* () {
      const file = yield* prepared
      const served = yield* serve(file)
      fs.renameSync(file, `${file}.moved`)
      const away = yield* Wait.until(unready(served), ({ status }) => status !== 200)
      assert.deepInclude(away, { status: 503, reason: "Replaced" })
      fs.renameSync(`${file}.moved`, file)
      yield* Wait.until(unready(served), ({ status }) => status === 200)
      assert.propertyVal(yield* served.ask("POST", "/rest/holiday", holiday), "status", 201)
    })
  )
})
