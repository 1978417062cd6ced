import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import Database from "libsql"
import * as fs from "node:fs"
import * as path from "node:path"
import { setTimeout } from "node:timers/promises"
import * as Instance from "../../../src/service/Instance.ts"
import * as Settings from "../../../src/Settings.ts"
import * as SqliteStore from "../../../src/store/sqlite/SqliteStore.ts"
import { scratch } from "../scratch.ts"

const adminKey = "mfg_administrator"
const apiKey = "mfg_some_caller"

/** A service on a file whose clock a test moves, and the function that sends requests to it. */
const serve = (file: string) =>
  Effect.gen(function* () {
    const settings = {
      ...Settings.defaults,
      seed: { _tag: "Empty" },
      store: { _tag: "Sqlite", path: file },
      clock: "virtual",
      adminKey,
      apiKey
    } as const
    const { service, world } = yield* Instance.make({ settings, write: () => undefined })
    const ask = (method: string, target: string, body?: unknown) =>
      Effect.suspend(() =>
        service.handle({
          method,
          target,
          headers: {
            authorization: `Bearer ${target.startsWith("/_mock") ? adminKey : apiKey}`,
            "content-type": "application/json",
            prefer: "return=minimal"
          },
          body: body === undefined ? "" : JSON.stringify(body)
        })
      ).pipe(Effect.tap(({ body, status }) => assert.isBelow(status, 300, String(body))))
    const bytes = Effect.map(world.store.space, ({ databaseBytes }) => databaseBytes)
    return { ask, bytes }
  })

const megabyte = 1024 * 1024

const large = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    name: `large ${index}`,
    date: "2026-05-01",
    companyId: "demo",
    customFields: { text: "x".repeat(10_000) }
  }))

describe("the unused space of a file", () => {
  it.scopedLive("is returned to the system after rows were deleted, except for a few megabytes", () =>
    Effect.gen(function* () {
      const file = path.join(yield* scratch, "store.db")
      const scope = yield* Scope.make()
      const { ask, bytes } = yield* serve(file).pipe(Scope.extend(scope))
      for (let time = 0; time < 4; time += 1) yield* ask("POST", "/rest/holiday", large(600))
      const full = yield* bytes
      assert.isAbove(full, 20 * megabyte)
      yield* ask("DELETE", "/rest/holiday?name=like.large*")
      assert.isAtLeast(yield* bytes, full)
      yield* ask("POST", "/_mock/clock/advance", { seconds: 120 })
      while ((yield* bytes) > 6 * megabyte) {
        yield* ask("GET", "/health/live")
        yield* Effect.promise(() => setTimeout(1))
      }
      yield* Scope.close(scope, Exit.void)
      assert.isBelow(fs.statSync(file).size, 6 * megabyte)
    })
  )

  it.scopedLive("is returned by a small store that was created without the mode", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const [modern, old] = [path.join(folder, "modern.db"), path.join(folder, "old.db")]
      yield* Effect.scoped(SqliteStore.open({ path: modern }))
      const database = new Database(modern)
      database.exec(`VACUUM INTO '${old}'`)
      database.close()
      const mode = () => {
        const database = new Database(old)
        const [row] = database.prepare("PRAGMA auto_vacuum").raw(true).all()
        database.close()
        return row
      }
      const copy = new Database(old)
      copy.exec("PRAGMA auto_vacuum = NONE; VACUUM")
      copy.close()
      assert.deepStrictEqual(mode(), [0])
      const checksum = Effect.scoped(Effect.flatMap(SqliteStore.open({ path: old }), (store) => store.checksum))
      const before = yield* Effect.scoped(Effect.flatMap(SqliteStore.open({ path: modern }), (store) => store.checksum))
      assert.deepStrictEqual(yield* checksum, before)
      assert.deepStrictEqual(mode(), [2])
    })
  )
})
