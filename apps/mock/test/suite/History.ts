/**
 * Tests the history of the rows: reads as of a time against the answers of that time.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type { JsonObject } from "@mfgdata/domain/Json"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { at, created, holiday, listed, manage, now, tick } from "./Administration.ts"
import * as Sample from "./Sample.ts"
import * as Service from "./Service.ts"

const { companyId } = Service.members.operator

/** Random numbers below a limit, the same in every run. */
const random = (seed: number) => {
  let state = seed
  return (limit: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return ((state ^ (state >>> 13)) >>> 0) % limit
  }
}

/** Doubles whose decimal text has up to 17 digits. */
const doubles = [0.1 + 0.2, 1e23, 123456789.12345679, 5e-324, 4.35, 2 ** 53, -1 / 3]

const fulfillment = (quantity: number, type = "Inventory"): JsonObject => ({
  salesOrderLineId: `line ${quantity > 0}`,
  type,
  quantity,
  companyId
})

/** Targets of reads whose answers are compared, with their headers. */
const reads: ReadonlyArray<readonly [target: string, headers?: { readonly [name: string]: string }]> = [
  ...Catalogue.resources.map(({ resource }) => [`/rest/${resource}`] as const),
  ["/rest/warehouseTransfer?select=*,lines:warehouseTransferLine(*)"],
  ["/rest/warehouseTransfer?select=transferId,n:warehouseTransferLine(count)", { prefer: "count=exact" }],
  ["/rest/warehouseTransfer?select=transferId,warehouseTransferLine!inner(itemId)&warehouseTransferLine.quantity=gt.1"],
  ["/rest/warehouseTransferLine?select=itemId,quantity,warehouseTransfer(transferId,status)&order=itemId.desc&limit=3"],
  ["/rest/fulfillment?order=quantity.desc&limit=3&offset=1", { prefer: "count=exact" }],
  ["/rest/fulfillment?select=type,quantity.sum(),quantity.max(),count()"],
  ...doubles.map((double) => [`/rest/fulfillment?quantity=eq.${encodeURIComponent(String(double))}`] as const),
  ["/rest/fulfillment?createdAt=gt.1970-01-01T00:00:20Z&select=id,quantity"],
  ["/rest/holiday?or=(year.gt.2026,name.like.*1*)&select=name,tags,customFields->number", { accept: "text/csv" }],
  ["/rest/salesOrderFavorite?order=salesOrderId"]
]

/** The answers to the reads, in the company of an operator and in another one. */
const answers = (timestamp?: string) =>
  Effect.gen(function* () {
    const { ask } = yield* Service.Service
    const found: Array<unknown> = []
    for (const as of ["operator", "colleague", "rival"] as const) {
      for (const [target, headers = {}] of reads) {
        const dated = timestamp === undefined ? headers : { ...headers, ...at(timestamp).headers }
        const reply = yield* ask("GET", target, { as, headers: dated })
        assert.strictEqual(
          reply.headers["memento-datetime"] !== undefined,
          timestamp !== undefined,
          `${target}: ${reply.text.slice(0, 400)}`
        )
        found.push([as, target, reply.status, reply.headers["content-range"], reply.text])
      }
    }
    return found
  })

/** Resources without secrets, which are not kept. */
const plain = Catalogue.resources.filter((resource) => Column.sensitiveNames(resource).length === 0)

/** One random change of random rows. */
const change = (draw: (limit: number) => number, step: number) =>
  Effect.gen(function* () {
    const { ask } = yield* Service.Service
    const as = (["operator", "colleague", "rival"] as const)[draw(3)] ?? "operator"
    const owner = Service.members[as].companyId
    const quantity = doubles[draw(doubles.length)] ?? 0
    if (draw(3) === 0) {
      const rows = Array.from({ length: 1 + draw(3) }, () => ({ ...fulfillment(quantity), companyId: owner }))
      return yield* ask("POST", "/rest/fulfillment", { as, body: rows })
    }
    const resource = plain[draw(plain.length)] ?? Catalogue.byName.holiday
    const { key, resource: name } = resource
    const target = `/rest/${name}`
    const found = (yield* ask("GET", target, { as })).rows
    const row = found[draw(Math.max(found.length, 1))]
    const where = `${target}?${key}=eq.${encodeURIComponent(String(row?.[key]))}`
    const body = Sample.body(resource, step % 9, { companyId: owner, parents: new Map(), sparse: draw(2) === 0 })
    switch (row === undefined ? 0 : draw(5)) {
      case 0:
      case 1:
        return yield* ask("POST", target, { as, body })
      case 2: {
        const columns = Column.fromResource(resource).filter(({ write }) => write !== "never")
        const column = columns[draw(columns.length)]
        const value = column === undefined ? null : column.type === "number" ? quantity : Sample.value(column, draw(9))
        return yield* ask("PATCH", where, { as, body: column === undefined ? {} : { [column.name]: value } })
      }
      case 3:
        return yield* ask("PATCH", `${target}?${key}=not.is.null`, { as, body })
      default:
        return yield* ask("DELETE", draw(4) === 0 ? `${target}?${key}=not.is.null` : where, { as })
    }
  })

/**
 * Tests reads as of a time: with the whole query language, against the answers of that time, for a number of moments with
 * random changes between them.
 */
