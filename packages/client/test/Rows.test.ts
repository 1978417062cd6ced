import { assert, describe, it } from "@effect/vitest"
import { Rows } from "@mfgdata/client"
import {
  CompanyId,
  Holiday,
  Query,
  WarehouseTransfer,
  WarehouseTransferId,
  WarehouseTransferLine
} from "@mfgdata/domain"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Metric from "effect/Metric"
import * as Stream from "effect/Stream"
import { id, row, values } from "./fixtures/holiday.ts"
import { key, errorBody, type Reply, restUrl, rows as scripted } from "./fixtures/scripted.ts"

const one: Reply = { status: 200, body: row, headers: { etag: '"7"' } }
const none: Reply = { status: 200, body: [] }

describe("the requests of", () => {
  const target = (
    reply: Reply,
    call: (rows: Effect.Effect.Success<ReturnType<typeof scripted>>["rows"]) => Effect.Effect<unknown, unknown>
  ) =>
    Effect.gen(function* () {
      const { requests, rows } = yield* scripted([reply])
      yield* Effect.ignore(call(rows))
      return requests.map(({ method, target }) => `${method} ${decodeURIComponent(target).replace("/rest", "")}`)
    })

  it.effect("each method have the targets of the contract", () =>
    Effect.gen(function* () {
      const where = { status: Query.in(["Draft", "To Ship"]) }
      assert.deepStrictEqual(
        [
          yield* target(none, (rows) => rows.list(Holiday)),
          yield* target(none, (rows) =>
            rows.list(WarehouseTransfer, { where, order: ["status"], limit: 5, offset: 2 })
          ),
          yield* target(none, (rows) => rows.list(WarehouseTransfer, Query.fromText("?select=id&status=eq.Draft"))),
          yield* target(none, (rows) => rows.count(WarehouseTransfer, { where })),
          yield* target(none, (rows) => rows.page(WarehouseTransfer, { where, limit: 5 })),
          yield* target(one, (rows) => rows.retrieve(Holiday, id)),
          yield* target(none, (rows) =>
            Effect.option(
              rows.retrieve(WarehouseTransfer, WarehouseTransferId.make("wt_1"), {
                select: ["id", Query.embed(WarehouseTransferLine, { select: ["id"], limit: 1 })]
              })
            )
          ),
          yield* target(one, (rows) => rows.create(Holiday, values)),
          yield* target(one, (rows) => rows.update(Holiday, id, {})),
          yield* target(one, (rows) => rows.modify(Holiday, id, () => ({}))),
          yield* target(one, (rows) => rows.upsert(Holiday, { ...values, id })),
          yield* target(one, (rows) => rows.remove(Holiday, id))
        ],
        [
          ["GET /holiday"],
          ["GET /warehouseTransfer?status=in.(Draft,To+Ship)&order=status.asc&limit=5&offset=2"],
          ["GET /warehouseTransfer?select=id&status=eq.Draft"],
          ["GET /warehouseTransfer?status=in.(Draft,To+Ship)&limit=0"],
          ["GET /warehouseTransfer?status=in.(Draft,To+Ship)&order=id.asc&limit=6"],
          ["GET /holiday?id=eq.hol_1"],
          ["GET /warehouseTransfer?id=eq.wt_1&select=id,warehouseTransferLine(id)&warehouseTransferLine.limit=1"],
          ["POST /holiday"],
          ["PATCH /holiday?id=eq.hol_1"],
          ["GET /holiday?id=eq.hol_1", "PATCH /holiday?id=eq.hol_1"],
          ["POST /holiday?on_conflict=id"],
          ["DELETE /holiday?id=eq.hol_1"]
        ]
      )
    })
  )

  it.effect("each method carry the API key and the preferences", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* scripted([one])
      yield* rows.retrieve(Holiday, id)
      yield* rows.update(Holiday, id, { tags: null }, { ifMatch: '"7"' })
      yield* rows.upsert(Holiday, { ...values, id })
      yield* rows.remove(Holiday, id, { ifMatch: '"7"' })
      assert.deepStrictEqual(requests[0]?.headers, { accept: "application/json", authorization: `Bearer ${key}` })
      const { "idempotency-key": name, ...headers } = requests[1]?.headers ?? {}
      assert.match(name ?? "", /^[0-9a-f]{32}$/)
      assert.deepStrictEqual(headers, {
        accept: "application/json",
        authorization: `Bearer ${key}`,
        prefer: "return=representation",
        "if-match": '"7"',
        "content-type": "application/json"
      })
      assert.strictEqual(requests[1]?.body, '{"tags":null}')
      assert.deepInclude(requests[2]?.headers, {
        "content-profile": "public",
        prefer: "resolution=merge-duplicates,return=representation"
      })
      assert.strictEqual(requests[3]?.headers["if-match"], '"7"')
      assert.strictEqual(requests[3]?.body, undefined)
    })
  )

  it.effect("a text have the options that add to it", () =>
    Effect.gen(function* () {
      const text = Query.fromText("status=eq.Draft&order=status.asc&limit=9&select=status")
      const where = { companyId: CompanyId.make("demo") }
      assert.deepStrictEqual(
        [
          yield* target(none, (rows) => rows.list(WarehouseTransfer, { ...text, where, order: ["id"], limit: 2 })),
          yield* target(none, (rows) => rows.list(WarehouseTransfer, { ...text, select: ["id"], offset: 1 })),
          yield* target(none, (rows) => rows.count(WarehouseTransfer, { ...text, where })),
          yield* target(none, (rows) => rows.page(WarehouseTransfer, { ...text, limit: 2 }))
        ],
        [
          ["GET /warehouseTransfer?select=status&status=eq.Draft&companyId=eq.demo&order=id.asc&limit=2"],
          ["GET /warehouseTransfer?select=id&status=eq.Draft&order=status.asc&limit=9&offset=1"],
          ["GET /warehouseTransfer?select=status&status=eq.Draft&companyId=eq.demo&limit=0"],
          ["GET /warehouseTransfer?select=status,_order1:id&status=eq.Draft&order=status.asc,id.asc&limit=3"]
        ]
      )
    })
  )

  it.effect("a write are not redirected, and keep the settings of fetch", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const fetch: typeof globalThis.fetch = (_, init) => {
        seen.push([init?.method, init?.redirect, init?.credentials])
        return Promise.resolve(Response.json(row, { headers: { etag: '"7"' } }))
      }
      const rows = yield* Effect.provide(Rows.make({ apiKey: key, restUrl }), FetchHttpClient.layer)
      yield* Effect.all([
        rows.retrieve(Holiday, id),
        rows.create(Holiday, values),
        rows.update(Holiday, id, {}),
        rows.upsert(Holiday, { ...values, id }),
        rows.remove(Holiday, id)
      ]).pipe(
        Effect.provideService(FetchHttpClient.Fetch, fetch),
        Effect.provideService(FetchHttpClient.RequestInit, { credentials: "include" })
      )
      assert.deepStrictEqual(seen, [
        ["GET", undefined, "include"],
        ...["POST", "PATCH", "POST", "DELETE"].map((method) => [method, "manual", "include"])
      ])
    })
  )

  it.effect("a page with invalid options are not sent", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* scripted([none])
      for (const invalid of [
        rows.page(Holiday, { limit: 0 }),
        rows.page(Holiday, { limit: 1.5 }),
        rows.page(Holiday, Query.fromText("offset=3")),
        rows.page(
          WarehouseTransferLine,
          Query.fromText("select=id,warehouseTransfer(status)&order=warehouseTransfer(status)")
        ),
        Stream.runDrain(rows.stream(Holiday, { pageSize: -1 }))
      ]) {
        assert.strictEqual((yield* Effect.flip(invalid))._tag, "QueryRejected")
      }
      assert.isEmpty(requests)
    })
  )
})

