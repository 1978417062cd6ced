import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as SqliteStore from "../../src/store/sqlite/SqliteStore.ts"
import * as World from "../../src/world/World.ts"

const build = (options?: World.Options) =>
  Layer.build(World.layer(options).pipe(Layer.provide(SqliteStore.layer({ path: ":memory:" })))).pipe(
    Effect.map(Context.get(World.World))
  )

describe("World", () => {
  it.scoped("loads the content of its store on request", () =>
    Effect.gen(function* () {
      const world = yield* build()
      assert.isUndefined(world.home())
      assert.isFalse(world.knowsCompany("acme"))
      const statements = [
        `INSERT INTO "_company" ("id", "name") VALUES ('beta', 'Beta'), ('acme', 'Acme')`,
        `INSERT INTO "_user" ("id", "email", "firstName", "lastName", "about", "flags", "acknowledgedITAR",
          "isConsoleOperator", "createdAt") VALUES ('u2', '', '', '', '', '{}', 0, 0, ''), ('u1', '', '', '', '', '{}', 0, 0, '')`,
        `INSERT INTO "_companyUser" ("companyId", "userId") VALUES ('beta', 'u1'), ('acme', 'u2'), ('acme', 'u1')`
      ]
      for (const text of statements) yield* world.store.read({ text, parameters: [] })
      yield* world.store.switchRules("public")
      assert.isFalse(world.knowsCompany("acme"))
      yield* world.refresh
      assert.isTrue(world.knowsCompany("acme"))
      assert.isFalse(world.knowsCompany("other"))
      assert.deepStrictEqual(world.home(), { companyId: "acme", userId: "u1" })
      assert.strictEqual(world.rules(), "public")
    })
  )

  it.scoped("uses the clock that it was built with", () =>
    Effect.gen(function* () {
      const world = yield* build({ idSeed: 1 })
      assert.strictEqual(world.now(), 0)
      const first = world.newId()
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(world.now(), 3_600_000)
      assert.isAbove(Number.parseInt(world.newId().slice(0, 9), 36), Number.parseInt(first.slice(0, 9), 36))
    })
  )
})
