/** Tests `mfg-mock check` with prepared files: each ends in findings, a repaired store, or a named error. */
import { assert, describe, it } from "@effect/vitest"
import * as PostgresSchema from "@mfgdata/testing-postgres/Schema"
import * as testing from "@mfgdata/shell/testing"
import * as Effect from "effect/Effect"
import Database from "libsql"
import * as fs from "node:fs"
import * as path from "node:path"
import { front } from "../../src/commands/Program.ts"
import * as Instance from "../../src/service/Instance.ts"
import * as Settings from "../../src/Settings.ts"
import * as Postgres from "../postgres/schema.ts"
import { scratch } from "../store/scratch.ts"
import { newWebhook } from "../webhooks/newWebhook.ts"

const key = "mfg_check_command_key"

const run = (store: string, ...args: ReadonlyArray<string>) =>
  Effect.map(testing.run(front, ["check", "--store", store, ...args]), ({ code, stderr, stdout }) => ({
    code,
    out: stdout.split("\n").filter((line) => line !== ""),
    err: stderr
  }))

const request = (method: string, target: string, body?: unknown) => ({
  method,
  target,
  headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
  body: body === undefined ? "" : JSON.stringify(body)
})

const instance = (store: Settings.StoreAddress) =>
  Instance.make({
    settings: { ...Settings.defaults, store, seed: { _tag: "Demo" }, apiKey: key, log: "off" },
    write: () => {}
  })

const holiday = { name: "Founding day", date: "2027-05-01", companyId: "demo" }

/** Makes a store with rows, events and deliveries. */
const fill = (store: Settings.StoreAddress) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { service } = yield* instance(store)
      const done = (target: string, body: unknown) =>
        Effect.map(service.handle(request("POST", target, body)), ({ body, status }) =>
          assert.strictEqual(status, 201, String(body))
        )
      yield* done("/rest/webhook", newWebhook({}))
      for (let count = 0; count < 300; count++) yield* done("/rest/holiday", { ...holiday, name: `Day ${count}` })
    })
  )

/** The rows of a resource as a service returns them. */
const rowsOf = (store: Settings.StoreAddress, resource: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { service } = yield* instance(store)
      const { body, status } = yield* service.handle(request("GET", `/rest/${resource}?limit=1000`))
      assert.strictEqual(status, 200, String(body))
      const rows: ReadonlyArray<{ readonly [column: string]: unknown }> = JSON.parse(String(body))
      return rows
    })
  )

const place = Effect.gen(function* () {
  const file = path.join(yield* scratch, "mock.db")
  yield* fill({ _tag: "Sqlite", path: file })
  return { file, store: `sqlite:${file}`, address: { _tag: "Sqlite", path: file } as const }
})

/** Changes a closed store with a plain connection. */
const edit = (file: string, sql: string) =>
  Effect.sync(() => {
    const database = new Database(file)
    database.exec(`PRAGMA foreign_keys = OFF; ${sql}`)
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
  })

/** Overwrites a page of a closed store, which the query finds. */
const breakPage = (file: string, query: string) =>
  Effect.sync(() => {
    const database = new Database(file)
    // Rows are arrays in raw mode, which the driver's types do not express.
    const [page = 0] = database.prepare(query).raw(true).get() as ReadonlyArray<number>
    database.close()
    const descriptor = fs.openSync(file, "r+")
    fs.writeSync(descriptor, Buffer.alloc(4096, 0xa5), 0, 4096, (page - 1) * 4096)
    fs.closeSync(descriptor)
  })

interface LostLine {
  readonly table: string
  readonly row?: number
  readonly columns?: { readonly [column: string]: unknown }
}

const lostIn = (folder: string): ReadonlyArray<LostLine> =>
  fs
    .readdirSync(folder)
    .filter((name) => name.includes(".lost-"))
    .flatMap((name) => fs.readFileSync(path.join(folder, name), "utf8").trimEnd().split("\n"))
    .map((line) => JSON.parse(line))

