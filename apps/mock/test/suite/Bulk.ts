/**
 * Tests writes of many rows: they are one write to their caller, and other callers do not wait for them.
 */
import type { JsonObject } from "@mfgdata/domain/Json"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Measurement from "../Measurement.ts"
import * as Service from "./Service.ts"

const count = 10_000

const row = (index: number): JsonObject => ({
  transferId: `transfer-${index % 7}`,
  itemId: `item-${index}`,
  quantity: index + 0.1,
  shippedQuantity: 0,
  receivedQuantity: 0,
  fromLocationId: "here",
  toLocationId: "there",
  notes: `the "${index}th" line, with a comma`,
  companyId: "acme"
})

const rows = (length: number): ReadonlyArray<JsonObject> => Array.from({ length }, (_, index) => row(index))

const cell = (value: unknown): string => `"${String(value).replaceAll('"', '""')}"`

const csvOf = (rows: ReadonlyArray<JsonObject>): string =>
  [Object.keys(rows[0] ?? {}).join(","), ...rows.map((row) => Object.values(row).map(cell).join(","))].join("\n")

const target = "warehouseTransferLine"

const minimal = { prefer: "return=minimal" }

/** The milliseconds of processor time of this process: another program may take the processor at any time. */
const processorMillis = () => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1000
}

/** The longest processor time for which the event loop does nothing else during some work. */
const longestGap = <E, R>(work: Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    let longest = 0
    let last = processorMillis()
    let next: NodeJS.Immediate
    const turn = () => {
      const now = processorMillis()
      longest = Math.max(longest, now - last)
      last = now
      next = setImmediate(turn)
    }
    next = setImmediate(turn)
    yield* work
    clearImmediate(next)
    return longest
  })

/** The processor time in which this machine copies the rows of a request as JSON. */
const copyMillis = () => {
  const all = rows(count)
  const times = Array.from({ length: 5 }, () => {
    const start = processorMillis()
    JSON.parse(JSON.stringify(all))
    return processorMillis() - start
  })
  return Math.min(...times)
}

/** Generous, because threads of the garbage collector count too: 1 to 2 copies, and 6 to 20 without slices. */
const maximumGap = () => 3 * copyMillis()

