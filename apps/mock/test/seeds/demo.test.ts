import * as Catalogue from "@mfgdata/domain/Catalogue"
import { assert, describe, it } from "@effect/vitest"
import * as Operations from "@mfgdata/domain/Operations"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import * as Seeder from "../../src/seeds/Seeder.ts"
import * as Instance from "../../src/service/Instance.ts"
import * as Settings from "../../src/Settings.ts"

const categories = Schema.parseJson(Operations.account.getAllAttributeCategories.response)

const planted = (name: "Demo" | "Empty", rules: "contract" | "public" = "contract") =>
  Effect.gen(function* () {
    const world = yield* Instance.open({ store: { _tag: "Sqlite", path: ":memory:" }, rules }, { idSeed: 1 })
    yield* Seeder.load(world, { _tag: name })
    const all = (columns: string, table: string) =>
      world.store.read({ text: `SELECT ${columns} FROM "${table}" ORDER BY 1`, parameters: [] })
    return { world, all }
  })

describe("the demo", () => {
  it.scoped("has at least three rows of every resource and two hundred in all, valid under the public rules", () =>
    Effect.gen(function* () {
      const { all } = yield* planted("Demo", "public")
      let sum = 0
      for (const { resource } of Catalogue.resources) {
        const [[count] = []] = yield* all("count(*)", resource)
        assert.isAtLeast(Number(count), 3, resource)
        sum += Number(count)
      }
      assert.isAtLeast(sum, 200)
    })
  )

  it.scoped("is the same, byte for byte, at the same time", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-04-01T08:00:00Z"))
      const dump = Effect.gen(function* () {
        const { all, world } = yield* planted("Demo")
        const tables = Object.keys(yield* world.store.checksum)
        return yield* Effect.forEach(tables, (table) => Effect.map(all("*", table), (rows) => [table, rows]))
      })
      assert.strictEqual(JSON.stringify(yield* dump), JSON.stringify(yield* dump))
    })
  )

  it.scoped("has attributes of every type, in public and in private categories, one of which is empty", () =>
    Effect.gen(function* () {
      for (const name of ["Demo", "Empty"] as const) {
        const { all, world } = yield* planted(name)
        const types = (yield* all(`DISTINCT "type"`, "_attribute")).map(([type]) => String(type))
        assert.sameMembers(types, ["boolean", "date", "file", "numeric", "text", "user"])
        const categories = yield* world.store.read({
          text: `SELECT "public", (SELECT count(*) FROM "_attribute" AS a WHERE a."categoryId" = c."id")
            FROM "_attributeCategory" AS c WHERE "active" = 1`,
          parameters: []
        })
        assert.includeDeepMembers(
          categories.map(([isPublic, count]) => [isPublic, Number(count) > 0]),
          [
            [0, false],
            [0, true],
            [1, true]
          ]
        )
        const owners = (yield* all(`"userId"`, "_attributeValue")).map(([user]) => user)
        assert.include(owners, world.home()?.userId)
      }
    })
  )

  it.scoped("has attributes whose data types have exactly one flag", () =>
    Effect.gen(function* () {
      for (const seed of ["Demo", "Empty"] as const) {
        const apiKey = "mfg_seed_attributes"
        const store = { _tag: "Sqlite", path: ":memory:" } as const
        const settings = { ...Settings.defaults, store, seed: { _tag: seed }, apiKey } as const
        const { service } = yield* Instance.make({ settings, write: () => {} })
        const { body } = yield* service.handle({
          method: "POST",
          target: "/api/v1/account/getAllAttributeCategories",
          headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
          body: "{}"
        })
        const text = typeof body === "string" ? body : new TextDecoder().decode(body)
        const { results } = Schema.decodeUnknownSync(categories)(text)
        const attributes = results.flatMap(({ userAttribute }) => userAttribute)
        assert.isAtLeast(attributes.length, 8)
        for (const { attributeDataType, name } of attributes) {
          const flags = Object.values(attributeDataType).filter((value) => value === true)
          assert.lengthOf(flags, 1, name)
        }
      }
    })
  )

  it.scoped("shares its people and their webhook tables with the empty seed, which has no rows", () =>
    Effect.gen(function* () {
      const { all } = yield* planted("Empty")
      for (const { resource } of Catalogue.resources) {
        const [[count] = []] = yield* all("count(*)", resource)
        assert.strictEqual(Number(count) > 0, resource === "webhookTable", resource)
      }
      assert.lengthOf(yield* all("*", "_user"), 2)
    })
  )
})
