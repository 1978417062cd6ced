/** Mirrors services on both stores into both stores. */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as CalendarDate from "@mfgdata/domain/CalendarDate"
import { WebhookId } from "@mfgdata/domain/Ids"
import type { JsonObject } from "@mfgdata/domain/Json"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Instance from "../../../src/service/Instance.ts"
import type * as Settings from "../../../src/Settings.ts"
import * as Postgres from "../../postgres/schema.ts"
import { scratch } from "../../store/scratch.ts"
import * as Service from "./service.ts"

const { changeOrderRequiredAction, holiday, journalLine, kanban, nonConformance, warehouseTransfer, webhook } =
  Catalogue.byName

const secrets = (row: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !["clientSecret", "code", "active"].includes(name)))

const file = (folder: string, name: string): Settings.StoreAddress => ({
  _tag: "Sqlite",
  path: join(folder, name),
  durable: false
})

const stores = {
  SQLite: Effect.map(scratch, (folder) => file(folder, "target.db")),
  PostgreSQL: Postgres.fresh
} as const

/** A source of one resource whose rows are given. */
const scripted = (resource: string, rows: () => ReadonlyArray<JsonObject>) =>
  Service.over(
    HttpClient.make((request, url) =>
      Effect.sync(() => {
        const found = url.pathname === `/rest/${resource}` ? rows() : []
        const key = Catalogue.find(resource)?.key ?? ""
        const after = /^gt\.(.*)$/.exec(url.searchParams.get(key) ?? "")?.[1] ?? ""
        const rest = found.filter((row) => String(row[key]) > after)
        const part = rest
          .slice(Number(url.searchParams.get("offset") ?? 0))
          .slice(0, Number(url.searchParams.get("limit") ?? Infinity))
        const headers = { "content-type": "application/json", "content-range": `*/${found.length}` }
        return HttpClientResponse.fromWeb(request, new Response(JSON.stringify(part), { headers }))
      })
    )
  )

