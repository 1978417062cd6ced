/**
 * The differences between two worlds.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { layer, World } from "../../src/testing.ts"
import { admin, create, insert, refuses, rows, send } from "./requests.ts"

const diff = (query: string) =>
  Effect.map(admin("GET", `/diff?${query}`), ({ status, text }): AdminApi.WorldDiff => {
    assert.strictEqual(status, 200, text)
    return JSON.parse(text)
  })

describe("the diff of two worlds", () => {
  it.effect("lists the rows that one of them has, and the fields that differ", () =>
    Effect.gen(function* () {
      const { key } = yield* create({ name: "one" })
      const same = yield* diff("from=main&to=one")
      assert.deepStrictEqual(same, { from: "main", to: "one", resources: {}, next: null })
      const [first = {}, second = {}] = yield* rows(key, "holiday")
      const added = yield* insert(key, "Mine")
      const id = (row: { readonly [field: string]: unknown }) => String(row["id"])
      yield* send(key, `/rest/holiday?id=eq.${id(first)}`, { method: "PATCH", body: { name: "Renamed" } })
      yield* send(key, `/rest/holiday?id=eq.${id(second)}`, { method: "DELETE" })
      const { resources } = yield* diff("from=main&to=one")
      assert.deepStrictEqual(Object.keys(resources), ["holiday"])
      const { added: rowsAdded, changed, removed } = resources["holiday"] ?? { added: [], removed: [], changed: [] }
      assert.deepStrictEqual<unknown>(rowsAdded, [added])
      assert.deepStrictEqual<unknown>(removed, [second])
      assert.lengthOf(changed, 1)
      assert.include(changed[0], { key: id(first), companyId: (yield* World).companyId })
      assert.deepStrictEqual(changed[0]?.fields["name"], { from: String(first["name"]), to: "Renamed" })
      assert.notProperty(changed[0]?.fields, "date")
      const back = yield* diff("from=one&to=main")
      assert.deepStrictEqual<unknown>(back.resources["holiday"]?.removed, [added])
      assert.deepStrictEqual((yield* diff("from=main&to=one&resource=kanban")).resources, {})
    }).pipe(Effect.provide(layer()))
  )

  it.effect("comes in pages, which together have every difference once", () =>
    Effect.gen(function* () {
      const { key } = yield* create({ name: "one" })
      const { companyId } = yield* World
      const holidays = Array.from({ length: 23 }, (_, index) => ({
        name: `Day ${index}`,
        date: "2027-01-01",
        companyId
      }))
      yield* send(key, "/rest/holiday", { method: "POST", body: holidays })
      yield* send(key, "/rest/kanban?quantity=gte.0", { method: "PATCH", body: { quantity: 7 } })
      const whole = yield* diff("from=main&to=one&limit=1000")
      for (const options of ["", "&ignoreIds=true"]) {
        const names: Array<unknown> = []
        const changed: Array<unknown> = []
        let after = ""
        for (let pages = 0; pages < 100; pages++) {
          const page = yield* diff(`from=main&to=one&limit=5${options}${after}`)
          names.push(...(page.resources["holiday"]?.added ?? []).map(({ name }) => name))
          changed.push(...(page.resources["kanban"]?.changed ?? []).map(({ key }) => key))
          if (page.next === null) break
          after = `&after=${page.next}`
        }
        assert.lengthOf(names, holidays.length)
        assert.sameMembers(
          names,
          holidays.map(({ name }) => name)
        )
        assert.deepStrictEqual<unknown>(
          changed,
          (whole.resources["kanban"]?.changed ?? []).map(({ key }) => key)
        )
      }
    }).pipe(Effect.provide(layer()))
  )

  it.effect("compares contents without ids and times on request", () =>
    Effect.gen(function* () {
      const one = yield* create({ name: "one" })
      const two = yield* create({ name: "two" })
      for (const { key } of [one, two]) {
        yield* insert(key, "Both")
        yield* insert(key, "Both")
      }
      yield* insert(two.key, "Both")
      yield* insert(two.key, "Second only")
      const { resources } = yield* diff("from=one&to=two")
      assert.lengthOf(resources["holiday"]?.removed ?? [], 2)
      assert.lengthOf(resources["holiday"]?.added ?? [], 4)
      const content = (yield* diff("from=one&to=two&ignoreIds=true")).resources["holiday"]
      assert.lengthOf(content?.removed ?? [], 0)
      assert.sameMembers(
        (content?.added ?? []).map(({ name }) => name),
        ["Both", "Second only"]
      )
    }).pipe(Effect.provide(layer()))
  )

  it.effect("shows no secret", () =>
    Effect.gen(function* () {
      const { key } = yield* create({ name: "one" })
      const { companyId } = yield* World
      const client = {
        name: "App",
        clientId: "app",
        redirectUris: [],
        grantTypes: [],
        responseTypes: [],
        tokenEndpointAuthMethod: "none",
        clientSecret: "hush-hush",
        companyId
      }
      const { status, text } = yield* send(key, "/rest/oauthClient", { method: "POST", body: client })
      assert.strictEqual(status, 201, text)
      yield* create({ name: "two", from: "one" })
      const added = yield* diff("from=main&to=one")
      assert.notInclude(JSON.stringify(added), "hush-hush")
      assert.lengthOf(added.resources["oauthClient"]?.added ?? [], 1)
      const id = String(JSON.parse(text).id)
      yield* send(key, `/rest/oauthClient?id=eq.${id}`, { method: "PATCH", body: { clientSecret: "other-secret" } })
      const changed = yield* diff("from=one&to=two")
      assert.deepStrictEqual(changed.resources["oauthClient"]?.changed[0]?.fields, {
        clientSecret: { from: null, to: null }
      })
    }).pipe(Effect.provide(layer()))
  )

  it.effect("compares snapshots, and what a world was when it was made", () =>
    Effect.gen(function* () {
      const { key } = yield* create({ name: "one" })
      yield* insert(key, "First")
      yield* admin("POST", "/worlds/one/snapshots", { name: "first" })
      yield* admin("POST", "/worlds/main/snapshots", { name: "first" })
      yield* insert(key, "Second")
      const added = (query: string) =>
        Effect.map(diff(query), ({ resources }) => (resources["holiday"]?.added ?? []).map(({ name }) => name))
      assert.deepStrictEqual(yield* added("from=one:first&to=one"), ["Second"])
      assert.sameMembers(yield* added("from=one:&to=one"), ["First", "Second"])
      assert.deepStrictEqual(yield* added("from=main:first&to=one:first"), ["First"])
      yield* refuses(admin("GET", "/diff?from=one:none&to=one"), 404, "NOT_FOUND", `has no snapshot "none"`)
      yield* refuses(admin("GET", "/diff?from=main:none&to=one"), 404, "NOT_FOUND", `has no snapshot "none"`)
    }).pipe(Effect.provide(layer()))
  )

  it.effect("refuses what it does not know", () =>
    Effect.gen(function* () {
      yield* refuses(admin("GET", "/diff?from=main&to=nowhere"), 404, "NOT_FOUND", `no world "nowhere"`)
      yield* refuses(
        admin("GET", "/diff?from=main&to=main&resource=planet"),
        400,
        "BAD_REQUEST",
        `no resource "planet"`
      )
      yield* refuses(admin("GET", "/diff?from=main&to=main&after=x"), 400, "BAD_REQUEST", `Invalid "after"`)
      yield* refuses(admin("GET", "/diff?from=main"), 400, "BAD_REQUEST", "does not match")
    }).pipe(Effect.provide(layer()))
  )
})
