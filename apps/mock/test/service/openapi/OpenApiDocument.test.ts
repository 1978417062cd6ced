import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import * as Operations from "@mfgdata/domain/Operations"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as OpenApiDocument from "../../../src/service/openapi/OpenApiDocument.ts"
import * as InProcessClient from "../../../src/http/InProcessClient.ts"
import * as NodeServer from "../../../src/http/NodeServer.ts"
import * as Instance from "../../../src/service/Instance.ts"
import * as RowExamples from "../../../src/service/openapi/RowExamples.ts"
import * as Settings from "../../../src/Settings.ts"
import * as Description from "../../suite/Description.ts"
import * as Conformance from "../../suite/Conformance.ts"

const described = OpenApiDocument.make("contract")
const json = { contentType: "application/json; charset=utf-8" }
const body = (value: unknown, status = 200) => ({ ...json, status, text: JSON.stringify(value) })

const holidays = Catalogue.byName.holiday
const holiday = RowExamples.make(holidays).row

describe("the OpenAPI document", () => {
  it("has every resource with every column, and every operation", () => {
    const paths: { readonly [path: string]: unknown } = described.paths
    assert.sameMembers(Object.keys(paths), [
      ...Operations.all.map(({ path }) => `/api/v1${path}`),
      ...Catalogue.resources.map(({ resource }) => `/rest/${resource}`),
      "/webhooks/{id}/secret"
    ])
    const schemas: { readonly [name: string]: unknown } = described.components.schemas
    for (const resource of Catalogue.resources) {
      const name = resource.resource.charAt(0).toUpperCase() + resource.resource.slice(1)
      const columns = Column.fromResource(resource)
      const properties = (suffix: string) =>
        Object.keys((schemas[name + suffix] as { readonly properties: object }).properties)
      assert.sameMembers(
        properties(""),
        columns.map(({ name }) => name)
      )
      // Bodies may have the columns that the service sets too, with their stored values.
      for (const suffix of ["Selection", "Create", "Update"]) assert.sameMembers(properties(suffix), properties(""))
    }
  })

  it("has examples that match their schemas", () => {
    assert.deepStrictEqual(Description.flawedExamples(), [])
  })

  it.scoped("is served without a key, and answered with 304 when it is unchanged", () =>
    Effect.gen(function* () {
      const store = { _tag: "Sqlite", path: ":memory:" } as const
      const settings = { ...Settings.defaults, seed: { _tag: "Empty" } as const, store }
      const { service } = yield* Instance.make({ settings, write: () => {} })
      const ask = (headers: { readonly [name: string]: string } = {}) =>
        service.handle({ method: "GET", target: "/openapi.json", headers, body: "" })
      const first = yield* ask()
      assert.strictEqual(first.status, 200)
      assert.deepStrictEqual(JSON.parse(String(first.body)), JSON.parse(JSON.stringify(described)))
      const again = yield* ask({ "if-none-match": first.headers["ETag"] ?? "" })
      assert.deepStrictEqual([again.status, again.body], [304, ""])
    })
  )

  it.scoped("is sent compressed to a client that accepts it, as are the other descriptions", () =>
    Effect.gen(function* () {
      const store = { _tag: "Sqlite", path: ":memory:" } as const
      const settings = { ...Settings.defaults, apiKey: "mfg_some_caller", seed: { _tag: "Demo" } as const, store }
      const { service } = yield* Instance.make({ settings, write: () => {} })
      const [port, host] = [0, "127.0.0.1"]
      const server = yield* NodeServer.listen(service, {
        ...NodeServer.limits,
        bodyMemoryBytes: 2048,
        bodyBytes: 1024,
        host,
        port
      })
      for (const path of ["openapi.json", "docs", "rest/", "rest/v1/"]) {
        // `fetch` accepts gzip, and decompresses the body.
        const fetched = (init: RequestInit = {}) =>
          Effect.promise(() =>
            fetch(`http://${host}:${server.port}/${path}`, {
              ...init,
              headers: { authorization: "Bearer mfg_some_caller", ...init.headers }
            })
          )
        const response = yield* fetched()
        assert.deepStrictEqual([response.status, response.headers.get("content-encoding")], [200, "gzip"], path)
        assert.isBelow(Number(response.headers.get("content-length")), 60_000)
        assert.include(response.headers.get("vary") ?? "", "Accept-Encoding")
        assert.include(yield* Effect.promise(() => response.text()), "data service")
        const head = yield* fetched({ method: "HEAD" })
        assert.deepStrictEqual([head.status, yield* Effect.promise(() => head.text())], [200, ""])
        const etag = head.headers.get("etag") ?? ""
        assert.strictEqual(etag, response.headers.get("etag"))
        assert.strictEqual((yield* fetched({ headers: { "if-none-match": etag } })).status, 304)
      }
    })
  )

  it.scoped("is readable by a client inside the process that accepts compressed responses", () =>
    Effect.gen(function* () {
      const store = { _tag: "Sqlite", path: ":memory:" } as const
      const settings = { ...Settings.defaults, seed: { _tag: "Empty" } as const, store }
      const { service } = yield* Instance.make({ settings, write: () => {} })
      const client = InProcessClient.client(service, { bodyBytes: 1024, targetBytes: 1024 })
      const response = yield* client.get("http://any.test/openapi.json", { headers: { "accept-encoding": "br" } })
      assert.deepStrictEqual<unknown>(yield* response.json, JSON.parse(JSON.stringify(described)))
    })
  )
})

