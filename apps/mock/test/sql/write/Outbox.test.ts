import * as Catalogue from "@mfgdata/domain/Catalogue"
import { Holiday, OauthClient, OauthCode, Webhook } from "@mfgdata/domain"
import type { Json } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Condition } from "../../../src/sql/read/Condition.ts"
import * as Mutation from "../../../src/sql/write/Mutation.ts"
import * as CommitQueue from "../../../src/store/sqlite/CommitQueue.ts"
import * as Either from "effect/Either"
import * as SqliteMigrator from "../../../src/store/sqlite/SqliteMigrator.ts"
import * as SqliteDriver from "../../../src/store/sqlite/SqliteDriver.ts"
import * as Memory from "../memory.ts"

const { dialect, owner, stranger, whole } = Memory

const eq = (resource: Resource.Any, name: string, value: string): Condition => ({
  _tag: "Compare",
  target: Memory.at(resource, name),
  operator: "eq",
  value
})

const open = Effect.acquireRelease(
  Effect.sync(() => {
    const driver = SqliteDriver.open(":memory:")
    Either.getOrThrow(SqliteMigrator.migrate(driver, { store: "memory", ruleSet: "contract" }))
    const queue = CommitQueue.make(driver)
    let changes = 0
    let calls = 0
    queue.subscribe(() => calls++)
    const source = () => ({ change: `c${++changes}`, at: changes })
    const perform = ({ affected, steps }: Mutation.Mutation) =>
      queue.change({ steps, resolve: (results) => Either.right(affected(results)) })
    const select = (text: string) => driver.execute({ text, parameters: [] })
    return {
      driver,
      perform,
      select,
      source,
      calls: () => calls,
      insert: (resource: Resource.Any, rows: ReadonlyArray<Memory.Row>, whose = owner) =>
        perform(
          Mutation.insert(dialect, {
            owned: { resource, owner: whose },
            rows,
            revision: 1,
            selection: whole,
            source: source()
          })
        ),
      events: () =>
        select(`SELECT "type", "table", "key", "record", "old" FROM "_outbox" ORDER BY "sequence"`).map(
          ([type, table, key, record, old]) => ({
            what: `${type} ${table} ${key}`,
            record: JSON.parse(String(record)),
            old: typeof old === "string" ? JSON.parse(old) : old
          })
        )
    }
  }),
  ({ driver }) => Effect.sync(driver.close)
)

const hook = (id: string, table: string, values: { readonly [column: string]: Json } = {}) =>
  Memory.rowOf(Webhook, { id, table, active: true, onInsert: true, onUpdate: true, onDelete: true, ...values })

const tables = Catalogue.resources.map(({ resource }) =>
  Memory.rowOf(Catalogue.byName.webhookTable, { table: resource, name: resource })
)
const holiday = (id: string, values: { readonly [column: string]: Json } = {}) =>
  Memory.rowOf(Holiday, { id, ...values })

