import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Testing from "../../src/testing.ts"

interface Asked {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS"
  readonly headers?: { readonly [name: string]: string }
  readonly body?: unknown
}

const host = "http://mock.test"

const ask = (target: string, { body, headers = {}, method = "GET" }: Asked = {}) =>
  Effect.gen(function* () {
    const request = HttpClientRequest.make(method)(host + target).pipe(HttpClientRequest.setHeaders(headers))
    const sent = body === undefined ? request : yield* HttpClientRequest.bodyJson(request, body)
    const response = yield* HttpClient.execute(sent)
    const text = yield* response.text
    const { headers: received, status } = response
    return { status, headers: received, text, json: text === "" ? undefined : JSON.parse(text) }
  })

const withKey = Effect.map(Testing.World, ({ apiKey }) => ({ authorization: `Bearer ${Redacted.value(apiKey)}` }))

it.layer(Testing.layer({ seed: { _tag: "Empty" } }))("Service", (it) => {
  describe("mounts", () => {
    it.effect("lists its interfaces at the root", () =>
      Effect.gen(function* () {
        const { json, status } = yield* ask("/")
        assert.strictEqual(status, 200)
        assert.lengthOf(json.rows, Catalogue.resources.length)
        assert.include(json, { operations: "/api/v1", postgrest: "/rest/v1" })
      })
    )

    it.effect("serves rows below /rest and, in PostgREST's shape, below /rest/v1", () =>
      Effect.gen(function* () {
        const headers = yield* withKey
        const path = "webhookTable?table=eq.holiday"
        assert.isObject((yield* ask(`/rest/${path}`, { headers })).json)
        assert.isArray((yield* ask(`/rest/v1/${path}`, { headers })).json)
      })
    )

    it.effect("responds to unknown paths in the form of their interface", () =>
      Effect.gen(function* () {
        const headers = yield* withKey
        assert.include((yield* ask("/nothing")).json, { code: "PGRST125" })
        assert.include((yield* ask("/restaurant")).json, { code: "PGRST125" })
        const rows = yield* ask("/rest/holidays", { headers })
        assert.strictEqual(rows.status, 404)
        assert.include(rows.json, { code: "PGRST205" })
        assert.include((yield* ask("/rest/a/b", { headers })).json, { code: "PGRST125" })
        const operation = yield* ask("/api/v1/account/unheardOf", { method: "POST", headers, body: {} })
        assert.deepInclude(operation.json, { defined: false, code: "NOT_FOUND", status: 404 })
      })
    )

    it.effect("reports its health without a key, to GET and HEAD only", () =>
      Effect.gen(function* () {
        for (const path of ["/health/live", "/health/ready"]) {
          assert.strictEqual((yield* ask(path)).status, 200)
          assert.strictEqual((yield* ask(path, { method: "HEAD" })).text, "")
          const { headers, status } = yield* ask(path, { method: "POST" })
          assert.strictEqual(status, 405)
          assert.strictEqual(headers["allow"], "GET, HEAD")
        }
      })
    )
  })

  describe("keys", () => {
    const doors = ["/rest/holiday", "/rest/v1/holiday", "/api/v1/account/getCurrentUser"]

    it.effect("are checked before path and method", () =>
      Effect.gen(function* () {
        for (const target of [...doors, "/rest/holidays", "/rest/a/b", "/api/v1/account/unheardOf"]) {
          for (const method of ["GET", "PUT", "DELETE"] as const) {
            const { headers, status } = yield* ask(target, { method })
            assert.strictEqual(status, 401, `${method} ${target}`)
            assert.strictEqual(headers["www-authenticate"], "Bearer")
          }
        }
      })
    )

    it.effect("are refused with the reason", () =>
      Effect.gen(function* () {
        const code = (headers: { readonly [name: string]: string }) =>
          Effect.map(ask("/rest/holiday", { headers }), ({ json }) => json.code)
        assert.strictEqual(yield* code({}), "PGRST302")
        assert.strictEqual(yield* code({ authorization: "Basic bWZnOg==" }), "PGRST302")
        assert.strictEqual(yield* code({ authorization: "Bearer" }), "PGRST301")
        assert.strictEqual(yield* code({ authorization: "Bearer mfg_wrong" }), "PGRST301")
        assert.strictEqual(yield* code({ apikey: "mfg_wrong" }), "PGRST301")
      })
    )

    it.effect("are taken from `apikey` without an Authorization header", () =>
      Effect.gen(function* () {
        const { apiKey } = yield* Testing.World
        const key = Redacted.value(apiKey)
        const status = (headers: { readonly [name: string]: string }) =>
          Effect.map(ask("/rest/holiday", { headers }), ({ status }) => status)
        assert.strictEqual(yield* status({ apikey: key }), 200)
        assert.strictEqual(yield* status({ apikey: key, authorization: "Bearer mfg_wrong" }), 401)
        assert.strictEqual(yield* status({ apikey: "mfg_wrong", authorization: `Bearer ${key}` }), 200)
      })
    )
  })

  describe("pages of other origins", () => {
    const origin = { origin: "https://page.test" }

    it.effect("may send every request header, and need no key to ask", () =>
      Effect.gen(function* () {
        const asked = { "access-control-request-method": "PATCH", "access-control-request-headers": "x-odd" }
        const { headers, status, text } = yield* ask("/rest/holiday", {
          method: "OPTIONS",
          headers: { ...origin, ...asked }
        })
        assert.strictEqual(status, 200)
        assert.strictEqual(text, "")
        assert.strictEqual(headers["access-control-allow-origin"], "*")
        for (const method of ["GET", "POST", "PATCH", "PUT", "DELETE"]) {
          assert.include(headers["access-control-allow-methods"], method)
        }
        const allowed = headers["access-control-allow-headers"]?.toLowerCase()
        for (const name of ["authorization", "apikey", "prefer", "content-profile", "x-client-info", "x-odd"]) {
          assert.include(allowed, name)
        }
      })
    )

    it.effect("may read the headers of every response, also of a refusal", () =>
      Effect.gen(function* () {
        for (const [target, status] of [
          ["/health/live", 200],
          ["/rest/holiday", 401],
          ["/nothing", 404]
        ] as const) {
          const answer = yield* ask(target, { headers: origin })
          assert.strictEqual(answer.status, status)
          assert.strictEqual(answer.headers["access-control-allow-origin"], "*")
          assert.include(answer.headers["access-control-expose-headers"], "Content-Range")
        }
        assert.isUndefined((yield* ask("/health/live")).headers["access-control-allow-origin"])
      })
    )

    it.effect("learn the methods of a resource by OPTIONS, without a key", () =>
      Effect.gen(function* () {
        const { headers, status } = yield* ask("/rest/holiday", { method: "OPTIONS" })
        assert.strictEqual(status, 200)
        assert.strictEqual(headers["allow"], "OPTIONS, GET, HEAD, POST, PATCH, PUT, DELETE")
        assert.strictEqual((yield* ask("/rest/holidays", { method: "OPTIONS" })).status, 404)
      })
    )
  })

  describe("request ids", () => {
    it.effect("are the caller's or generated, and cannot break a header", () =>
      Effect.gen(function* () {
        const id = (given?: string) =>
          Effect.map(
            ask("/health/live", given === undefined ? {} : { headers: { "x-request-id": given } }),
            ({ headers }) => headers["x-request-id"]
          )
        assert.strictEqual(yield* id("mine/1"), "mine/1")
        const made = yield* id()
        assert.match(made ?? "", /^[\w-]+$/)
        assert.notStrictEqual(yield* id(), made)
        assert.notStrictEqual(yield* id("x".repeat(129)), "x".repeat(129))
        assert.notStrictEqual(yield* id("two words"), "two words")
      })
    )
  })
})