/** The number of rows with a note. */
const stored = (ask: Service.Service["Type"]["ask"]) =>
  Effect.map(ask("HEAD", `/rest/${target}?notes=not.is.null`, { headers: { prefer: "count=exact" } }), ({ headers }) =>
    Number(headers["content-range"]?.split("/")[1])
  )

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  for (const [name, headers, body] of [
    ["JSON", { "content-type": "application/json" }, JSON.stringify(rows(count))],
    ["CSV", { "content-type": "text/csv" }, csvOf(rows(count))]
  ] as const) {
    it.effect(`writes ${count} rows of ${name} in slices, between which others are answered`, () =>
      Effect.gen(function* () {
        const { ask, service } = yield* Service.Service
        const before = yield* stored(ask)
        // Without the checks of the suite, which block the event loop for large bodies.
        const request = {
          method: "POST",
          target: `/rest/${target}`,
          headers: { ...headers, ...minimal, authorization: "Bearer mfg_suite_operator" },
          body: new TextEncoder().encode(body)
        }
        let written = 0
        yield* Measurement.isBelow(
          maximumGap(),
          longestGap(
            Effect.gen(function* () {
              const bulk = yield* Effect.fork(service.handle(request))
              let others = 0
              while (bulk.unsafePoll() === null) {
                const [read, write] = yield* Effect.all([
                  ask("GET", "/rest/holiday?limit=1", { as: "rival" }),
                  ask("POST", "/rest/holiday", {
                    as: "rival",
                    body: { name: "Founding day", date: "2027-05-01", companyId: "rival" }
                  })
                ])
                others += 1
                assert.deepStrictEqual([read.status, write.status], [200, 201])
              }
              assert.strictEqual((yield* Fiber.join(bulk)).status, 201)
              assert.isAtLeast(others, 5)
              written += count
            })
          )
        )
        assert.strictEqual(yield* stored(ask), before + written)
      })
    )
  }

  it.effect("returns the rows in order, with exact numbers", () =>
    Effect.gen(function* () {
      const { ask } = yield* Service.Service
      const created = yield* ask("POST", `/rest/${target}?select=itemId,quantity`, { body: rows(3000) })
      assert.deepStrictEqual(
        created.rows,
        rows(3000).map(({ itemId, quantity }) => ({ itemId: itemId ?? null, quantity: quantity ?? null }))
      )
      const whole = yield* ask("POST", `/rest/${target}`, { body: rows(3000) })
      assert.deepStrictEqual(
        whole.rows.map(({ itemId }) => itemId),
        rows(3000).map(({ itemId }) => itemId)
      )
      const ids = whole.rows.map(({ id }) => id)
      const read = yield* ask("GET", `/rest/${target}?id=eq.${String(ids[2999])}`)
      assert.deepStrictEqual(read.row, whole.rows[2999])
      const csv = yield* ask("POST", `/rest/${target}?select=itemId`, {
        body: rows(3000),
        headers: { accept: "text/csv" }
      })
      assert.deepStrictEqual(csv.text.split("\n"), ["itemId", ...rows(3000).map(({ itemId }) => itemId)])
    })
  )

  it.effect("writes all rows or none", () =>
    Effect.gen(function* () {
      const { ask } = yield* Service.Service
      const before = yield* stored(ask)
      const bad = rows(count).map((row, index) => (index === count - 2 ? { ...row, quantity: "many" } : row))
      const refused = yield* ask("POST", `/rest/${target}`, { body: bad })
      assert.deepStrictEqual([refused.status, refused.row["code"]], [400, "22P02"])

      const keyed = rows(2000).map((row, index) => ({ id: `new-${index}`, ...row }))
      const repeated = yield* ask("POST", `/rest/${target}`, {
        headers: { "content-profile": "public", prefer: "resolution=merge-duplicates,return=minimal" },
        body: [...keyed, { ...keyed[0] }]
      })
      assert.deepStrictEqual([repeated.status, repeated.row["code"]], [400, "21000"])
      const rolled = yield* ask("POST", `/rest/${target}`, { body: rows(2000), headers: { prefer: "tx=rollback" } })
      assert.strictEqual(rolled.status, 201)
      assert.strictEqual(yield* stored(ask), before)
    })
  )

  it.effect("writes no row if one in the middle has the key of a stored row", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      const favorites = Array.from({ length: 2000 }, (_, index) => ({ salesOrderId: `order-${index}` }))
      yield* done("POST", "/rest/salesOrderFavorite", { body: [favorites[1500]] })
      for (const prefer of ["return=minimal", "return=representation"]) {
        const refused = yield* ask("POST", "/rest/salesOrderFavorite", { body: favorites, headers: { prefer } })
        assert.deepStrictEqual([refused.status, refused.row["code"]], [409, "23505"])
        assert.include(String(refused.row["message"]), `"salesOrderFavorite_pkey"`)
      }
      const { rows } = yield* done("GET", "/rest/salesOrderFavorite?select=salesOrderId")
      assert.deepStrictEqual(rows, [{ salesOrderId: "order-1500" }])
      const written = yield* done("POST", "/rest/salesOrderFavorite?select=salesOrderId", {
        body: favorites.toSpliced(1500, 1)
      })
      assert.deepStrictEqual(written.rows, favorites.toSpliced(1500, 1))
      const ignored = yield* done("POST", "/rest/salesOrderFavorite?select=salesOrderId", {
        body: [...favorites, { salesOrderId: "order-2000" }],
        headers: { "content-profile": "public", prefer: "resolution=ignore-duplicates,return=representation" }
      })
      assert.deepStrictEqual(ignored.rows, [{ salesOrderId: "order-2000" }])
    })
  )

  it.effect("merges and ignores duplicates of many rows", () =>
    Effect.gen(function* () {
      const { ask } = yield* Service.Service
      const before = yield* stored(ask)
      const keyed = rows(2000).map((row, index) => ({ id: `merged-${index}`, ...row }))
      const upsert = (resolution: string, body: ReadonlyArray<JsonObject>) =>
        ask("POST", `/rest/${target}`, {
          headers: { "content-profile": "public", prefer: `resolution=${resolution},return=representation` },
          body
        })
      assert.strictEqual((yield* upsert("merge-duplicates", keyed)).rows.length, 2000)
      const merged = yield* upsert(
        "merge-duplicates",
        keyed.map((row) => ({ ...row, notes: "merged" }))
      )
      assert.strictEqual(merged.status, 200)
      assert.isTrue(merged.rows.every(({ notes }) => notes === "merged"))
      const ignored = yield* upsert("ignore-duplicates", [...keyed, { ...keyed[0], id: "merged-new" }])
      assert.deepStrictEqual(
        ignored.rows.map(({ id }) => id),
        ["merged-new"]
      )
      assert.strictEqual(yield* stored(ask), before + 2001)
    })
  )

  it.effect("writes many rows once for an idempotency key", () =>
    Effect.gen(function* () {
      const { ask } = yield* Service.Service
      const before = yield* stored(ask)
      const send = ask("POST", `/rest/${target}?select=id`, {
        headers: { "idempotency-key": "bulk" },
        body: rows(2000)
      })
      const first = yield* send
      const second = yield* send
      assert.strictEqual(second.text, first.text)
      assert.strictEqual(second.headers["idempotency-replayed"], "true")
      assert.strictEqual(yield* stored(ask), before + 2000)
    })
  )

  it.effect("refuses one row too many by the name of the limit", () =>
    Effect.gen(function* () {
      const { ask } = yield* Service.Service
      for (const [headers, body] of [
        [{}, rows(count + 1)],
        [{ "content-type": "text/csv" }, csvOf(rows(count + 1))]
      ] as const) {
        const refused = yield* ask("POST", `/rest/${target}`, { headers, body })
        assert.strictEqual(refused.status, 413)
        assert.deepInclude(refused.row, { code: "54000", hint: "Send at most 10000 rows per request." })
        assert.include(String(refused.row["details"]), "--max-batch")
      }
    })
  )

  it.effect("changes and deletes many rows in order, or none, while others are answered", () =>
    Effect.gen(function* () {
      const { ask, service } = yield* Service.Service
      const headers = { authorization: "Bearer mfg_suite_operator", "content-type": "application/json", ...minimal }
      const plant = (fields: JsonObject) => {
        const body = JSON.stringify(rows(count).map((row) => ({ ...row, ...fields, toLocationId: "moved" })))
        return service.handle({ method: "POST", target: `/rest/${target}`, headers, body })
      }
      yield* plant({})
      const found = `/rest/${target}?toLocationId=eq.moved&order=quantity.desc&select=quantity,receivedQuantity`
      const quantities = rows(count)
        .map(({ quantity }) => quantity)
        .toReversed()
      const strict = { prefer: "handling=strict, max-affected=9999, return=minimal" }
      const refused = yield* ask("PATCH", found, { body: { receivedQuantity: 1 }, headers: strict })
      assert.deepStrictEqual([refused.status, refused.row["code"]], [400, "PGRST124"])
      assert.strictEqual((yield* ask("GET", `${found}&limit=1`)).rows[0]?.["receivedQuantity"], 0)
      for (const [method, body, accept] of [
        ["PATCH", { receivedQuantity: 2, fromLocationId: "elsewhere" }, "application/json"],
        ["PATCH", { receivedQuantity: 2 }, "text/csv"],
        ["DELETE", undefined, "application/json"]
      ] as const) {
        const request = {
          method,
          target: found,
          headers: { ...headers, accept, prefer: "return=representation" },
          body: body === undefined ? "" : JSON.stringify(body)
        }
        const expected = quantities.map((quantity) => ({ quantity, receivedQuantity: 2 }))
        const csvLines = ["quantity,receivedQuantity", ...quantities.map((quantity) => `${String(quantity)},2`)]
        const gap = longestGap(
          Effect.gen(function* () {
            const bulk = yield* Effect.fork(service.handle(request))
            let others = 0
            while (bulk.unsafePoll() === null) {
              yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
              assert.strictEqual((yield* ask("GET", "/rest/holiday?limit=1", { as: "rival" })).status, 200)
              others += 1
            }
            const { body, status } = yield* Fiber.join(bulk)
            assert.strictEqual(status, 200)
            assert.isAtLeast(others, 5)
            if (accept === "application/json") assert.deepStrictEqual(JSON.parse(String(body)), expected)
            else assert.strictEqual(String(body), csvLines.join("\n"))
          })
        )
        // After a deletion that is measured again.
        const planted = Effect.flatMap(ask("GET", `${found}&limit=1`), ({ rows }) =>
          rows.length === 0 ? plant({ receivedQuantity: 2 }) : Effect.void
        )
        yield* Measurement.isBelow(maximumGap(), Effect.zipRight(planted, gap))
      }
      assert.deepStrictEqual((yield* ask("GET", found)).rows, [])
    })
  )

  it.effect("refuses to change or delete more rows in one request than it takes", () =>
    Effect.gen(function* () {
      const { ask, service } = yield* Service.Service
      const headers = { authorization: "Bearer mfg_suite_colleague", "content-type": "application/json", ...minimal }
      for (const [length, note] of [
        [count, "first"],
        [1, "last"]
      ] as const) {
        const body = JSON.stringify(rows(length).map((row) => ({ ...row, notes: note, fromLocationId: "wide" })))
        yield* service.handle({ method: "POST", target: `/rest/${target}`, headers, body })
      }
      for (const [method, body] of [
        ["PATCH", { toLocationId: "elsewhere" }],
        ["DELETE", undefined]
      ] as const) {
        const refused = yield* ask(method, `/rest/${target}?fromLocationId=eq.wide`, { body })
        assert.strictEqual(refused.status, 413)
        assert.deepInclude(refused.row, { code: "54000" })
        assert.include(String(refused.row["details"]), "--max-batch")
        const exact = yield* ask(method, `/rest/${target}?fromLocationId=eq.wide&notes=eq.first`, {
          body,
          headers: minimal
        })
        assert.strictEqual(exact.status, 204)
      }
      assert.strictEqual((yield* ask("DELETE", `/rest/${target}?fromLocationId=eq.wide`, {})).status, 204)
    })
  )
}
