/** Tests `Idempotency-Key`: a write that is sent again happens once. */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import { assert, type Vitest } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as TestClock from "effect/TestClock"
import { setImmediate } from "node:timers/promises"
import type * as Exchange from "../../src/Exchange.ts"
import * as RowRoute from "../../src/rows/RowRoute.ts"
import * as Sample from "./Sample.ts"
import * as Service from "./Service.ts"

const { companyId } = Service.members.operator
const day = { name: "Founding day", date: "2026-05-01", companyId }
const holidays = "/rest/holiday"

const fresh = Effect.gen(function* () {
  const service = yield* Service.Service
  yield* Sample.clear("operator")
  yield* Sample.clear("rival")
  const count = Effect.map(service.done("GET", holidays), ({ rows }) => rows.length)
  return { ...service, count }
})

const under = (key: string, headers: { readonly [name: string]: string } = {}) => ({
  headers: { "idempotency-key": key, ...headers }
})

/** The repeated part of a response: everything but the headers of the request itself. */
const repeated = ({ headers, status, text }: Service.Reply) => {
  const { "idempotency-replayed": _, "x-request-id": __, "mfg-cost": ___, ...others } = headers
  return { status, headers: others, text }
}

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.effect("answers a repeated write with the first response, and marks it", () =>
    Effect.gen(function* () {
      const { count, done } = yield* fresh
      const create = done("POST", holidays, { body: day, ...under("create-1") })
      const first = yield* create
      assert.isUndefined(first.headers["idempotency-replayed"])
      yield* TestClock.adjust("1 hour")
      const again = yield* create
      assert.strictEqual(again.headers["idempotency-replayed"], "true")
      assert.deepStrictEqual(repeated(again), repeated(first))
      assert.strictEqual(yield* count, 1)

      const address = Sample.address(Catalogue.byName.holiday, first.row)
      const rename = done("PATCH", address, { body: { name: "Changed" }, ...under("change-1") })
      const changed = yield* rename
      yield* done("PATCH", address, { body: { name: "Changed since" } })
      assert.deepStrictEqual(repeated(yield* rename), repeated(changed))
      assert.strictEqual((yield* done("GET", address)).row["name"], "Changed since")

      const remove = done("DELETE", address, under("remove-1"))
      const removed = yield* remove
      assert.deepStrictEqual([removed.status, repeated(yield* remove)], [204, repeated(removed)])
    })
  )

  it.effect("covers lists, PUT, minimal responses and other forms", () =>
    Effect.gen(function* () {
      const { count, done } = yield* fresh
      const minimal = { prefer: "return=minimal" }
      for (const [key, method, target, body, headers] of [
        ["list-1", "POST", holidays, [day, { ...day, name: "Second day" }], {}],
        ["put-1", "PUT", `${holidays}?id=eq.put`, day, {}],
        ["minimal-1", "POST", holidays, day, minimal],
        ["csv-1", "POST", holidays, day, { accept: "text/csv" }]
      ] as const) {
        const ask = done(method, target, { body, ...under(key, headers) })
        const first = yield* ask
        const before = yield* count
        assert.deepStrictEqual(repeated(yield* ask), repeated(first), key)
        assert.strictEqual(yield* count, before, key)
      }
    })
  )

  it.effect("runs a write once that is sent several times at the same time, and answers all of them", () =>
    Effect.gen(function* () {
      const { ask, count } = yield* fresh
      const create = ask("POST", holidays, { body: day, ...under("together") })
      const replies = yield* Effect.all(
        Array.from({ length: 20 }, () => create),
        { concurrency: "unbounded" }
      )
      for (const { status, text } of replies) assert.deepStrictEqual([status, text], [201, replies[0]?.text])
      assert.lengthOf(
        replies.filter(({ headers }) => headers["idempotency-replayed"] === undefined),
        1
      )
      assert.strictEqual(yield* count, 1)
    })
  )

  it.effect("repeats a large response by a read that takes its turn, in every form", () =>
    Effect.gen(function* () {
      const { ask, count, done } = yield* fresh
      const body = Array.from({ length: 10 }, (_, index) => ({ ...day, name: `${index}${"ü".repeat(2000)}` }))
      for (const [key, headers] of [
        ["large", {}],
        ["large-csv", { accept: "text/csv" }],
        ["large-stripped", { accept: "application/vnd.pgrst.array+json;nulls=stripped" }]
      ] as const) {
        const create = done("POST", holidays, { body, ...under(key, { prefer: "return=representation", ...headers }) })
        const first = yield* create
        const before = yield* count
        const again = yield* create
        assert.deepStrictEqual(repeated(again), repeated(first), key)
        assert.strictEqual(again.headers["idempotency-replayed"], "true")
        assert.match(String(first.headers["mfg-cost"]), /^inline;/)
        assert.match(String(again.headers["mfg-cost"]), /^offloaded;/)
        assert.strictEqual(yield* count, before)
        const other = yield* ask("POST", holidays, { body: day, ...under(key) })
        assert.deepStrictEqual(other.verdict, [422, "MF422"])
      }
    })
  )

  it.effect("writes again when the response expires while its repetition begins", () =>
    Effect.gen(function* () {
      const { count, done, world } = yield* fresh
      const member = Service.members.operator
      const expire = world.store.change({
        steps: [{ _tag: "Run", statement: { text: `DELETE FROM "_idempotency"`, parameters: [] } }],
        resolve: Either.right
      })
      const query: typeof world.store.query = (statement, consumer) =>
        Effect.zipRight(Effect.orDie(expire), world.store.query(statement, consumer))
      const route = RowRoute.make({
        world: { ...world, store: { ...world.store, query } },
        consistency: { read: (_, __, read) => read(world.store) },
        maxRows: 1000,
        maxBatch: 1000
      })
      const request: Exchange.Request = {
        method: "POST",
        target: holidays,
        headers: { "idempotency-key": "expired", "content-type": "application/json", prefer: "return=representation" },
        body: JSON.stringify({ ...day, name: "x".repeat(20_000) })
      }
      const caller = { ...member, keyId: "key", scopes: ["*"] as const }
      yield* done("GET", holidays)
      const create = Effect.map(
        route(request, caller, "holiday", { mount: "/rest", search: "", shape: "contract" }),
        (response) => new Service.Reply(response)
      )
      yield* create
      const again = yield* create
      assert.deepStrictEqual([again.status, again.headers["idempotency-replayed"]], [201, undefined])
      assert.strictEqual(yield* count, 2)
    })
  )

  it.effect("refuses another request with the same key, and changes nothing", () =>
    Effect.gen(function* () {
      const { ask, done, world } = yield* fresh
      const { row } = yield* done("POST", holidays, { body: day, ...under("one") })
      const before = yield* world.store.checksum
      const address = Sample.address(Catalogue.byName.holiday, row)
      for (const [method, target, body] of [
        ["POST", holidays, { ...day, name: "Other" }],
        ["POST", `${holidays}?select=id`, day],
        ["PATCH", address, { name: "Other" }],
        ["DELETE", address, undefined]
      ] as const) {
        const reply = yield* ask(method, target, { body, ...under("one") })
        assert.deepStrictEqual(reply.verdict, [422, "MF422"], method)
      }
      assert.deepStrictEqual(yield* world.store.checksum, before)
    })
  )

  it.effect("keeps the keys of users apart", () =>
    Effect.gen(function* () {
      const { count, done } = yield* fresh
      yield* done("POST", holidays, { body: day, ...under("shared") })
      const other = yield* done("POST", holidays, { as: "colleague", body: { ...day, name: "X" }, ...under("shared") })
      assert.isUndefined(other.headers["idempotency-replayed"])
      const foreign = { ...day, companyId: "rival" }
      const theirs = yield* done("POST", holidays, { as: "rival", body: foreign, ...under("shared") })
      assert.isUndefined(theirs.headers["idempotency-replayed"])
      assert.strictEqual(yield* count, 2)
    })
  )

  it.effect("allows another attempt after a refusal or a rollback", () =>
    Effect.gen(function* () {
      const { ask, count, done } = yield* fresh
      const favorites = "/rest/salesOrderFavorite"
      const body = { salesOrderId: "order" }
      yield* done("POST", favorites, { body })
      const again = ask("POST", favorites, { body, ...under("tried") })
      assert.deepStrictEqual((yield* again).verdict, [409, "23505"])
      assert.deepStrictEqual((yield* again).verdict, [409, "23505"])
      yield* done("DELETE", `${favorites}?salesOrderId=eq.order`)
      assert.strictEqual((yield* again).status, 201)

      const dry = yield* done("POST", holidays, { body: day, ...under("dry", { prefer: "tx=rollback" }) })
      assert.strictEqual(dry.status, 201)
      assert.strictEqual(yield* count, 0)
      yield* done("POST", holidays, { body: day, ...under("dry") })
      assert.strictEqual(yield* count, 1)
    })
  )

  it.effect("keeps a response for 24 hours", () =>
    Effect.gen(function* () {
      const { count, done, world } = yield* fresh
      const create = done("POST", holidays, { body: day, ...under("day") })
      yield* create
      yield* TestClock.adjust("23 hours")
      assert.strictEqual((yield* create).headers["idempotency-replayed"], "true")
      yield* TestClock.adjust("1 hour")
      // A request starts the removal of expired responses without waiting for it.
      const passing = Effect.zipRight(count, Effect.promise(setImmediate))
      const kept = () => world.store.read({ text: `SELECT "key" FROM "_idempotency"`, parameters: [] }, "")
      yield* Effect.repeat(Effect.flatMap(passing, kept), { until: Arr.isEmptyReadonlyArray })
      assert.isUndefined((yield* create).headers["idempotency-replayed"])
      assert.strictEqual(yield* count, 2)
    })
  )

  it.effect("refuses an invalid key, and ignores the header in reads", () =>
    Effect.gen(function* () {
      const { ask, count, done } = yield* fresh
      for (const key of ["", "x".repeat(256), "schlüssel", "a\tb"]) {
        const reply = yield* ask("POST", holidays, { body: day, ...under(key) })
        assert.deepStrictEqual(reply.verdict, [400, "MF400"], key)
        assert.include(reply.text, "Idempotency-Key")
      }
      assert.strictEqual(yield* count, 0)
      yield* done("POST", holidays, { body: day, ...under("x".repeat(255)) })
      assert.lengthOf((yield* done("GET", holidays, under(""))).rows, 1)
    })
  )

  it.effect("allows browsers to send the header and to read those of the response", () =>
    Effect.gen(function* () {
      const { done } = yield* fresh
      const origin = "https://app.example"
      const preflight = yield* done("OPTIONS", holidays, {
        headers: { origin, "access-control-request-method": "POST" }
      })
      const allowed = String(preflight.headers["access-control-allow-headers"]).split(", ")
      assert.includeMembers(allowed, ["Idempotency-Key", "If-Match", "If-None-Match"])
      const { headers } = yield* done("GET", holidays, { headers: { origin } })
      const exposed = String(headers["access-control-expose-headers"]).split(", ")
      assert.includeMembers(exposed, ["ETag", "Idempotency-Replayed", "Location"])
    })
  )
}
