/** Tests writes of complete rows: fields that the service sets may be repeated but not changed, and null stays null. */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import { assert, describe, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import * as TestClock from "effect/TestClock"
import type * as Exchange from "../../src/Exchange.ts"
import * as Receiver from "../webhooks/receiver.ts"
import { fresh, holiday, idle, listening, received } from "./Subscriptions.ts"
import * as Sample from "./Sample.ts"
import * as Service from "./Service.ts"

const { companyId, userId } = Service.members.operator

const none: Exchange.Headers = {}
const merge: Exchange.Headers = { prefer: "resolution=merge-duplicates, return=representation" }
const whole: Exchange.Headers = { prefer: "return=representation" }

/** The columns that the service sets, with the key on request. */
const serviceColumns = (resource: Resource.Any): ReadonlyArray<Column.Column> =>
  Column.fromResource(resource).filter(({ name, write }) => write === "never" && name !== resource.key)

/** A value that no row has. */
const other = ({ type }: Column.Column): Json => (type === "timestamp" ? "2019-01-01T00:00:00Z" : "another")

/** The same row in another valid form: timestamps in another zone. */
const rewritten = (resource: Resource.Any, row: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const isMoment = Column.byName(resource).get(name)?.type === "timestamp" && typeof value === "string"
      return [name, isMoment ? value.replace(/Z$/, "+00:00") : value]
    })
  )