for (const [name, target] of Object.entries(stores)) {
  describe(`Mirror into ${name}`, () => {
    it.scopedLive("keeps ids, times and the order of creation of every resource", () =>
      Effect.gen(function* () {
        const folder = yield* scratch
        const source = yield* Service.serve(file(folder, "source.db"), { seed: { _tag: "Demo" } })
        const store = yield* target
        const report = yield* Service.mirror(source, store, join(folder, "state"))
        const mirrored = yield* Service.serve(store)
        assert.lengthOf(report.outcomes, 29)
        for (const resource of Catalogue.resources) {
          const [expected, actual] = yield* Effect.all([source.list(resource), mirrored.list(resource)])
          assert.isNotEmpty(expected)
          assert.deepStrictEqual(actual.map(secrets), expected.map(secrets), resource.resource)
        }
      })
    )

    it.scopedLive("brings only what is new or changed, reports what is gone, and prunes it", () =>
      Effect.gen(function* () {
        const folder = yield* scratch
        const source = yield* Service.serve(file(folder, "source.db"), { seed: { _tag: "Demo" } })
        const store = yield* target
        const state = join(folder, "state")
        const actions = yield* source.rows.list(changeOrderRequiredAction, { limit: 2 })
        const [other, action] = actions.map(({ id }) => id)
        assert(other !== undefined && action !== undefined)
        yield* source.rows.update(changeOrderRequiredAction, other, { name: "Changed before" })
        const first = yield* Service.mirror(source, store, state)
        assert.isAbove(Service.outcomeOf(first, "holiday")?.counts.created ?? 0, 5)
        const { companyId, id } = (yield* source.rows.list(holiday, { limit: 1 }))[0]!
        const { id: lost } = (yield* source.rows.list(journalLine, { limit: 1 }))[0]!
        const { id: created } = yield* source.rows.create(holiday, {
          name: "New",
          date: CalendarDate.make("2026-05-01"),
          companyId
        })
        yield* source.rows.update(holiday, id, { name: "Renamed" })
        yield* source.rows.update(changeOrderRequiredAction, action, { name: "Renamed" })
        yield* source.rows.remove(journalLine, lost)

        const second = yield* Service.mirror(source, store, state)
        assert.deepInclude(Service.outcomeOf(second, "holiday")?.counts, { created: 1, changed: 1 })
        assert.deepInclude(Service.outcomeOf(second, "kanban")?.counts, { created: 0, changed: 0 })
        // A resource with updatedAt is read from the last change.
        assert.deepInclude(Service.outcomeOf(second, "changeOrderRequiredAction"), {
          isIncremental: true,
          // That of the last change is read again.
          counts: { read: 2, created: 0, changed: 1, reread: 0 }
        })
        assert.deepStrictEqual(
          second.gone.map(({ keys, pruned, resource }) => ({ keys, pruned, resource })),
          [{ resource: "journalLine", keys: [lost], pruned: false }]
        )
        const third = yield* Service.mirror(source, store, state, { prune: true })
        assert.strictEqual(third.gone[0]?.pruned, true)
        assert.deepStrictEqual((yield* Service.mirror(source, store, state)).gone, [])
        const mirrored = yield* Service.serve(store)
        for (const resource of [holiday, changeOrderRequiredAction, journalLine]) {
          assert.deepStrictEqual(yield* mirrored.list(resource), yield* source.list(resource))
        }
        assert.strictEqual((yield* mirrored.rows.retrieve(holiday, created)).name, "New")
      })
    )

    it.scopedLive("keeps rows that the types do not foresee as they came, and reports them", () =>
      Effect.gen(function* () {
        const folder = yield* scratch
        const demo = yield* Service.serve(file(folder, "source.db"), { seed: { _tag: "Demo" } })
        const [sample = {}] = yield* demo.list(nonConformance)
        const odd = {
          ...sample,
          id: "nc_odd",
          approvalRequirements: ["Manager", "Quality"],
          status: "Escalated",
          quantity: "12.50",
          containment: { shift: 2 }
        }
        const source = yield* scripted("nonConformance", () => [odd])
        const store = yield* target
        const report = yield* Service.mirror(source, store, join(folder, "state"), { resources: [nonConformance] })
        const found = report.unforeseen.map(
          ({ column, found, problem, rows }) => `${column}: ${problem} ${found} ${rows}`
        )
        assert.sameMembers(found, [
          "approvalRequirements: other type array 1",
          "status: unknown value Escalated 1",
          "quantity: other type text 1",
          "containment: unknown column object 1"
        ])
        const mirrored = yield* Effect.scoped(
          Effect.flatMap(Service.serve(store), (service) => service.list(nonConformance))
        )
        assert.deepStrictEqual(mirrored, [odd])

        // They are not damage, and a snapshot restores them as they came, on the other kind of store too.
        const snapshot = join(folder, "all.ndjson.gz")
        const settings = { store, rules: "contract" } as const
        const problems = yield* Effect.scoped(
          Effect.flatMap(Instance.open(settings), ({ store }) =>
            Effect.zipRight(store.save(snapshot), store.integrityProblems)
          )
        )
        assert.deepStrictEqual(problems, [])
        for (const restored of [file(folder, "restored.db"), yield* Postgres.fresh]) {
          yield* Effect.scoped(
            Effect.flatMap(Instance.open({ ...settings, store: restored }), ({ store }) => store.restore(snapshot))
          )
          const service = yield* Service.serve(restored)
          assert.deepStrictEqual(yield* service.list(nonConformance), [odd])
        }
      })
    )
  })
}

