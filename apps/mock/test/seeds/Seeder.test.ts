import * as ApiKey from "@mfgdata/domain/ApiKey"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as ApiKeys from "../../src/access/ApiKeys.ts"
import * as Seeder from "../../src/seeds/Seeder.ts"
import type { Seed } from "../../src/seeds/SeedFile.ts"
import * as Instance from "../../src/service/Instance.ts"
import { newWebhook } from "../webhooks/newWebhook.ts"

const open = (rules: "contract" | "public" = "contract") =>
  Instance.open({ store: { _tag: "Sqlite", path: ":memory:" }, rules }, { idSeed: 1 })

const acme = {
  companies: [
    { id: "acme", name: "Acme" },
    { id: "beta", name: "Beta" }
  ],
  users: [
    { id: "u1", companyIds: ["acme"], email: "u1@acme.example", firstName: "U", lastName: "One" },
    { id: "u2", companyIds: ["beta", "acme"], email: "u2@beta.example", firstName: "U", lastName: "Two" }
  ]
}

const holiday = { name: "Founding day", date: "2027-05-01" }
const term = {
  name: "Net 30",
  daysDue: 30,
  daysDiscount: 0,
  discountPercentage: 0,
  calculationMethod: "Net",
  active: true
}

const rowsOf = (world: Effect.Effect.Success<ReturnType<typeof open>>, columns: string, table: string) =>
  world.store.read({ text: `SELECT ${columns} FROM "${table}" ORDER BY 1, 2`, parameters: [] })

const refusal = (rows: Seed["rows"], rules?: "public") =>
  Effect.gen(function* () {
    const world = yield* open(rules)
    const before = yield* world.store.checksum
    const { message } = yield* Effect.flip(Seeder.insert(world, "test", { ...acme, rows }))
    assert.deepStrictEqual(yield* world.store.checksum, before)
    return message
  })

