/** Tests equivalent forms of requests: limits, empty parameters, trailing slashes and media types. */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { holiday } from "./Subscriptions.ts"
import * as Sample from "./Sample.ts"
import * as Service from "./Service.ts"

const mounts = ["/rest", "/rest/v1"]

const csv = { "content-type": "text/csv", prefer: "return=representation" }
const form = { "content-type": "application/x-www-form-urlencoded", prefer: "return=representation" }

const jsonTypes = [
  "application/json",
  "Application/JSON; charset=utf-8",
  "application/vnd.example+json",
  "application/problem+json;v=1",
  "text/json",
  "",
  undefined
]

const otherTypes = ["text/plain", "application/xml", "application/jsonx", "multipart/form-data; boundary=a", "json"]

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.effect("honours a limit up to 10 000, and limits a list without one to max-rows", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* Sample.clear("operator")
      const body = Array.from({ length: 10_050 }, (_, index) => holiday(`n${index}`))
      for (const part of [body.slice(0, 10_000), body.slice(10_000)]) {
        yield* done("POST", "/rest/holiday", { body: part, headers: { prefer: "return=minimal" } })
      }
      for (const mount of mounts) {
        for (const [query, range, count] of [
          ["", undefined, 1000],
          ["&limit=", undefined, 1000],
          ["&limit=1500", undefined, 1500],
          ["&limit=1500&offset=9000", undefined, 1050],
          ["&limit=100000", undefined, 10_000],
          ["", "0-1499", 1500],
          ["", "0-99999", 10_000],
          ["", "50-", 1000]
        ] as const) {
          const headers = { prefer: "count=exact", ...(range === undefined ? {} : { range }) }
          const reply = yield* done("GET", `${mount}/holiday?select=id${query}`, { headers })
          assert.lengthOf(reply.rows, count, `${query} ${range}`)
          const first = query.includes("offset") ? 9000 : range === "50-" ? 50 : 0
          assert.strictEqual(reply.headers["content-range"], `${first}-${first + count - 1}/10050`)
        }
      }
      yield* done("DELETE", "/rest/holiday?name=lt.n5", { headers: { prefer: "return=minimal" } })
      yield* Sample.clear("operator")
    })
  )

  it.effect("treats limit, offset, order and select without a value as absent, of embeds too", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* Sample.clear("operator")
      yield* done("POST", "/rest/holiday", { body: [holiday("a"), holiday("b")] })
      for (const mount of mounts) {
        const plain = (yield* done("GET", `${mount}/holiday`)).rows
        for (const query of ["limit=", "offset=", "order=", "select=", "select=&order=&limit=&offset="]) {
          assert.deepStrictEqual((yield* done("GET", `${mount}/holiday?${query}`)).rows, plain, query)
        }
        const embed = "oauthCode(id)&oauthCode.limit=&oauthCode.offset=&oauthCode.order="
        yield* done("GET", `${mount}/oauthClient?select=id,${embed}`)
      }
      const [row] = (yield* done("GET", "/rest/holiday")).rows
      const one = yield* done("GET", `${Sample.address(Catalogue.byName.holiday, row)}&limit=&order=&select=`)
      assert.deepStrictEqual(one.row, row)
    })
  )

  it.effect("reads a JSON body that is neither an object nor a list as an empty list, as PostgREST does", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      yield* Sample.clear("operator")
      for (const body of ['"text"', "7", "true", "null"]) {
        const headers = { "content-type": "application/json", prefer: "return=representation" }
        const created = yield* done("POST", "/rest/v1/holiday", { body, headers })
        assert.deepStrictEqual([created.status, created.text], [201, "[]"], body)
        assert.deepStrictEqual((yield* ask("POST", "/rest/holiday", { body, headers })).verdict, [400, "PGRST102"])
      }
      assert.deepStrictEqual((yield* done("GET", "/rest/holiday")).rows, [])
    })
  )

  it.effect("ignores a trailing slash", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      yield* Sample.clear("operator")
      for (const mount of mounts) {
        const headers = { prefer: "return=representation" }
        const made = yield* done("POST", `${mount}/holiday/?select=id`, { body: holiday("a"), headers })
        assert.strictEqual(made.status, 201)
        assert.deepStrictEqual(
          (yield* done("GET", `${mount}/holiday/?order=id`)).text,
          (yield* done("GET", `${mount}/holiday?order=id`)).text
        )
        const options = yield* ask("OPTIONS", `${mount}/holiday/`, { headers: { authorization: undefined } })
        assert.strictEqual(options.status, 200)
        assert.strictEqual((yield* ask("GET", `${mount}/holiday//`)).status, 404)
      }
      const user = yield* done("POST", "/api/v1/account/getCurrentUser/", { body: {} })
      assert.strictEqual(user.text, (yield* done("POST", "/api/v1/account/getCurrentUser", { body: {} })).text)
      assert.strictEqual((yield* done("GET", "/health/live/")).status, 200)
    })
  )

  it.effect("accepts a body of any JSON media type on both interfaces, and refuses others with 415", () =>
    Effect.gen(function* () {
      const { ask } = yield* Service.Service
      yield* Sample.clear("operator")
      const operation = "/api/v1/account/getCurrentUser"
      for (const type of jsonTypes) {
        const headers = { "content-type": type }
        for (const mount of mounts) {
          assert.strictEqual(
            (yield* ask("POST", `${mount}/holiday`, { body: holiday("a"), headers })).status,
            201,
            type
          )
          const patched = yield* ask("PATCH", `${mount}/holiday?name=eq.a`, { body: { name: "b" }, headers })
          assert.oneOf(patched.status, [200, 204], type)
        }
        assert.strictEqual((yield* ask("POST", operation, { body: {}, headers })).status, 200, type)
      }
      for (const type of otherTypes) {
        const headers = { "content-type": type }
        for (const mount of mounts) {
          for (const [method, target] of [
            ["POST", "holiday"],
            ["PATCH", "holiday?name=eq.a"],
            ["PUT", "holiday?id=eq.a"]
          ] as const) {
            const refused = yield* ask(method, `${mount}/${target}`, { body: holiday("a"), headers })
            assert.deepStrictEqual(refused.verdict, [415, "PGRST102"], type)
          }
        }
        const refused = yield* ask("POST", operation, { body: {}, headers })
        assert.deepStrictEqual(refused.verdict, [415, "UNSUPPORTED_MEDIA_TYPE"], type)
      }
      const text = "name,date,companyId\na,2026-01-01,acme"
      assert.strictEqual((yield* ask("POST", "/rest/holiday", { body: text, headers: csv })).status, 201)
      const fields = "name=a&date=2026-01-01&companyId=acme"
      assert.strictEqual((yield* ask("POST", "/rest/holiday", { body: fields, headers: form })).status, 201)
      const json = yield* ask("POST", "/rest/holiday", { body: holiday("a"), headers: form })
      assert.deepStrictEqual(json.verdict, [415, "PGRST102"])
      assert.include(json.text, "application/json")
    })
  )
}
