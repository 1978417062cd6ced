import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { assert, describe, it } from "@effect/vitest"
import { Rows } from "@mfgdata/client"
import { Holiday, Query } from "@mfgdata/domain"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { id, row } from "./fixtures/holiday.ts"
import { key, restUrl, rows as scripted } from "./fixtures/scripted.ts"
import { record, type RecordedSpan } from "./fixtures/tracer.ts"

const found = { status: 200, body: [row, row], headers: { "x-request-id": "req-7" } }
const soon = { retry: { first: 1 } }

const pathsOf = (spans: ReadonlyArray<RecordedSpan>) => spans.map(({ path }) => path)
const attributesOf = (spans: ReadonlyArray<RecordedSpan>) =>
  spans.map(({ attributes }) => Object.fromEntries(attributes))

describe("the spans of a call", () => {
  it.live("are one for the call, with its resource, attempts and rows, and one for each attempt", () =>
    Effect.gen(function* () {
      const { rows } = yield* scripted([{ status: 503 }, found], soon)
      const { spans } = yield* record(rows.list(Holiday))
      assert.deepStrictEqual(pathsOf(spans), [
        "Rows.list",
        "Rows.list > http.client GET",
        "Rows.list > http.client GET"
      ])
      const attempt = {
        "http.request.method": "GET",
        "url.scheme": "http",
        "server.address": "service.test",
        "url.path": "/rest/holiday"
      }
      assert.deepStrictEqual(attributesOf(spans), [
        { "mfg.resource": "holiday", "mfg.attempts": 2, "mfg.rows": 2 },
        { ...attempt, "http.response.status_code": 503 },
        { ...attempt, "http.response.status_code": 200, "http.request.resend_count": 1, "mfg.request_id": "req-7" }
      ])
    })
  )

  it.live("count the rows of a page", () =>
    Effect.gen(function* () {
      const { rows } = yield* scripted([found, { status: 200, body: [] }])
      const { spans } = yield* record(
        Effect.zip(rows.page(Holiday, { limit: 2 }), Stream.runDrain(rows.stream(Holiday)))
      )
      const counts = spans.flatMap(({ attributes, path }) => (path === "Rows.page" ? [attributes.get("mfg.rows")] : []))
      assert.deepStrictEqual(counts, [2, 0])
    })
  )

  it.live("hold no value of a filter, and no key", () =>
    Effect.gen(function* () {
      const { rows } = yield* scripted([{ status: 401 }, "refused"], { retry: { times: 0 } })
      const where = { name: "confidential", id: Query.in([id]) }
      const { spans } = yield* record(
        Effect.all([rows.list(Holiday, { where }), rows.count(Holiday, { where })], { mode: "either" })
      )
      assert.lengthOf(spans, 4)
      const printed = JSON.stringify(spans.map((span) => [attributesOf([span]), String(span.exit)]))
      assert.include(printed, "Unauthorized")
      assert.include(printed, "Unreachable")
      for (const secret of ["confidential", id, key]) assert.notInclude(printed, secret)
    })
  )

  it.live("are absent where a layer, a region or a call turns them off", () =>
    Effect.gen(function* () {
      const { rows } = yield* scripted([found])
      assert.isEmpty((yield* record(Rows.withOptions(rows.list(Holiday), { spans: false }))).spans)
      const { rows: untraced } = yield* scripted([found], { spans: false })
      assert.isEmpty((yield* record(untraced.list(Holiday))).spans)
      assert.lengthOf((yield* record(Rows.withOptions(untraced.list(Holiday), { spans: true }))).spans, 2)
    })
  )

  it.live("continue in the service: each attempt passes its own span", () =>
    Effect.gen(function* () {
      const seen: Array<string | null> = []
      const fetch: typeof globalThis.fetch = async (_, init) => {
        seen.push(new Headers(init?.headers).get("traceparent"))
        return Response.json([], { status: seen.length === 1 ? 503 : 200 })
      }
      const rows = yield* Effect.provide(Rows.make({ restUrl, apiKey: key, ...soon }), FetchHttpClient.layer)
      const listed = Effect.provideService(rows.list(Holiday), FetchHttpClient.Fetch, fetch)
      const { spans } = yield* record(listed)
      assert.deepStrictEqual(
        seen,
        spans.slice(1).map(({ spanId }) => `00-0af7651916cd43dd8448eb211c80319c-${spanId}-01`)
      )
      assert.lengthOf(seen, 2)
      yield* listed
      assert.isNull(seen[2])
    })
  )
})