describe("mfg-mock check", () => {
  it.scopedLive("finds nothing in a sound store, and leaves no file", () =>
    Effect.gen(function* () {
      const { file, store } = yield* place
      const before = fs.readdirSync(path.dirname(file))
      for (const args of [[], ["--json"], ["--repair"]]) {
        const { code, err, out } = yield* run(store, ...args)
        assert.deepStrictEqual([code, out], [0, []], err)
        assert.include(err, "has no damage")
      }
      assert.deepStrictEqual(fs.readdirSync(path.dirname(file)), before)
    })
  )

  it.scopedLive("finds texts, documents, columns and references, each as a line, and repairs them", () =>
    Effect.gen(function* () {
      const { address, file, store } = yield* place
      const whole = yield* rowsOf(address, "holiday")
      yield* edit(
        file,
        `UPDATE "holiday" SET "name" = CAST(X'61ff' AS TEXT) WHERE rowid = 20;
        UPDATE "holiday" SET "_doc" = CAST(X'7bff' AS TEXT) WHERE rowid = 21;
        UPDATE "holiday" SET "_doc" = '{"name":' WHERE rowid = 22;
        UPDATE "holiday" SET "date" = '2000-01-01', "createdAt" = 5 WHERE rowid = 23;
        DELETE FROM "_deliveryAttempt" WHERE "deliveryId" = 7; DELETE FROM "_outbox" WHERE "sequence" = 7`
      )
      const found = yield* run(store)
      assert.strictEqual(found.code, 3, found.err)
      assert.deepStrictEqual(found.out, [
        "holiday, row 20: cannot be read (a text is not valid UTF-8)",
        "holiday, row 21: cannot be read (a text is not valid UTF-8)",
        "holiday, row 22: the document is not a row of the resource (it is not JSON)",
        "holiday, row 23: the columns createdAt, date differ from the document",
        "_delivery, row 7: refers to a missing row of _outbox"
      ])
      assert.include(found.err, `is damaged (5 findings): stop the service, and run "mfg-mock check --repair"`)
      const lines = (yield* run(store, "--json")).out.map((line) => JSON.parse(line))
      assert.deepStrictEqual(lines[0], {
        _tag: "Unreadable",
        table: "holiday",
        place: { row: 20 },
        text: "a text is not valid UTF-8",
        message: found.out[0]
      })
      const repaired = yield* run(store, "--repair")
      assert.deepStrictEqual([repaired.code, repaired.out], [0, found.out], repaired.err)
      assert.include(repaired.err, "The store as it was before is in")
      assert.deepStrictEqual((yield* run(store)).out, [])
      const lost = lostIn(path.dirname(file))
      assert.deepStrictEqual(
        lost.map(({ row, table }) => [table, row]),
        [
          ["holiday", 20],
          ["holiday", 21],
          ["holiday", 22],
          ["_delivery", 7]
        ]
      )
      assert.deepStrictEqual(lost[0]?.columns?.["name"], { hex: "61FF" })
      assert.strictEqual(JSON.parse(String(lost[0]?.columns?.["_doc"])).name, whole[19]?.["name"])
      // Every other row is unchanged, also the one whose columns were rebuilt.
      assert.deepStrictEqual(
        yield* rowsOf(address, "holiday"),
        whole.filter((_, index) => index < 19 || index > 21)
      )
      const backup = fs.readdirSync(path.dirname(file)).find((name) => name.includes(".backup-")) ?? ""
      assert.lengthOf((yield* run(`sqlite:${path.join(path.dirname(file), backup)}`)).out, 5)
    })
  )

  it.scopedLive("keeps all rows but those of a page that cannot be read, and names what is lost", () =>
    Effect.gen(function* () {
      const { address, file, store } = yield* place
      const whole = yield* rowsOf(address, "holiday")
      const leaf = `SELECT pageno FROM dbstat WHERE name = 'holiday' AND pagetype = 'leaf' ORDER BY pageno LIMIT 1 OFFSET 3`
      yield* breakPage(file, leaf)
      const found = yield* run(store)
      assert.strictEqual(found.code, 3)
      assert.isTrue(
        found.out.some((line) => /^holiday, rows between \d+ and \d+: cannot be read/.test(line)),
        found.out.join("\n")
      )
      const repaired = yield* run(store, "--repair", "--no-backup")
      assert.strictEqual(repaired.code, 0, repaired.err)
      assert.notInclude(repaired.err, "as it was before")
      const rest = yield* rowsOf(address, "holiday")
      const ids = new Set(rest.map(({ id }) => id))
      const gone = whole.filter(({ id }) => !ids.has(id))
      assert.isAbove(gone.length, 0)
      assert.isBelow(gone.length, 40)
      assert.deepStrictEqual(
        rest,
        whole.filter(({ id }) => ids.has(id))
      )
      const named = new Set(lostIn(path.dirname(file)).map(({ columns }) => columns?.["id"]))
      for (const { id } of gone) assert.isTrue(named.has(id))
      assert.deepStrictEqual((yield* run(store)).out, [])
    })
  )

  it.scopedLive("builds broken indexes again", () =>
    Effect.gen(function* () {
      const { address, file, store } = yield* place
      const whole = yield* rowsOf(address, "holiday")
      yield* breakPage(file, `SELECT rootpage FROM sqlite_schema WHERE name = 'holiday_sequence'`)
      assert.strictEqual((yield* run(store)).code, 3)
      assert.strictEqual((yield* run(store, "--repair")).code, 0)
      assert.deepStrictEqual(yield* rowsOf(address, "holiday"), whole)
      assert.deepStrictEqual(lostIn(path.dirname(file)), [])
    })
  )

  it.scopedLive("reports a file that is beyond a repair, and says what to do", () =>
    Effect.gen(function* () {
      const { file, store } = yield* place
      const descriptor = fs.openSync(file, "r+")
      fs.writeSync(descriptor, Buffer.alloc(4096, 0xa5), 0, 4096, 0)
      fs.closeSync(descriptor)
      const found = yield* run(store)
      assert.strictEqual(found.code, 3)
      assert.deepStrictEqual(found.out, ["the file cannot be read as a store (file is not a database)"])
      const { code, err } = yield* run(store, "--repair")
      assert.strictEqual(code, 1)
      assert.include(err, "cannot be repaired: file is not a database. Move the file away, and restore a snapshot")
    })
  )

  it.scopedLive("checks a store that is served, and refuses to repair it", () =>
    Effect.gen(function* () {
      const { address, store } = yield* place
      yield* instance(address)
      assert.strictEqual((yield* run(store)).code, 0)
      const { code, err } = yield* run(store, "--repair")
      assert.strictEqual(code, 1)
      assert.include(err, `is in use by process ${process.pid}`)
      assert.include((yield* run("sqlite:nowhere.db")).err, "No store at nowhere.db")
    })
  )

  it.scopedLive("finds and repairs columns, documents, references and indexes on PostgreSQL", () =>
    Effect.gen(function* () {
      const address = yield* Postgres.fresh
      const folder = yield* scratch
      yield* fill(address)
      const sound = yield* run(address.url)
      assert.deepStrictEqual([sound.code, sound.out], [0, []], sound.err)
      const whole = yield* rowsOf(address, "holiday")
      yield* PostgresSchema.run(
        address.url,
        `UPDATE "holiday" SET "date" = '2000-01-01', "createdAt" = now() WHERE "_sequence" = 23;
        UPDATE "holiday" SET "_doc" = '{"name":5}' WHERE "_sequence" = 22;
        ALTER TABLE "_delivery" DISABLE TRIGGER ALL; ALTER TABLE "_outbox" DISABLE TRIGGER ALL;
        DELETE FROM "_deliveryAttempt" WHERE "deliveryId" = 7; DELETE FROM "_outbox" WHERE "sequence" = 7;
        ALTER TABLE "_delivery" ENABLE TRIGGER ALL; ALTER TABLE "_outbox" ENABLE TRIGGER ALL`
      )
      const found = yield* run(address.url)
      assert.deepStrictEqual(
        [found.code, found.out],
        [
          3,
          [
            "holiday, row 22: the document is not a row of the resource (a field is not valid)",
            "holiday, row 23: the columns createdAt, date differ from the document",
            "_delivery, row 7: refers to a missing row of _outbox"
          ]
        ],
        found.err
      )
      const before = process.cwd()
      process.chdir(folder)
      yield* Effect.addFinalizer(() => Effect.sync(() => process.chdir(before)))
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* instance(address)
          const { code, err } = yield* run(address.url, "--repair")
          assert.strictEqual(code, 1)
          assert.include(err, "is in use by a service: stop every instance first")
        })
      )
      const repaired = yield* run(address.url, "--repair")
      assert.strictEqual(repaired.code, 0, repaired.err)
      assert.deepStrictEqual((yield* run(address.url)).out, [])
      assert.deepStrictEqual(
        yield* rowsOf(address, "holiday"),
        whole.filter((_, index) => index !== 21)
      )
      const names = fs.readdirSync(folder).toSorted()
      assert.lengthOf(names, 2)
      assert.match(names.join(" "), /\.backup\.ndjson\.gz .*\.lost\.ndjson$/)
      const lines = fs
        .readFileSync(path.join(folder, names[1] ?? ""), "utf8")
        .trimEnd()
        .split("\n")
      assert.deepStrictEqual(
        lines.map((line) => [JSON.parse(line).table, JSON.parse(line).row]),
        [
          ["holiday", 22],
          ["_delivery", 7]
        ]
      )
    })
  )
})
