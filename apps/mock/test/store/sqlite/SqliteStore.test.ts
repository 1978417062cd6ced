import * as Catalogue from "@mfgdata/domain/Catalogue"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import { createRequire } from "node:module"
import * as path from "node:path"
import type { Rows } from "../../../src/sql/Change.ts"
import * as Mutation from "../../../src/sql/write/Mutation.ts"
import * as FileLock from "../../../src/store/sqlite/FileLock.ts"
import * as Migration from "../../../src/store/migrations/Migration.ts"
import * as SqliteDriver from "../../../src/store/sqlite/SqliteDriver.ts"
import * as SqliteMeta from "../../../src/store/sqlite/SqliteMeta.ts"
import * as SqliteStore from "../../../src/store/sqlite/SqliteStore.ts"
import { Refused, unavailable } from "../../../src/store/Store.ts"
import { lines } from "../rows.ts"
import { scratch } from "../scratch.ts"
import { statement, run, company, companies } from "./companies.ts"

const open = (file: string) => SqliteStore.open({ path: file })

describe("SqliteStore", () => {
  it.scoped("returns a read synchronously, as an Exit", () =>
    Effect.gen(function* () {
      const store = yield* open(":memory:")
      yield* store.change(company("c1"))
      assert.deepStrictEqual(store.read(companies), Exit.succeed([["c1"]]))
      const exit = store.read(statement("SELECT nonsense"))
      assert.isTrue(Exit.isExit(exit))
      assert.strictEqual((yield* Effect.exit(exit))._tag, "Failure")
    })
  )

  it.scoped("inserts rows of every resource, and names the key of a duplicate", () =>
    Effect.gen(function* () {
      const store = yield* open(":memory:")
      const { dialect } = store
      for (const line of lines("c1", 1, 11)) {
        const resource = Catalogue.find(line.table)!
        const owned = { resource, owner: { companyId: "c1", userId: line.user ?? "u1" } }
        const mutation = Mutation.insert(dialect, {
          owned,
          rows: [line.row],
          revision: 1,
          selection: { _tag: "Document" }
        })
        const change = {
          steps: mutation.steps,
          resolve: (results: ReadonlyArray<Rows>) => Either.right(mutation.affected(results))
        }
        const key = String(line.row[resource.key])
        const json = JSON.stringify(line.row)
        assert.deepStrictEqual(yield* store.change(change), [{ json, key, revision: 1, inserted: true }])
        assert.deepStrictEqual(
          yield* Effect.flip(store.change(change)),
          new Refused({
            refusal: {
              _tag: "Duplicate",
              resource: line.table,
              columns: [resource.key],
              constraint: `${line.table}_pkey`
            }
          })
        )
      }
      assert.deepStrictEqual(yield* store.integrityProblems, [])
    })
  )

  it.scoped("learns the number of rows of an index value", () =>
    Effect.gen(function* () {
      const store = yield* open(":memory:")
      const insert = statement(`INSERT INTO "warehouseTransferLine" ("_tenant", "id", "transferId", "itemId",
          "quantity", "shippedQuantity", "receivedQuantity", "fromLocationId", "toLocationId", "companyId", "_doc",
          "_revision")
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
        SELECT 'c1', 'l' || i, 't' || (i % 1000), 'i1', 1, 0, 0, 'here', 'there', 'c1', '{}', 1 FROM n`)
      yield* store.change({ steps: [{ _tag: "Run", statement: insert }], resolve: () => Either.void })
      const learned = Effect.suspend(() =>
        store.read(statement(`SELECT count(*) FROM sqlite_schema WHERE "name" = 'sqlite_stat1'`))
      ).pipe(Effect.map(String))
      const search = `SELECT "id" FROM "warehouseTransferLine"
        WHERE "_tenant" = 'c1' AND "transferId" = 't7' AND "id" > 'l5' ORDER BY "id" LIMIT 100`
      yield* store.read(statement(search))
      assert.strictEqual(yield* learned, "0")
      yield* store.maintain
      assert.strictEqual(yield* learned, "1")
    })
  )

  it.scoped("keeps committed changes in its file, and makes the folders of its path", () =>
    Effect.gen(function* () {
      const file = path.join(yield* scratch, "deep", "er", "mock.db")
      yield* Effect.scoped(Effect.flatMap(open(file), (store) => store.change(company("c1"))))
      assert.deepStrictEqual(fs.readdirSync(path.dirname(file)), ["mock.db"])
      assert.deepStrictEqual(yield* (yield* open(file)).read(companies), [["c1"]])
    })
  )

  it.scoped("commits its accepted changes on closing, and refuses new ones", () =>
    Effect.gen(function* () {
      const file = path.join(yield* scratch, "mock.db")
      const scope = yield* Scope.make()
      const store = yield* Scope.extend(open(file), scope)
      const accepted = yield* Effect.fork(store.change(company("c1")))
      yield* Effect.yieldNow()
      yield* Scope.close(scope, Exit.void)
      yield* Fiber.join(accepted)
      const closed = Exit.fail(unavailable("Closed"))
      for (const effect of [store.read(companies), store.change(company("c2")), store.ready, store.checksum]) {
        assert.deepStrictEqual(yield* Effect.exit(effect as Effect.Effect<unknown, unknown>), closed)
      }
      assert.deepStrictEqual(yield* (yield* open(file)).read(companies), [["c1"]])
    })
  )

  it.scopedLive("is ready, not ready while it has no space, and recovers by itself", () =>
    Effect.gen(function* () {
      const store = yield* open(":memory:")
      yield* store.ready
      assert.strictEqual((yield* store.statistics).commits, 0)
      const pages = (yield* store.read(statement("PRAGMA page_count")))[0]?.[0]
      yield* store.read(statement(`PRAGMA max_page_count = ${pages}`))
      const failed = yield* Effect.exit(store.change(run(`INSERT INTO "_company" VALUES ('big', ?)`, "x".repeat(1e6))))
      assert.isTrue(Exit.isFailure(failed))
      // The page that a small change needs exists, but not those of a larger one.
      yield* store.change(run(`DELETE FROM "_company"`))
      assert.propertyVal(yield* Effect.flip(store.ready), "reason", "Full")
      yield* Effect.sleep("1100 millis")
      assert.propertyVal(yield* Effect.flip(store.ready), "reason", "Full")
      yield* store.read(statement(`PRAGMA max_page_count = 1000000`))
      yield* Effect.sleep("1100 millis")
      yield* store.ready
      const { commits } = yield* store.statistics
      yield* store.ready
      assert.strictEqual((yield* store.statistics).commits, commits)
    })
  )

  it.scopedLive("runs a query off the event loop, and reads meanwhile", () =>
    Effect.gen(function* () {
      const store = yield* open(":memory:")
      yield* store.change(company("c1"))
      const endless = statement(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
      )
      const query = yield* Effect.fork(store.query(endless, { companyId: "c1", keyId: "k1" }))
      yield* Effect.sleep("50 millis")
      yield* store.change(company("c2"))
      assert.deepStrictEqual(yield* store.read(companies), [["c1"], ["c2"]])
      yield* Fiber.interrupt(query)
      const { queries } = yield* store.statistics
      assert.deepInclude(queries, { started: 1, waiting: 0 })
      assert.strictEqual(queries.stopped.hangup, 1)
    })
  )

  it.scoped("refuses a second process, and names the process that has the store and its address", () =>
    Effect.gen(function* () {
      const file = path.join(yield* scratch, "mock.db")
      fs.writeFileSync(`${file}.lock`, `{"pid":1,"port":1}`)
      const store = yield* open(file)
      assert.deepStrictEqual(FileLock.read(file), Option.some({ pid: process.pid, address: null }))
      assert.strictEqual(
        (yield* Effect.flip(Effect.scoped(open(file)))).message,
        `The store ${file} is in use by process ${process.pid}: stop that process first`
      )
      yield* store.publishAddress({ host: "127.0.0.1", port: 4010 })
      assert.strictEqual(
        (yield* Effect.flip(Effect.scoped(open(file)))).message,
        `The store ${file} is in use by process ${process.pid}, which serves port 4010: use that service, or stop it first`
      )
      assert.deepStrictEqual(yield* store.read(companies), [])
    })
  )

  it.scoped("takes over from a process that was killed and left its note", () =>
    Effect.gen(function* () {
      const file = path.join(yield* scratch, "mock.db")
      yield* Effect.scoped(open(file))
      const libsql = createRequire(import.meta.url).resolve("libsql")
      const script = `
        const Database = require(${JSON.stringify(libsql)})
        const lock = new Database(${JSON.stringify(`${file}-lock`)})
        lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE")
        const db = new Database(${JSON.stringify(file)})
        db.exec("PRAGMA journal_mode = WAL")
        db.exec("INSERT INTO _company VALUES ('c1', 'One')")
        require("fs").writeFileSync(${JSON.stringify(`${file}.lock`)}, JSON.stringify({
          pid: process.pid, address: { host: "127.0.0.1", port: 4010 }
        }))
        console.log("open")
        setInterval(() => {}, 1000)`
      const child = spawn(process.execPath, ["-e", script])
      yield* Effect.promise(() => new Promise((resolve) => child.stdout.once("data", resolve)))
      assert.strictEqual(
        (yield* Effect.flip(Effect.scoped(open(file)))).message,
        `The store ${file} is in use by process ${child.pid}, which serves port 4010: use that service, or stop it first`
      )
      const gone = new Promise((resolve) => child.once("exit", resolve))
      child.kill("SIGKILL")
      yield* Effect.promise(() => gone)
      const store = yield* open(file)
      assert.deepStrictEqual(yield* store.read(companies), [["c1"]])
      assert.deepStrictEqual(yield* store.integrityProblems, [])
      assert.strictEqual(JSON.parse(fs.readFileSync(`${file}.lock`, "utf8")).pid, process.pid)
    })
  )

  it.scoped("reports why it cannot open in one sentence", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const text = path.join(folder, "text.db")
      fs.writeFileSync(text, "no database ".repeat(1000))
      const theirs = path.join(folder, "theirs.db")
      const driver = SqliteDriver.open(theirs)
      driver.script(`CREATE TABLE "theirs" ("id" TEXT)`)
      driver.close()
      const newer = path.join(folder, "newer.db")
      yield* Effect.scoped(open(newer))
      const later = SqliteDriver.open(newer)
      SqliteMeta.setSchema(later, 99)
      later.close()
      const messages = yield* Effect.forEach([text, theirs, newer, folder, path.join(text, "below.db")], (file) =>
        Effect.map(Effect.flip(Effect.scoped(open(file))), ({ _tag, message }) => [_tag, message])
      )
      assert.deepStrictEqual(messages.slice(0, 3), [
        [
          "NotAStore",
          `The database ${text} contains other data than a store of mfg-mock: name another file or database`
        ],
        [
          "NotAStore",
          `The database ${theirs} contains other data than a store of mfg-mock: name another file or database`
        ],
        [
          "StoreTooNew",
          `The store ${newer} has schema 99, but this version supports schemas up to ${Migration.latest}: use the version that wrote it, or a newer one`
        ]
      ])
      assert.deepStrictEqual(
        messages.slice(3).map(([tag]) => tag),
        ["StoreUnreachable", "StoreUnreachable"]
      )
      // Each store was closed again.
      const again = SqliteDriver.open(theirs)
      again.close()
    })
  )

  it.scoped("switches rules, unless rows violate them", () =>
    Effect.gen(function* () {
      const file = path.join(yield* scratch, "mock.db")
      const day = (id: string, date: string) =>
        run(
          `INSERT INTO "holiday" ("_tenant", "id", "createdBy", "createdAt", "name", "date", "companyId", "_doc", "_revision")
            VALUES ('c1', ?, 'u1', 0, 'Day', ?, 'c1', '{}', 1)`,
          id,
          date
        )
      yield* Effect.scoped(
        Effect.gen(function* () {
          const store = yield* open(file)
          yield* store.change(day("h1", "2026-01-01"))
          yield* store.change(day("h2", "2026-01-01"))
          assert.strictEqual(yield* store.ruleSet, "contract")
          const [violation] = yield* store.violations("public")
          assert.deepInclude(violation, { rule: "holiday_date_key", count: 2 })
          const error = yield* Effect.flip(store.switchRules("public"))
          assert.strictEqual(error._tag, "RulesViolated")
          assert.strictEqual(yield* store.ruleSet, "contract")
          yield* store.change(run(`DELETE FROM "holiday" WHERE "id" = 'h2'`))
          yield* store.switchRules("public")
          // The statement was prepared before the rules were installed.
          const refused = yield* Effect.exit(store.change(day("h3", "2026-01-01")))
          assert.isTrue(Exit.isFailure(refused))
        })
      )
      const again = yield* SqliteStore.open({ path: file, ruleSet: "contract" })
      assert.strictEqual(yield* again.ruleSet, "public")
      yield* again.switchRules("contract")
      yield* again.change(day("h3", "2026-01-01"))
    })
  )

  it.scoped("reports a reference to a missing row", () =>
    Effect.gen(function* () {
      const file = path.join(yield* scratch, "mock.db")
      yield* Effect.scoped(open(file))
      const driver = SqliteDriver.open(file)
      driver.script(`PRAGMA foreign_keys = OFF; INSERT INTO "_companyUser" VALUES ('c9', 'u9');`)
      driver.close()
      assert.sameMembers(
        [...(yield* (yield* open(file)).integrityProblems)],
        ["row 1 of _companyUser refers to nothing in _company", "row 1 of _companyUser refers to nothing in _user"]
      )
    })
  )

  it.scoped("finds the table that differs between two states by its checksum", () =>
    Effect.gen(function* () {
      const store = yield* open(":memory:")
      const empty = yield* store.checksum
      assert.includeMembers(
        Object.keys(empty),
        Catalogue.resources.map(({ resource }) => resource)
      )
      yield* store.change(company("a"))
      yield* store.change(company("b"))
      const both = yield* store.checksum
      assert.deepStrictEqual({ ...both, _company: "" }, { ...empty, _company: "" })
      assert.notStrictEqual(both["_company"], empty["_company"])
      yield* store.change(run(`DELETE FROM "_company"`))
      yield* store.change(company("b"))
      yield* store.change(company("a"))
      assert.deepStrictEqual(yield* store.checksum, both)
    })
  )
})
