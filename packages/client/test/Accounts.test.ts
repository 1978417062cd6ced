import * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import { assert, describe, it } from "@effect/vitest"
import { UserId } from "@mfgdata/domain/Ids"
import * as OperationError from "@mfgdata/domain/OperationError"
import * as Operations from "@mfgdata/domain/Operations"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import { Accounts } from "../src/Accounts.ts"

interface RecordedRequest {
  readonly url: string
  readonly method: string
  readonly authorization: string | undefined
  readonly body: unknown
}

const bodyOf = ({ body }: HttpClientRequest.HttpClientRequest): unknown =>
  body._tag === "Raw" ? JSON.parse(String(body.body)) : undefined

/** Operations over a service that sends these responses; it repeats the last one. */
const scripted = (...responses: ReadonlyArray<() => Response>) =>
  Effect.gen(function* () {
    const requests: Array<RecordedRequest> = []
    const client = HttpClient.make((request, url) => {
      const respond = responses[Math.min(requests.length, responses.length - 1)]
      requests.push({
        url: url.href,
        method: request.method,
        authorization: request.headers["authorization"],
        body: bodyOf(request)
      })
      return Effect.succeed(HttpClientResponse.fromWeb(request, respond?.() ?? Response.error()))
    })
    const accounts = yield* Effect.provideService(
      Accounts.make({ baseUrl: "http://service.test/api/v1/", apiKey: "mfg_a_key_of_tests" }),
      HttpClient.HttpClient,
      client
    )
    return { accounts, requests }
  })

const json =
  (value: unknown, status = 200, headers: { readonly [name: string]: string } = {}) =>
  () =>
    new Response(JSON.stringify(value), { status, headers: { "content-type": "application/json", ...headers } })

const errorResponse = (error: OperationError.OperationError) => json(error, error.status)

const user = UserId.make("u1")

const profile = { id: "u1", email: "u@x", firstName: "U", lastName: "", fullName: null, avatarUrl: null }

type Dynamic = (request?: unknown) => Effect.Effect<unknown, { readonly _tag: string }>