/** Rows without the columns that a change sets. */
const settled = (rows: ReadonlyArray<JsonObject>) =>
  rows
    .map((row) => Struct.omit(row, "updatedAt", "updatedBy"))
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  for (const resource of Catalogue.resources) {
    const { key, resource: name } = resource
    const ancestors = Sample.ancestors(resource)

    /** A service with two rows of the resource, of which one was changed, and their parents. */
    const ready = Effect.gen(function* () {
      const service = yield* Service.Service
      const { done } = service
      yield* Sample.clear("operator")
      yield* TestClock.setTime(Date.parse("2026-02-03T04:05:06.007Z"))
      const options: Sample.Options = { parents: yield* Sample.plant("operator", ancestors), companyId }
      const first = yield* done("POST", `/rest/${name}`, { body: Sample.body(resource, 3, options) })
      const { row: second } = yield* done("POST", `/rest/${name}`, { body: Sample.body(resource, 4, options) })
      yield* TestClock.adjust("1 hour")
      const { [key]: _, ...change } = Sample.body(resource, 2, options)
      const { row } = yield* done("PATCH", Sample.address(resource, first.row), { body: change })
      yield* TestClock.adjust("1 hour")
      return { ...service, options, row, second }
    })

    describe(`/${name}`, () => {
      it.effect("accepts a complete row through PATCH, PUT and upsert in both shapes", () =>
        Effect.gen(function* () {
          const { ask, done, options, row, second } = yield* ready
          const keys = [row, second].map((one) => encodeURIComponent(`"${Sample.keyOf(resource, one)}"`))
          for (const mount of ["/rest", "/rest/v1"]) {
            const at = Sample.address(resource, row).replace("/rest", mount)
            const { [key]: _, ...change } = Sample.body(resource, mount === "/rest" ? 5 : 1, options)
            const read = Effect.map(done("GET", `/rest/${name}`), ({ rows }) => rows)
            const edited = Effect.map(done("GET", Sample.address(resource, row)), (reply) => ({
              ...rewritten(resource, reply.row),
              ...change
            }))
            for (const [method, target, headers] of [
              ["PATCH", at, whole],
              ["PUT", at, whole],
              ["POST", `${mount}/${name}`, merge]
            ] as const) {
              const before = yield* read
              const body = yield* edited
              const reply = yield* ask(method, target, { body, headers })
              assert.strictEqual(reply.status, 200, `${method} ${target}: ${reply.text}`)
              const expected = before.map((one) => (one[key] === row[key] ? { ...one, ...change } : one))
              assert.deepStrictEqual(settled(yield* read), settled(expected))
            }
            const before = yield* read
            const upserted = yield* done("POST", `${mount}/${name}`, { body: before, headers: merge })
            assert.deepStrictEqual([upserted.status, settled(upserted.rows)], [200, settled(before)])
            // Values that rows share can be sent to all of them together.
            const shared = Object.fromEntries(
              serviceColumns(resource).flatMap(({ name }) => {
                const [one, ...others] = upserted.rows.map((row) => row[name])
                return one !== undefined && others.every((value) => value === one) ? [[name, one]] : []
              })
            )
            const many = `${mount}/${name}?${key}=in.(${keys.join(",")})`
            const own = "companyId" in change ? { companyId } : {}
            const { rows, status } = yield* done("PATCH", many, { body: { ...own, ...shared }, headers: whole })
            // In PostgREST's shape an update without a change returns no rows.
            const count = mount === "/rest/v1" && !("companyId" in change) ? 0 : 2
            assert.deepStrictEqual([status, rows.length], [200, count])
          }
        })
      )

      it.effect("refuses another value of each field that the service sets, by name, and changes nothing", () =>
        Effect.gen(function* () {
          const { ask, options, row, second, world } = yield* ready
          const before = yield* world.store.checksum
          for (const column of serviceColumns(resource)) {
            for (const value of [other(column), { a: 1 }, 7, row[column.name] === null ? "a" : null]) {
              const given = { ...row, [column.name]: value }
              for (const mount of ["/rest", "/rest/v1"]) {
                const at = Sample.address(resource, row).replace("/rest", mount)
                const all = `${mount}/${name}?${key}=not.is.null`
                const requests: ReadonlyArray<readonly [string, string, Json, Exchange.Headers]> = [
                  ["PATCH", at, given, none],
                  ["PATCH", at, { [column.name]: value }, none],
                  ["PATCH", all, { [column.name]: value }, none],
                  ["PUT", at, given, none],
                  ["POST", `${mount}/${name}`, [second, given], merge],
                  ["POST", `${mount}/${name}`, { ...Sample.body(resource, 5, options), [column.name]: value }, {}]
                ]
                for (const [method, target, body, headers] of requests) {
                  const isDefault = method === "POST" && headers !== merge && value === null
                  if (isDefault) continue
                  const reply = yield* ask(method, target, { body, headers })
                  assert.deepStrictEqual(reply.verdict, [400, "428C9"], `${method} ${target} ${JSON.stringify(body)}`)
                  assert.include(reply.text, `\\"${column.name}\\"`)
                }
              }
            }
          }
          assert.deepStrictEqual(yield* world.store.checksum, before)
        })
      )

      it.effect("accepts in a POST the values that it would set itself, and keeps null in optional fields", () =>
        Effect.gen(function* () {
          const { done, options } = yield* ready
          const own: JsonObject = { companyId, userId, createdBy: userId, updatedAt: null, updatedBy: null }
          const repeated = Object.fromEntries(
            serviceColumns(resource).flatMap(({ name }) => (own[name] === undefined ? [] : [[name, own[name]]]))
          )
          const body = Sample.body(resource, 5, options)
          const { row } = yield* done("POST", `/rest/${name}`, { body: { ...body, ...repeated } })
          assert.deepInclude(row, { ...body, ...repeated })
          const optional = Object.keys(resource.writes).filter((name) => resource.writes[name] === "optional")
          const nulls = Object.fromEntries(optional.map((name) => [name, null]))
          const sparse = Sample.body(resource, 6, { ...options, sparse: true })
          const { row: made } = yield* done("POST", `/rest/${name}`, { body: { ...sparse, ...nulls } })
          assert.deepInclude(made, nulls)
          const patched = yield* done("PATCH", Sample.address(resource, row), { body: nulls })
          assert.deepInclude(patched.row, nulls)
          assert.deepStrictEqual((yield* done("GET", Sample.address(resource, row))).row, patched.row)
        })
      )
    })
  }

  it.effect("refuses a stale updatedAt by name, also without other fields", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      yield* Sample.clear("operator")
      const { row } = yield* done("POST", "/rest/workCenterShift", { body: { workCenterId: "w", shiftId: "s" } })
      const at = `/rest/workCenterShift?id=eq.${String(row["id"])}`
      yield* TestClock.adjust("1 hour")
      const { row: current } = yield* done("PATCH", at, { body: { ...row, shiftId: "t" } })
      for (const body of [{ ...row, shiftId: "u" }, { updatedAt: null }, { updatedAt: "2026-01-01T00:00:00Z" }]) {
        const stale = yield* ask("PATCH", at, { body })
        assert.deepStrictEqual(stale.verdict, [400, "428C9"])
        assert.include(stale.text, "updated")
      }
      const { updatedAt } = current
      const unchanged = yield* done("PATCH", at, { body: { updatedAt } })
      assert.deepStrictEqual([unchanged.status, unchanged.row], [200, current])
      // The row is checked in the state that the condition names.
      const etag = (yield* done("GET", at)).headers["etag"] ?? ""
      const matched = yield* ask("PATCH", at, { body: { updatedAt }, headers: { "if-match": etag } })
      assert.deepStrictEqual([matched.status, matched.row], [200, current])
      const missed = yield* ask("PATCH", at, { body: { updatedAt }, headers: { "if-match": '"1"' } })
      assert.strictEqual(missed.status, 412)
    })
  )

  it.effect("answers for a missing row as without these fields", () =>
    Effect.gen(function* () {
      const { ask } = yield* Service.Service
      yield* Sample.clear("operator")
      const service = { createdBy: "another", createdAt: "2019-01-01T00:00:00Z", updatedBy: "another" }
      for (const body of [{ name: "a", ...service }, service]) {
        const one = yield* ask("PATCH", "/rest/holiday?id=eq.none", { body })
        assert.deepStrictEqual(one.verdict, [404, "PGRST116"])
        const many = yield* ask("PATCH", "/rest/holiday?name=eq.none", { body })
        assert.deepStrictEqual([many.status, many.rows], [200, []])
      }
    })
  )

  it.effect("accepts a filtered PATCH only if every row has the value", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      yield* Sample.clear("operator")
      const { rows } = yield* done("POST", "/rest/holiday", { body: [holiday("a"), holiday("b")] })
      const createdAt = String(rows[0]?.["createdAt"])
      yield* TestClock.adjust("1 hour")
      const patch = (body: JsonObject) => ask("PATCH", "/rest/holiday?name=in.(a,b,c)", { body })
      assert.lengthOf((yield* patch({ createdAt, tags: ["x"] })).rows, 2)
      assert.lengthOf((yield* patch({ createdAt })).rows, 2)
      yield* done("POST", "/rest/holiday", { body: holiday("c") })
      assert.deepStrictEqual((yield* patch({ createdAt, tags: ["y"] })).verdict, [400, "428C9"])
      assert.deepStrictEqual((yield* patch({ id: String(rows[0]?.["id"]) })).verdict, [400, "428C9"])
      const { rows: after } = yield* done("GET", "/rest/holiday?tags=cs.{y}")
      assert.deepStrictEqual(after, [])
    })
  )

  it.effect("creates rows by PUT and upsert only with the values that it would set", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      yield* Sample.clear("operator")
      const body = { ...holiday("a"), id: "new", createdBy: userId, updatedBy: null }
      for (const [method, target] of [
        ["PUT", "/rest/holiday?id=eq.new"],
        ["PUT", "/rest/v1/holiday?id=eq.new"],
        ["POST", "/rest/v1/holiday"]
      ] as const) {
        const headers = method === "POST" ? merge : whole
        for (const wrong of [{ createdBy: "another" }, { updatedBy: userId }, { createdAt: "2019-01-01T00:00:00Z" }]) {
          const reply = yield* ask(method, target, { body: { ...body, ...wrong }, headers })
          assert.deepStrictEqual(reply.verdict, [400, "428C9"])
          assert.include(reply.text, Object.keys(wrong)[0] ?? "")
        }
        assert.strictEqual((yield* done(method, target, { body, headers })).status, 201)
        yield* done("DELETE", "/rest/holiday?id=eq.new")
      }
    })
  )

  it.effect("gives the same responses whatever another company has stored", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      yield* Sample.clear("operator")
      yield* Sample.clear("rival")
      const { row } = yield* done("POST", "/rest/holiday", {
        as: "rival",
        body: { ...holiday("a"), companyId: "rival" }
      })
      yield* TestClock.adjust("1 hour")
      const at = `holiday?id=eq.${String(row["id"])}`
      const answers = (body: JsonObject) =>
        Effect.forEach(
          [
            ["PATCH", `/rest/${at}`, none],
            ["PUT", `/rest/${at}`, none],
            ["POST", "/rest/holiday", merge],
            ["POST", "/rest/v1/holiday", merge]
          ] as const,
          ([method, target, headers]) =>
            Effect.map(ask(method, target, { body, headers }), ({ status, text }) => [status, text])
        )
      const same = yield* answers({ ...row, companyId })
      const others = yield* answers({ ...row, companyId, createdAt: "2019-01-01T00:00:00Z" })
      assert.deepStrictEqual(same, others)
      assert.deepStrictEqual(
        same.map(([status]) => status),
        [404, 400, 400, 400]
      )
      assert.deepStrictEqual((yield* done("GET", `/rest/${at}`, { as: "rival" })).row, row)
    })
  )

  it.scoped("sends no event for a refused row", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      yield* fresh
      const receiver = yield* Receiver.open()
      const { rows } = yield* done("POST", "/rest/holiday", { body: [holiday("a"), holiday("b")] })
      yield* listening(receiver.url)
      const [first = {}, second = {}] = rows
      const wrong = { ...second, name: "B", createdBy: "another" }
      const bulk = [{ ...first, name: "A" }, wrong]
      for (const mount of ["/rest", "/rest/v1"]) {
        const refused = yield* ask("POST", `${mount}/holiday`, { body: bulk, headers: merge })
        assert.deepStrictEqual(refused.verdict, [400, "428C9"])
        yield* ask("PATCH", `${mount}/holiday?name=in.(a,b)`, { body: { name: "C", createdBy: "another" } })
        yield* ask("PUT", `${mount}/holiday?id=eq.${String(second["id"])}`, { body: wrong })
      }
      yield* done("POST", "/rest/holiday", { body: bulk.slice(0, 1), headers: merge })
      yield* idle
      assert.deepStrictEqual(received(receiver), ["UPDATE holiday A"])
    })
  )
}