describe("createMany", () => {
  const named = (name: string) => ({ ...values, name })
  const created = (name: string) => ({ ...row, name })

  it.effect("returns results in order, and derives the idempotency keys of batches", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* scripted([
        { status: 201, body: [created("a"), created("b")] },
        { status: 201, body: [created("c")] }
      ])
      const results = yield* rows.createMany(Holiday, ["a", "b", "c"].map(named), {
        batchSize: 2,
        idempotencyKey: "import"
      })
      assert.deepStrictEqual(
        results.map(Either.map(({ name }) => name)),
        ["a", "b", "c"].map((name) => Either.right(name))
      )
      assert.deepStrictEqual(
        requests.map(({ headers }) => headers["idempotency-key"]),
        ["import.0-2", "import.2-3"]
      )
    })
  )

  it.effect("halves a batch to find the rejected row", () =>
    Effect.gen(function* () {
      const rejected: Reply = { status: 400, body: errorBody("22P05", "unsupported") }
      const { requests, rows } = yield* scripted([rejected, { status: 201, body: [created("a")] }, rejected])
      const results = yield* rows.createMany(Holiday, ["a", "b"].map(named))
      assert.deepStrictEqual(results.map(Either.isRight), [true, false])
      assert.lengthOf(requests, 3)
    })
  )

  it.effect("lists the columns of rows with different fields", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* scripted([{ status: 201, body: [row, row] }])
      yield* rows.createMany(Holiday, [values, { ...values, year: 2028 }])
      assert.include(requests[0]?.target, "?columns=name,date,companyId,year")
      assert.strictEqual(requests[0]?.headers["prefer"], "return=representation,missing=default")
    })
  )

  it.effect("stops at an error of the whole request, which every further row gets", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* scripted([{ status: 201, body: [row] }, { status: 401 }])
      const results = yield* rows.createMany(Holiday, ["a", "b", "c", "d"].map(named), { batchSize: 1 })
      assert.deepStrictEqual(
        results.map((result) => (Either.isLeft(result) ? result.left._tag : "ok")),
        ["ok", "Unauthorized", "Unauthorized", "Unauthorized"]
      )
      assert.lengthOf(requests, 2)
    })
  )

  it.effect("reports no write of the rows that it does not send after an unreadable response", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* scripted([{ status: 201, body: "not a row" }])
      const results = yield* rows.createMany(Holiday, ["a", "b"].map(named), { batchSize: 1 })
      assert.deepStrictEqual(
        results.map((result) => Either.isLeft(result) && "written" in result.left && result.left.written),
        [true, false]
      )
      assert.lengthOf(requests, 1)
    })
  )

  it.effect("fails when the response has fewer rows than the request", () =>
    Effect.gen(function* () {
      const { rows } = yield* scripted([{ status: 201, body: [row] }])
      const [result] = yield* rows.createMany(Holiday, ["a", "b"].map(named))
      assert.include(String(result), "an array of 2 rows")
    })
  )
})