describe("Accounts", () => {
  it.effect("has the options of a call as the last parameter, and those of a region", () =>
    Effect.gen(function* () {
      const { accounts, requests } = yield* scripted(json(profile), json({ ...profile, companies: [] }))
      yield* accounts.getCurrentUser({ apiKey: "mfg_first" })
      yield* Effect.ignore(accounts.getAccount({ id: user }, { apiKey: "mfg_second" }))
      yield* Effect.ignore(Accounts.withOptions(accounts.getAccount({ id: user }), { apiKey: "mfg_third" }))
      const { response } = yield* Accounts.withResponse(Effect.ignore(accounts.getCurrentUser()))
      assert.deepStrictEqual(
        requests.map(({ authorization }) => authorization),
        ["Bearer mfg_first", "Bearer mfg_second", "Bearer mfg_third", "Bearer mfg_a_key_of_tests"]
      )
      assert.deepInclude(response, { status: 200, attempts: 1 })
    })
  )

  it.effect("sends each operation to its path with its body and the API key, and reads the result", () =>
    Effect.gen(function* () {
      for (const operation of Operations.all) {
        const [request] = fc.sample(Arbitrary.make(operation.request), { numRuns: 1, seed: 7 })
        const [response] = fc.sample(Arbitrary.make(operation.response), { numRuns: 1, seed: 7 })
        const wire: unknown = Schema.encodeSync(operation.response)(response)
        const { accounts, requests } = yield* scripted(json(wire))
        // One test for all methods, whose parameters differ.
        const call = accounts[operation.name as Operations.Name] as Dynamic
        const hasParameters = Object.keys(operation.parameters).length > 0
        assert.deepStrictEqual(yield* call(hasParameters ? request : undefined), response, operation.id)
        assert.deepStrictEqual(requests, [
          {
            url: `http://service.test/api/v1${operation.path}`,
            method: "POST",
            authorization: "Bearer mfg_a_key_of_tests",
            body: hasParameters ? Schema.encodeSync(operation.request)(request) : {}
          }
        ])
      }
    })
  )

  it.effect("says of a response without content that the write has happened", () =>
    Effect.gen(function* () {
      const { accounts } = yield* scripted(() => new Response(null, { status: 204 }))
      const change = { topic: "jobs", channel: "email", enabled: true } as const
      const error = yield* Effect.flip(accounts.upsertNotificationPreference(change))
      assert.deepInclude(error, { _tag: "ResponseMalformed", status: 204, written: true })
      assert.match(error.message, /; the write has happened$/)
      const read = yield* Effect.flip(accounts.getCurrentUser())
      assert.deepInclude(read, { _tag: "ResponseMalformed", status: 204, written: false })
    })
  )

  it.effect("fails with NotFound, OperationRejected and the errors of every request", () =>
    Effect.gen(function* () {
      const errorOf = (error: OperationError.OperationError) =>
        Effect.flatMap(scripted(errorResponse(error)), ({ accounts }) => Effect.flip(accounts.getAccount({ id: user })))
      const absent = yield* errorOf(OperationError.make("NOT_FOUND", "There is no such user"))
      assert.deepInclude(absent, { _tag: "NotFound", operation: "account.getAccount", detail: "There is no such user" })
      const issues = [{ path: ["id"], message: "expected text" }]
      const wrong = yield* errorOf(OperationError.make("BAD_REQUEST", "Input validation failed", { issues }))
      assert.deepInclude(wrong, { _tag: "OperationRejected", status: 400, code: "BAD_REQUEST", issues })
      assert.include(wrong.message, "id: expected text")
      const codes = ["UNAUTHORIZED", "FORBIDDEN", "SERVICE_UNAVAILABLE", "INTERNAL_SERVER_ERROR"] as const
      const tags = ["Unauthorized", "Forbidden", "ServiceUnavailable", "ServiceUnavailable"]
      for (const [index, code] of codes.entries()) {
        const fiber = yield* Effect.fork(errorOf(OperationError.make(code, "no")))
        yield* TestClock.adjust("1 minute")
        assert.strictEqual((yield* Fiber.join(fiber))._tag, tags[index])
      }
    })
  )

  it.effect("rejects invalid parameters without sending a request", () =>
    Effect.gen(function* () {
      const { accounts, requests } = yield* scripted(json(null))
      const error = yield* Effect.flip(
        accounts.upsertNotificationPreference({ topic: "\ud800", channel: "email", enabled: true })
      )
      assert.deepInclude(error, { _tag: "OperationRejected", status: undefined, code: "BAD_REQUEST" })
      assert.deepStrictEqual(error._tag === "OperationRejected" && error.issues.map(({ path }) => path), [["topic"]])
      assert.deepStrictEqual(requests, [])
    })
  )

  it.effect("retries an operation while the service is busy", () =>
    Effect.gen(function* () {
      const busy = json(OperationError.make("TOO_MANY_REQUESTS", "Slow down"), 429, { "retry-after": "7" })
      const { accounts, requests } = yield* scripted(busy, busy, json(null))
      const fiber = yield* Effect.fork(accounts.updateAvatar({ avatarUrl: null }))
      yield* TestClock.adjust("6 seconds")
      assert.strictEqual(requests.length, 1)
      yield* TestClock.adjust("1 minute")
      assert.isNull(yield* Fiber.join(fiber))
      assert.strictEqual(requests.length, 3)
    })
  )

  it.effect("accepts unknown fields, and fails for a response that is not of the operation", () =>
    Effect.gen(function* () {
      const more = yield* scripted(json({ ...profile, nickname: "U" }, 203))
      assert.deepStrictEqual<unknown>(yield* more.accounts.getCurrentUser(), profile)
      const pages = [() => new Response("<html></html>", { status: 200 }), json({ id: "u1" }), json([])]
      for (const page of pages) {
        const { accounts } = yield* scripted(page)
        assert.strictEqual((yield* Effect.flip(accounts.getCurrentUser()))._tag, "ResponseMalformed")
      }
      const { accounts } = yield* scripted(() => new Response("<html>no</html>", { status: 404 }))
      assert.strictEqual((yield* Effect.flip(accounts.getAccount({ id: user })))._tag, "ResponseMalformed")
    })
  )

  it.effect("does not show the API key", () =>
    Effect.gen(function* () {
      const { accounts } = yield* scripted(errorResponse(OperationError.make("UNAUTHORIZED", "no")))
      const error = yield* Effect.flip(accounts.getCurrentUser())
      assert.notInclude(JSON.stringify(error) + String(error) + error.message, "mfg_a_key_of_tests")
      const options = { baseUrl: "http://service.test", apiKey: "mfg_a key" }
      const defect = yield* Effect.sandbox(Accounts.make(options)).pipe(
        Effect.provideService(
          HttpClient.HttpClient,
          HttpClient.make(() => Effect.never)
        ),
        Effect.flip
      )
      assert.notInclude(String(defect), "mfg_a key")
    })
  )
})