describe("the outbox of a write", () => {
  it.scoped("is empty without subscribers", () =>
    Effect.gen(function* () {
      const { calls, events, insert } = yield* open
      yield* insert(Catalogue.byName.webhookTable, tables)
      yield* insert(Catalogue.byName.webhookTable, tables, stranger)
      yield* insert(Webhook, [hook("off", "holiday", { active: false }), hook("other", "kanban")])
      yield* insert(Webhook, [hook("foreign", "holiday")], stranger)
      const before = calls()
      yield* insert(Holiday, [holiday("h1")])
      assert.deepStrictEqual(events(), [])
      assert.strictEqual(calls(), before)
    })
  )

  it.scoped("has one event for every changed row, with its old and its new state", () =>
    Effect.gen(function* () {
      const { calls, events, insert, perform, select, source } = yield* open
      yield* insert(Catalogue.byName.webhookTable, tables)
      yield* insert(Webhook, [hook("w1", "holiday"), hook("w2", "holiday", { onUpdate: false })])
      const before = calls()
      const owned = { resource: Holiday, owner }
      yield* insert(Holiday, [holiday("h1", { name: "one" }), holiday("h2", { name: "two" })])
      assert.strictEqual(calls(), before + 1)
      const common = { owned, selection: whole, order: [] }
      yield* perform(
        Mutation.update(dialect, {
          ...common,
          where: [eq(Holiday, "createdBy", "text")],
          set: { name: "both", tags: ["a"] },
          source: source()
        })
      )
      yield* perform(
        Mutation.upsert(dialect, {
          ...common,
          rows: [holiday("h2", { name: "merged" }), holiday("h3", { name: "three" })],
          revision: 1,
          given: ["name"],
          auditColumns: { updatedBy: "ann" },
          target: ["id"],
          resolution: "merge",
          source: source()
        })
      )
      yield* perform(
        Mutation.upsert(dialect, {
          ...common,
          rows: [holiday("h3", { name: "ignored" }), holiday("h4"), holiday("h4")],
          revision: 1,
          given: ["name"],
          auditColumns: {},
          target: ["id"],
          resolution: "ignore",
          source: source()
        })
      )
      const third = { where: [eq(Holiday, "id", "h3")], rules: "contract" } as const
      yield* perform(Mutation.remove(dialect, { ...common, ...third, source: source() }))
      const three = holiday("h3", { name: "three" })
      assert.deepStrictEqual(events(), [
        { what: "INSERT holiday h1", record: holiday("h1", { name: "one" }), old: null },
        { what: "INSERT holiday h2", record: holiday("h2", { name: "two" }), old: null },
        {
          what: "UPDATE holiday h1",
          record: holiday("h1", { name: "both", tags: ["a"] }),
          old: holiday("h1", { name: "one" })
        },
        {
          what: "UPDATE holiday h2",
          record: holiday("h2", { name: "both", tags: ["a"] }),
          old: holiday("h2", { name: "two" })
        },
        {
          what: "UPDATE holiday h2",
          record: holiday("h2", { name: "merged", tags: ["a"], updatedBy: "ann" }),
          old: holiday("h2", { name: "both", tags: ["a"] })
        },
        { what: "INSERT holiday h3", record: three, old: null },
        { what: "INSERT holiday h4", record: holiday("h4"), old: null },
        { what: "DELETE holiday h3", record: three, old: null }
      ])
      const rows = select(`SELECT "webhookId", "_outbox"."type", "_outbox"."key", "dueAt" IS NULL
        FROM "_delivery" JOIN "_outbox" USING ("sequence") WHERE "webhookId" = 'w2' ORDER BY "id"`)
      assert.deepStrictEqual(rows, [
        ["w2", "INSERT", "h1", 0],
        ["w2", "INSERT", "h2", 0],
        ["w2", "INSERT", "h3", 0],
        ["w2", "INSERT", "h4", 0],
        // After the insert event of the same row, which is not delivered yet.
        ["w2", "DELETE", "h3", 1]
      ])
    })
  )

  it.scoped("has events for children that the public rules delete with a row, and hides sensitive values", () =>
    Effect.gen(function* () {
      const { events, insert, perform, source } = yield* open
      yield* insert(Catalogue.byName.webhookTable, tables)
      yield* insert(Webhook, [hook("w1", "oauthClient"), hook("w2", "oauthCode")])
      const client = Memory.rowOf(OauthClient, { id: "c1", clientId: "c", clientSecret: "secret 1" })
      yield* insert(OauthClient, [client])
      yield* insert(OauthCode, [Memory.rowOf(OauthCode, { id: "k1", clientId: "c", code: "secret 2" })])
      const common = { owned: { resource: OauthClient, owner }, selection: whole, order: [] }
      yield* perform(
        Mutation.update(dialect, {
          ...common,
          where: [eq(OauthClient, "id", "c1")],
          set: { clientSecret: "secret 3", name: "renamed" },
          source: source()
        })
      )
      const first = { ...common, where: [eq(OauthClient, "id", "c1")], rules: "public", source: source() } as const
      yield* perform(Mutation.remove(dialect, first))
      const written = events()
      assert.notInclude(JSON.stringify(written), "secret ")
      assert.deepStrictEqual(
        written.map(({ what }) => what),
        [
          "INSERT oauthClient c1",
          "INSERT oauthCode k1",
          "UPDATE oauthClient c1",
          "DELETE oauthCode k1",
          "DELETE oauthClient c1"
        ]
      )
      assert.deepStrictEqual(written[2]?.record, { ...client, clientSecret: null, name: "renamed" })
      assert.strictEqual(written[3]?.record.code, null)
    })
  )

  it.scoped("is rolled back with its change", () =>
    Effect.gen(function* () {
      const { calls, events, insert, source, driver } = yield* open
      yield* insert(Catalogue.byName.webhookTable, tables)
      yield* insert(Webhook, [hook("w1", "holiday")])
      const before = calls()
      const { steps } = Mutation.insert(dialect, {
        owned: { resource: Holiday, owner },
        rows: [holiday("h1")],
        revision: 1,
        selection: whole,
        source: source()
      })
      const refused = yield* Effect.flip(CommitQueue.make(driver).change({ steps, resolve: () => Either.left("no") }))
      assert.strictEqual(refused, "no")
      assert.deepStrictEqual(events(), [])
      assert.strictEqual(calls(), before)
    })
  )

  it.scoped("removes the pending events of a deleted webhook", () =>
    Effect.gen(function* () {
      const { insert, perform, select, source } = yield* open
      yield* insert(Catalogue.byName.webhookTable, tables)
      yield* insert(Webhook, [hook("w1", "holiday"), hook("w2", "holiday")])
      select(
        `INSERT INTO "_webhookSecret" ("companyId", "webhookId", "secret", "createdAt") VALUES ('acme', 'w1', 's', 0)`
      )
      yield* insert(Holiday, [holiday("h1")])
      const where = [eq(Webhook, "id", "w1")]
      const owned = { resource: Webhook, owner }
      const first = { owned, selection: whole, order: [], where, rules: "contract", source: source() } as const
      yield* perform(Mutation.remove(dialect, first))
      assert.deepStrictEqual(select(`SELECT "webhookId", "state" FROM "_delivery" ORDER BY "id"`), [
        ["w1", "dropped"],
        ["w2", "pending"]
      ])
      assert.deepStrictEqual(select(`SELECT * FROM "_webhookSecret"`), [])
    })
  )
})