describe("Seeder", () => {
  it.scoped("sets what the service sets, for the company that a row names or the first one", () =>
    Effect.gen(function* () {
      const world = yield* open()
      const holidays = [
        { ...holiday, id: "h1", companyId: "beta", createdAt: "2027-01-01T01:00:00+01:00" },
        { ...holiday, id: "h2", companyId: "acme" }
      ]
      yield* Seeder.insert(world, "test", { ...acme, rows: { holiday: holidays } })
      const rows = yield* rowsOf(world, `"_tenant", "id", "_doc"`, "holiday")
      const docs = rows.map(([tenant, id, doc]) => [tenant, id, JSON.parse(String(doc))])
      assert.deepInclude(docs[0], { ...docs[0]?.[2], createdBy: "u1", year: null })
      assert.deepStrictEqual(
        docs.map(([tenant, id, { createdAt, createdBy, year }]) => [tenant, id, createdAt, createdBy, year]),
        [
          ["acme", "h2", "1970-01-01T00:00:00.000Z", "u1", null],
          ["beta", "h1", "2027-01-01T01:00:00+01:00", "u2", null]
        ]
      )
      assert.deepStrictEqual(world.home(), { companyId: "acme", userId: "u1" })
      assert.isTrue(world.knowsCompany("beta"))
    })
  )

  it.scoped("gives each company its webhook tables once", () =>
    Effect.gen(function* () {
      const world = yield* open()
      yield* Seeder.insert(world, "test", { ...acme, rows: {} })
      const tables = yield* rowsOf(world, `"_tenant", count(*)`, `webhookTable" GROUP BY "_tenant`)
      assert.deepStrictEqual(
        tables.map(([tenant]) => tenant),
        ["acme", "beta"]
      )
      assert.isAtLeast(Number(tables[0]?.[1]), 29)
      yield* Seeder.insert(world, "test", { ...acme, rows: {} })
      assert.deepStrictEqual(yield* rowsOf(world, `"_tenant", count(*)`, `webhookTable" GROUP BY "_tenant`), tables)
    })
  )

  it.scoped("reports the error of a seed, and stores none of it", () =>
    Effect.gen(function* () {
      assert.include(yield* refusal({ holidays: [] }), "there is no resource holidays")
      assert.include(
        yield* refusal({ holiday: [{ ...holiday, companyId: "acme", date: "2027-02-30" }] }),
        "holiday.date: expected a calendar date"
      )
      assert.include(
        yield* refusal({ holiday: [{ ...holiday, companyId: "acme", color: "red" }] }),
        "no field holiday.color"
      )
      assert.include(yield* refusal({ holiday: [{ name: "Founding day", companyId: "acme" }] }), "holiday.date")
      const twice = { ...holiday, id: "h1", companyId: "acme" }
      assert.include(yield* refusal({ holiday: [twice, twice] }), `unique constraint "holiday_pkey"`)
      const orphan = { invoiceCustomerId: "c1", paymentTermId: "nowhere", paymentComplete: true, companyId: "acme" }
      assert.include(yield* refusal({ salesOrderPayment: [orphan] }, "public"), `Key (paymentTermId) is not present`)
      const deaf = newWebhook({ url: "ftp://hooks.example", companyId: "acme" })
      assert.include(yield* refusal({ webhook: [deaf] }), "webhook.url: expected an http or https address")
      const long = yield* refusal({ holiday: [{ ...holiday, id: "h".repeat(513), companyId: "acme" }] })
      assert.include(
        long,
        "holiday.id: expected at most 512 characters and 1024 bytes, got 513 characters and 513 bytes"
      )
      const strange = { ...term, companyId: "acme", calculationMethod: "Someday" }
      assert.include(yield* refusal({ paymentTerm: [strange] }, "public"), "calculationMethod")
    })
  )

  it.scoped("stores the digests of keys, and accepts the keys", () =>
    Effect.gen(function* () {
      const keys = [
        { key: ApiKey.fromRandom(new Uint8Array(32)), name: "One", companyId: "acme", userId: "u1" },
        {
          key: ApiKey.fromRandom(new Uint8Array(32).fill(1)),
          name: "Two",
          companyId: "beta",
          userId: "u2",
          scopes: ["holiday:read"] as const,
          expiresAt: Timestamp.make("2030-01-01T00:00:00Z")
        }
      ]
      const world = yield* open()
      yield* Seeder.insert(world, "test", { ...acme, keys, rows: {} })
      yield* Seeder.insert(world, "test", { ...acme, keys, rows: {} })
      const access = yield* ApiKeys.make(world)
      const callers = yield* Effect.forEach(keys, ({ key }) => access.verify(key))
      assert.deepStrictEqual(
        callers.map(({ companyId, scopes, userId }): ReadonlyArray<unknown> => [companyId, userId, scopes]),
        [
          ["acme", "u1", ["*"]],
          ["beta", "u2", ["holiday:read"]]
        ]
      )
      assert.deepStrictEqual(
        (yield* access.list).map(({ expiresAt, name }) => [name, expiresAt]),
        [
          ["Two", "2030-01-01T00:00:00.000Z"],
          ["One", null]
        ]
      )
    })
  )

  it.scoped("stores attribute values of users, each in the column of its attribute's type", () =>
    Effect.gen(function* () {
      const categories = (value: string | number | boolean) => [
        {
          id: "c1",
          companyId: "acme",
          name: "Work",
          public: true,
          attributes: [
            { id: "a1", name: "Start", type: "date" as const, values: [{ id: "v1", userId: "u1", value }] },
            { id: "a2", name: "Desk", type: "text" as const }
          ]
        }
      ]
      const world = yield* open()
      yield* Seeder.insert(world, "test", { ...acme, attributes: categories("2026-01-31"), rows: {} })
      assert.deepStrictEqual(yield* rowsOf(world, `"id", "attributeId", "userId", "valueDate"`, "_attributeValue"), [
        ["v1", "a1", "u1", "2026-01-31"]
      ])
      assert.deepStrictEqual(yield* rowsOf(world, `"id", "sortOrder", "active"`, "_attribute"), [
        ["a1", 1, 1],
        ["a2", 2, 1]
      ])
      const refused = Seeder.insert(world, "test", { ...acme, attributes: categories("someday"), rows: {} })
      assert.include((yield* Effect.flip(refused)).message, "attributes.a1: expected a calendar date")
    })
  )

  it.scoped("requires a company with a user", () =>
    Effect.gen(function* () {
      const world = yield* open()
      const { message } = yield* Effect.flip(Seeder.insert(world, "test", { companies: [], users: [], rows: {} }))
      assert.strictEqual(message, "the seed test cannot be loaded: it has no company with a user")
    })
  )

  it.scoped("seeds the demo under both rule sets", () =>
    Effect.gen(function* () {
      for (const rules of ["contract", "public"] as const) {
        const world = yield* open(rules)
        yield* Seeder.load(world, { _tag: "Demo" })
        assert.isAbove((yield* rowsOf(world, `"id", "name"`, "holiday")).length, 2)
      }
    })
  )

  it.scoped("reads a file, and reports its errors", () =>
    Effect.gen(function* () {
      const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "seed-")), "seed.json")
      const world = yield* open()
      const plant = Seeder.load(world, { _tag: "File", path: file })
      assert.include((yield* Effect.flip(plant)).message, `the seed ${file} cannot be loaded: ENOENT`)
      fs.writeFileSync(file, "{")
      assert.include((yield* Effect.flip(plant)).message, "it is not JSON: ")
      fs.writeFileSync(file, JSON.stringify({ companies: [{}], users: [], rows: {} }))
      assert.include((yield* Effect.flip(plant)).message, "seed.companies.0.id: expected")
      const long = { id: "a".repeat(513), name: "Acme" }
      fs.writeFileSync(file, JSON.stringify({ companies: [long], users: [], rows: {} }))
      assert.include((yield* Effect.flip(plant)).message, "seed.companies.0.id: expected an id of at most 512 bytes")
      const key = { key: "mfg_mistyped", name: "Mine", companyId: "acme", userId: "u1" }
      fs.writeFileSync(file, JSON.stringify({ ...acme, keys: [key], rows: {} }))
      const { message } = yield* Effect.flip(plant)
      assert.include(
        message,
        "seed.keys.0.key: expected an API key: mfg_ and 38 base62 characters with a valid checksum"
      )
      assert.notInclude(message, key.key)
      fs.writeFileSync(file, JSON.stringify({ ...acme, rows: { holiday: [{ ...holiday, companyId: "acme" }] } }))
      yield* plant
      assert.lengthOf(yield* rowsOf(world, `"id", "name"`, "holiday"), 1)
    })
  )
})