describe("Mirror", () => {
  for (const face of ["/rest", "/rest/v1"]) {
    it.scopedLive(`reads a service on PostgreSQL at ${face}`, () =>
      Effect.gen(function* () {
        const folder = yield* scratch
        const source = yield* Service.serve(yield* Postgres.fresh, { seed: { _tag: "Demo" }, face })
        const store = file(folder, "target.db")
        yield* Service.mirror(source, store, join(folder, "state"))
        const mirrored = yield* Service.serve(store)
        for (const resource of Catalogue.resources) {
          assert.deepStrictEqual(
            (yield* mirrored.list(resource)).map(secrets),
            (yield* source.list(resource)).map(secrets),
            resource.resource
          )
        }
      })
    )
  }

  it.scopedLive("selects rows, and reports references to those that were left out", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const source = yield* Service.serve(file(folder, "source.db"), { seed: { _tag: "Demo" } })
      const store = file(folder, "target.db")
      const report = yield* Service.mirror(source, store, join(folder, "state"), {
        resources: [warehouseTransfer, Catalogue.byName.warehouseTransferLine, kanban],
        where: new Map([["warehouseTransfer", [["status", "eq.Draft"] as const]]]),
        limit: 3
      })
      const mirrored = yield* Service.serve(store)
      const [transfers, kanbans] = yield* Effect.all([mirrored.list(warehouseTransfer), mirrored.list(kanban)])
      assert.isTrue(transfers.length > 0 && transfers.every(({ status }) => status === "Draft"))
      assert.lengthOf(kanbans, 3)
      const [dangling] = report.dangling
      assert.deepInclude(dangling, {
        resource: "warehouseTransferLine",
        column: "transferId",
        parent: "warehouseTransfer.id"
      })
      assert.isAbove(dangling?.rows ?? 0, 0)
    })
  )

  it.scopedLive("mirrors webhooks as inactive, so that their subscribers get no events", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const source = yield* Service.serve(file(folder, "source.db"), { seed: { _tag: "Demo" } })
      const [{ id } = { id: "" }] = yield* source.list(webhook)
      yield* source.rows.update(webhook, WebhookId.make(String(id)), { active: true })
      const store = file(folder, "target.db")
      const report = yield* Service.mirror(source, store, join(folder, "state"))
      const mirrored = yield* Service.serve(store)
      const webhooks = yield* mirrored.list(webhook)
      assert.isTrue((yield* source.list(webhook)).some(({ active }) => active === true))
      assert.isTrue(webhooks.length === report.paused && webhooks.every(({ active }) => active === false))
    })
  )

  it.scopedLive("never copies a secret", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const source = yield* Service.serve(file(folder, "source.db"), { seed: { _tag: "Demo" } })
      const into = yield* scratch
      yield* Service.mirror(source, file(into, "target.db"), join(into, "state"))
      const clients = yield* source.list(Catalogue.byName.oauthClient)
      const values = clients.flatMap(({ clientSecret }) => (typeof clientSecret === "string" ? [clientSecret] : []))
      assert.isNotEmpty(values)
      const bytes = Buffer.concat(readdirSync(into).map((name) => readFileSync(join(into, name))))
      for (const value of values) assert.isFalse(bytes.includes(value))
    })
  )

  it.scopedLive("reports the rows that the public rules refuse, and keeps the others", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const demo = yield* Service.serve(file(folder, "source.db"), { seed: { _tag: "Demo" } })
      const [sample = {}] = yield* demo.list(Catalogue.byName.paymentTerm)
      const rows = [
        { ...sample, id: "a", name: "One", daysDue: 1 },
        { ...sample, id: "b", name: "One", daysDue: 2 }
      ]
      const source = yield* scripted("paymentTerm", () => rows)
      const store = file(folder, "target.db")
      const resources = [Catalogue.byName.paymentTerm]
      const report = yield* Service.mirror(source, store, join(folder, "state"), { resources, storeRules: "public" })
      const [outcome] = report.outcomes
      assert.deepStrictEqual(
        outcome?.refused.map(({ key }) => key),
        ["b"]
      )
      assert.include(outcome?.refused[0]?.reason, "name")
      assert.strictEqual(outcome?.counts.created, 1)
    })
  )

  it.scopedLive("reports a source whose rows change while they are read", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const demo = yield* Service.serve(file(folder, "source.db"), { seed: { _tag: "Demo" } })
      const [sample = {}] = yield* demo.list(holiday)
      let requests = 0
      const source = yield* scripted("holiday", () => {
        const rows = Array.from({ length: 5 }, (_, index) => ({ ...sample, id: `h${index}` }))
        // The new row is before those that were read.
        return ++requests > 4 ? [{ ...sample, id: "a" }, ...rows] : rows
      })
      const report = yield* Service.mirror(source, file(folder, "target.db"), join(folder, "state"), {
        resources: [holiday]
      })
      assert.deepStrictEqual(Service.outcomeOf(report, "holiday")?.unsteady, { read: 5, now: 6 })
    })
  )

  it.scopedLive("mirrors a service that neither counts nor lists by offset, and reports rows without a key", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const demo = yield* Service.serve(file(folder, "source.db"), { seed: { _tag: "Demo" } })
      const [sample = {}] = yield* demo.list(holiday)
      const rows = [
        { ...sample, id: "a" },
        { ...sample, id: 7 }
      ]
      const source = yield* Service.over(
        HttpClient.make((request, url) =>
          Effect.sync(() => {
            const { searchParams } = url
            const isRefused = searchParams.has("offset") || request.headers["prefer"] !== undefined
            const refusal = { code: "PGRST100", message: "not supported", details: null, hint: null }
            const body = searchParams.get("id")?.startsWith("gt.") === true ? [] : rows
            return HttpClientResponse.fromWeb(
              request,
              isRefused ? Response.json(refusal, { status: 400 }) : Response.json(body)
            )
          })
        )
      )
      const store = file(folder, "target.db")
      const report = yield* Service.mirror(source, store, join(folder, "state"), { resources: [holiday] })
      const outcome = Service.outcomeOf(report, "holiday")
      assert.strictEqual(outcome?.order, "by key")
      assert.deepStrictEqual(outcome?.refused, [{ key: "", reason: "its id is not text" }])
      const mirrored = yield* Service.serve(store)
      assert.deepStrictEqual(yield* mirrored.list(holiday), rows.slice(0, 1))
    })
  )

  it.scopedLive("reads rows again that changed after they were read", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const inner = yield* Service.serve(file(folder, "source.db"), { seed: { _tag: "Demo" } })
      const [action] = yield* inner.rows.list(changeOrderRequiredAction, { limit: 1 })
      let isChanged = false
      const source = yield* Service.over(
        HttpClient.make((request, url) =>
          Effect.gen(function* () {
            const response = yield* inner.client.execute(request)
            // The first page of rows is on its way when one of them changes.
            if (
              !isChanged &&
              url.pathname.endsWith("/changeOrderRequiredAction") &&
              url.search.includes("limit=1000")
            ) {
              isChanged = true
              yield* Effect.orDie(inner.rows.update(changeOrderRequiredAction, action!.id, { name: "Meanwhile" }))
            }
            return response
          })
        )
      )
      const store = file(folder, "target.db")
      const report = yield* Service.mirror(source, store, join(folder, "state"))
      assert.isTrue(isChanged)
      assert.strictEqual(Service.outcomeOf(report, "changeOrderRequiredAction")?.counts.reread, 1)
      const mirrored = yield* Service.serve(store)
      assert.strictEqual((yield* mirrored.rows.retrieve(changeOrderRequiredAction, action!.id)).name, "Meanwhile")
    })
  )

  it.scopedLive("refuses a rule for a column that does not exist, before it writes anything", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const source = yield* Service.serve(file(folder, "source.db"), { seed: { _tag: "Demo" } })
      const into = yield* scratch
      const error = yield* Effect.flip(
        Service.mirror(source, file(into, "target.db"), join(into, "state"), {
          rulesName: "rules.json",
          rules: { rules: { "warehouseTransfer.note": "text", "*.phnoe": "null", "kanban.quantity": "hash" } }
        })
      )
      assert.strictEqual(error._tag, "ScrubRulesInvalid")
      assert.include(error.message, "rules.json")
      assert.include(error.message, "warehouseTransfer has no column note: did you mean notes?")
      assert.include(error.message, "no resource has a column phnoe")
      assert.include(error.message, "kanban.quantity has the type number and no null: expected keep, number, got hash")
      assert.deepStrictEqual(readdirSync(into), [])
    })
  )

  it.scopedLive("refuses to mirror a second source into the same store", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const source = yield* Service.serve(file(folder, "source.db"), { seed: { _tag: "Demo" } })
      const store = file(folder, "target.db")
      const state = join(folder, "state")
      yield* Service.mirror(source, store, state, { resources: [kanban] })
      const other = { ...source, address: { ...source.address, restUrl: "http://other.test/rest" } }
      const error = yield* Effect.flip(Service.mirror(other, store, state, { resources: [kanban] }))
      assert.include(error.message, "the store has rows of http://source.test/rest")
      assert.isTrue(existsSync(state))
    })
  )
})