describe("modify", () => {
  it.live("tries again when the row has changed in the meantime", () =>
    Effect.gen(function* () {
      const changed: Reply = { status: 412, body: errorBody("PGRST412", "changed") }
      const { requests, rows } = yield* scripted([one, changed, one, one])
      yield* rows.modify(Holiday, id, ({ year }) => ({ year: (year ?? 0) + 1 }))
      assert.deepStrictEqual(
        requests.map(({ body, method }) => [method, body]),
        [
          ["GET", undefined],
          ["PATCH", '{"year":2028}'],
          ["GET", undefined],
          ["PATCH", '{"year":2028}']
        ]
      )
    })
  )
})

describe("layerConfig", () => {
  it.effect("reads the address and the API key from the environment", () =>
    Effect.gen(function* () {
      const urls: Array<string> = []
      const client = HttpClient.make((request, url) => {
        urls.push(url.href)
        return Effect.succeed(HttpClientResponse.fromWeb(request, Response.json([])))
      })
      const variables = new Map([
        ["MFG_REST_URL", "http://service.test/rest/"],
        ["MFG_API_KEY", key]
      ])
      yield* Effect.flatMap(Rows, (rows) => rows.list(Holiday)).pipe(
        Effect.provide(Rows.layerConfig()),
        Effect.provide(Layer.succeed(HttpClient.HttpClient, client)),
        Effect.withConfigProvider(ConfigProvider.fromMap(variables))
      )
      assert.deepStrictEqual(urls, ["http://service.test/rest/holiday"])
    })
  )
})

describe("calls record", () => {
  it.effect("a count by method, subject and outcome", () =>
    Effect.gen(function* () {
      const counted = (outcome: string) =>
        Metric.counter("mfg_client_calls", {
          description: "Calls by method, subject and outcome",
          incremental: true
        }).pipe(
          Metric.tagged("method", "Rows.retrieve"),
          Metric.tagged("subject", "holiday"),
          Metric.tagged("outcome", outcome),
          Metric.value,
          Effect.map(({ count }) => count)
        )
      const before = [yield* counted("ok"), yield* counted("RowNotFound")]
      const { rows } = yield* scripted([one, none])
      yield* rows.retrieve(Holiday, id)
      yield* Effect.flip(rows.retrieve(Holiday, id))
      const after = [yield* counted("ok"), yield* counted("RowNotFound")]
      assert.deepStrictEqual(
        after.map((count, index) => count - (before[index] ?? 0)),
        [1, 1]
      )
    })
  )
})