describe("the validator of requests and responses", () => {
  const list = { method: "GET", target: "/rest/holiday?order=id.asc", headers: {}, body: "" }
  const operation = { ...list, method: "POST", target: "/api/v1/account/getNotificationPreferences", body: "{}" }
  const refusal = { code: "42703", message: "no", details: null, hint: null }

  it("accepts a described response", () => {
    assert.isUndefined(Conformance.flawOf(list, body([holiday])))
    assert.isUndefined(Conformance.flawOf(list, body(holiday)))
    assert.isUndefined(Conformance.flawOf(list, body(refusal, 400)))
    assert.isUndefined(Conformance.flawOf(operation, body({ results: [], count: null })))
  })

  it("reports each deviation of a response", () => {
    const { name: _, ...without } = holiday
    const wrong: ReadonlyArray<readonly [asked: Conformance.Asked, answered: Conformance.Answered]> = [
      [list, body([without])],
      [list, body([{ ...holiday, tenant: "demo" }])],
      [list, body([{ ...holiday, year: "2026" }])],
      [list, body([{ ...holiday, date: "2026-02-30" }])],
      [list, body([{ ...holiday, createdAt: "yesterday" }])],
      [list, body([{ ...holiday, name: null }])],
      [list, body([holiday], 202)],
      [list, body({ message: "no" }, 404)],
      [list, body({ ...refusal, stack: "at" }, 500)],
      [list, { status: 200, contentType: "text/html", text: "<html></html>" }],
      [{ ...list, target: "/rest/nothing" }, body([])],
      [operation, body({ results: [{ topic: "sales", channel: "email" }], count: null })],
      [operation, body({ results: [], count: null, next: "x" })],
      [operation, body(null)],
      [operation, body(refusal, 400)],
      [operation, body({ defined: false, code: "NOT_FOUND", status: 400, message: "no" }, 400)]
    ]
    for (const [asked, answered] of wrong) {
      assert.isString(Conformance.flawOf(asked, answered), `${asked.target} ${answered.status} ${answered.text}`)
    }
  })

  const partial = (select: string) => ({ ...list, target: `/rest/holiday?select=${select}` })
  const post = {
    ...list,
    method: "POST",
    target: "/rest/holiday",
    body: JSON.stringify(RowExamples.make(holidays).create)
  }
  const minimal = { status: 201, contentType: undefined, text: "" }

  it("accepts selected fields, whose names or types a request changes", () => {
    assert.isUndefined(Conformance.flawOf(partial("name,year"), body([{ name: "a", year: null }])))
    assert.isUndefined(Conformance.flawOf(partial("year::text"), body([{ year: "2026" }])))
    assert.isUndefined(Conformance.flawOf(partial("name:year,webhook(id)"), body([{ name: 2026, webhook: [] }])))
    assert.isUndefined(Conformance.flawOf(post, body(holiday, 201)))
    assert.isUndefined(Conformance.flawOf({ ...post, headers: { prefer: "return=minimal" } }, minimal))
  })

  it("reports each deviation of a request that succeeds, and of selected fields", () => {
    const wrong: ReadonlyArray<readonly [asked: Conformance.Asked, answered: Conformance.Answered]> = [
      [partial("name,year"), body([{ name: "a", year: "2026" }])],
      [partial("year::text"), body([{ year: "2026", name: 1 }])],
      [{ ...list, target: "/rest/holiday?limit=-1" }, body([])],
      [{ ...list, target: "/rest/holiday?limit=a" }, body([])],
      [
        { ...post, method: "PUT" },
        { ...minimal, status: 204 }
      ],
      [{ ...post, body: JSON.stringify({ ...holiday, colour: "red" }) }, body(holiday, 201)],
      [{ ...post, body: "{}" }, body(holiday, 201)],
      [{ ...post, headers: { "content-type": "application/xml" } }, body(holiday, 201)],
      [post, { ...minimal, status: 202 }],
      [list, { ...minimal, status: 200 }],
      [list, { ...body([holiday]), contentType: "application/vnd.pgrst.object+json" }]
    ]
    for (const [asked, answered] of wrong) {
      assert.isString(Conformance.flawOf(asked, answered), `${asked.method} ${asked.target} ${answered.text}`)
    }
  })

  it("reports each deviation of an event", () => {
    const event = {
      type: "INSERT",
      table: "holiday",
      companyId: "demo",
      eventId: "event-1",
      timestamp: "2026-01-05T08:00:00.000Z",
      record: holiday
    }
    assert.isUndefined(Conformance.eventFlawOf(event))
    const { year: _, ...without } = holiday
    for (const change of [{ type: "UPSERT" }, { type: "UPDATE" }, { eventId: 1 }, { record: without }, { more: 1 }]) {
      assert.isString(Conformance.eventFlawOf({ ...event, ...change }), JSON.stringify(change))
    }
  })
})