export const suite = (it: Vitest.MethodsNonLive<Service.Service>, moments = 10): void => {
  it.effect("reads as of a time answer as the rows were then, whatever has changed since", () =>
    Effect.gen(function* () {
      const draw = random(7)
      const remembered: Array<readonly [timestamp: string, answers: ReadonlyArray<unknown>]> = []
      for (let step = 0; step < 16 * moments; step++) {
        yield* TestClock.adjust("1250 millis")
        yield* change(draw, step)
        if (step % 16 === 15) remembered.push([yield* now, yield* answers()])
      }
      yield* tick
      assert.isAbove(new Set(remembered.map(([, found]) => JSON.stringify(found))).size, moments - 2)
      for (const [timestamp, expected] of remembered) assert.deepStrictEqual(yield* answers(timestamp), expected)
      const [timestamp, expected] = remembered[2] ?? ["", []]
      const { status, value } = yield* manage("POST", "/worlds/main/rewind", { to: timestamp })
      assert.strictEqual(status, 200, JSON.stringify(value))
      assert.deepStrictEqual(yield* answers(), expected)
    })
  )

  it.effect("reads a date of HTTP as the whole second, and a timestamp as a moment", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      const { row, target } = yield* created("moments")
      yield* TestClock.adjust("400 millis")
      const before = yield* now
      yield* TestClock.adjust("1 millis")
      yield* done("PATCH", target, { body: { name: "later" } })
      yield* tick
      const one = yield* done("GET", target, at(before))
      assert.deepStrictEqual(one.row, row)
      const date = new Date(before).toUTCString()
      assert.strictEqual(one.headers["memento-datetime"], date)
      assert.include(one.headers["vary"], "Accept-Datetime")
      assert.strictEqual((yield* done("GET", target, at(date))).row["name"], "later")
    })
  )

  it.effect("answers for rows that did not exist yet, were deleted, or changed their key", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      yield* tick
      const start = yield* now
      yield* tick
      const { id, row, target } = yield* created("short-lived")
      const during = yield* now
      yield* tick
      yield* done("DELETE", target)
      yield* tick
      yield* done("PUT", target, { body: { ...holiday("again"), id }, headers: { "content-profile": "public" } })
      yield* tick
      assert.deepStrictEqual((yield* ask("GET", target, at(start))).status, 404)
      assert.deepStrictEqual((yield* done("GET", target, at(during))).row, row)
      assert.strictEqual((yield* ask("GET", target, { as: "rival", ...at(during) })).status, 404)
      yield* done("POST", "/rest/salesOrderFavorite", { body: { salesOrderId: "so 1" } })
      const favorite = yield* now
      yield* tick
      yield* done("PATCH", "/rest/salesOrderFavorite?salesOrderId=eq.so%201", { body: { salesOrderId: "so 2" } })
      yield* tick
      const names = (as: Service.Who, timestamp: string) =>
        Effect.map(
          done("GET", "/rest/salesOrderFavorite?salesOrderId=like.so*", { as, ...at(timestamp) }),
          ({ rows }) => rows.map((row) => row["salesOrderId"])
        )
      assert.include(yield* names("operator", favorite), "so 1")
      assert.include(yield* names("operator", yield* now), "so 2")
      assert.notInclude(yield* names("operator", yield* now), "so 1")
      assert.notInclude(yield* names("colleague", favorite), "so 1")
    })
  )

  it.effect("refuses times that are malformed, in the future or before the history, and writes", () =>
    Effect.gen(function* () {
      const { ask } = yield* Service.Service
      const verdict = (method: string, target: string, timestamp: string, body?: unknown) =>
        Effect.map(ask(method, target, { ...at(timestamp), body }), (reply) => reply.verdict)
      assert.deepStrictEqual(yield* verdict("GET", "/rest/holiday", "yesterday"), [400, "22007"])
      assert.deepStrictEqual(yield* verdict("GET", "/rest/holiday", "2100-01-01T00:00:00Z"), [400, "22008"])
      assert.deepStrictEqual(yield* verdict("GET", "/rest/holiday", "1960-01-01T00:00:00Z"), [410, "MF410"])
      const past = yield* now
      assert.deepStrictEqual(yield* verdict("POST", "/rest/holiday", past, holiday("a")), [405, "MF405"])
      assert.deepStrictEqual(yield* verdict("DELETE", "/rest/holiday?id=eq.a", past), [405, "MF405"])
    })
  )

  it.effect("keeps no secret, and answers one as of a time only if it never changed", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* tick
      const body = {
        name: "client",
        clientId: "history",
        tokenEndpointAuthMethod: "none",
        redirectUris: [],
        grantTypes: [],
        responseTypes: [],
        clientSecret: "a secret of some length",
        companyId
      }
      const { row } = yield* done("POST", "/rest/oauthClient", { body })
      const target = `/rest/oauthClient?id=eq.${String(row["id"])}`
      const first = yield* now
      yield* tick
      yield* done("PATCH", target, { body: { name: "renamed" } })
      yield* tick
      const same = yield* done("GET", target, at(first))
      assert.deepStrictEqual([same.row, same.headers["warning"]], [row, undefined])
      yield* done("PATCH", target, { body: { clientSecret: "another secret of some length" } })
      yield* tick
      const hidden = yield* done("GET", target, at(first))
      assert.deepStrictEqual(hidden.row, { ...row, clientSecret: null })
      assert.include(hidden.headers["warning"], "null")
      const entries = yield* listed(`?resource=oauthClient&key=${String(row["id"])}`)
      assert.lengthOf(entries, 3)
      assert.notInclude(JSON.stringify(entries), "of some length")
      const { status, value } = yield* manage("POST", `/history/${entries[0]?.sequence}/undo`)
      assert.strictEqual(status, 409)
      assert.include(JSON.stringify(value), "secret")
      yield* done("DELETE", target)
    })
  )
}
