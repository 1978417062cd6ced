import { assert, describe, it } from "@effect/vitest"
import { OptionInvalid, Rows } from "@mfgdata/client"
import { Holiday } from "@mfgdata/domain"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { id, row, values } from "./fixtures/holiday.ts"
import { key, rows as scripted } from "./fixtures/scripted.ts"

const found = { status: 200, body: [row] }
const created = { status: 201, body: row }

const defectOf = (exit: Exit.Exit<unknown, unknown>): unknown =>
  Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined

describe("the options of a region", () => {
  it.effect("change the key and the headers of its calls alone", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* scripted([found], { headers: { "X-Tenant": "north", "x-app": "plan" } })
      const apiKey = Redacted.make("mfg_other")
      const other = Rows.withOptions({ apiKey, headers: { "x-tenant": "south" } })
      yield* other(rows.list(Holiday))
      yield* other(Stream.runDrain(rows.stream(Holiday, { limit: 1 })))
      yield* other(Rows.withOptions(rows.list(Holiday), { headers: { "x-app": "audit" } }))
      yield* rows.list(Holiday)
      assert.deepStrictEqual(
        requests.map(({ headers }) => [headers["authorization"], headers["x-tenant"], headers["x-app"]]),
        [
          ["Bearer mfg_other", "south", "plan"],
          ["Bearer mfg_other", "south", "plan"],
          ["Bearer mfg_other", "south", "audit"],
          [`Bearer ${key}`, "north", "plan"]
        ]
      )
    })
  )

  it.effect("combine preferences with those of the client", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* scripted([created])
      yield* Rows.withOptions(rows.create(Holiday, values), { headers: { Prefer: "tx=rollback" } })
      assert.strictEqual(requests[0]?.headers["prefer"], "return=representation,tx=rollback")
    })
  )

  it.effect("limit the time of an attempt, also where the layer has a limit", () =>
    Effect.gen(function* () {
      const { rows } = yield* scripted(["silent"], { retry: { times: 0 }, timeout: "1 minute" })
      const call = Rows.withOptions(Effect.flip(rows.retrieve(Holiday, id)), { timeout: "2 seconds" })
      const [error] = yield* Effect.all([call, TestClock.adjust("2 seconds")], { concurrency: 2 })
      assert.deepInclude(error, { _tag: "Unreachable", reason: "Timeout" })
    })
  )

  it.live("repeat requests by a schedule, which receives each failed attempt", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const retry = Schedule.recurs(3).pipe(
        Schedule.tapInput((attempt: unknown) => Effect.sync(() => seen.push(attempt)))
      )
      const { requests, rows } = yield* scripted([{ status: 503 }, "refused", found])
      yield* Rows.withOptions(rows.list(Holiday), { retry })
      assert.lengthOf(requests, 3)
      assert.deepStrictEqual(seen, [
        { attempt: 1, reason: "Status", status: 503, retryAfter: undefined },
        { attempt: 2, reason: "Connection", status: undefined, retryAfter: undefined }
      ])
      yield* Rows.withOptions(rows.list(Holiday), { retry })
      const { requests: creates, rows: creating } = yield* scripted([{ status: 503 }], { idempotencyKeys: false })
      yield* Effect.flip(Rows.withOptions(creating.create(Holiday, values), { retry }))
      assert.lengthOf(creates, 1)
    })
  )

  it.effect("wait for Retry-After where the schedule would be earlier", () =>
    Effect.gen(function* () {
      const busy = { status: 429, headers: { "retry-after": "7" } }
      const { requests, rows } = yield* scripted([busy, found])
      const call = Rows.withOptions(rows.list(Holiday), { retry: Schedule.recurs(1) })
      const fiber = yield* Effect.fork(Effect.timed(call))
      yield* TestClock.adjust("6 seconds")
      assert.lengthOf(requests, 1)
      yield* TestClock.adjust("1 seconds")
      const [elapsed] = yield* fiber
      assert.strictEqual(Duration.toSeconds(elapsed), 7)
    })
  )
})

describe("an invalid option", () => {
  const cases = [
    [{ timeout: 0 }, "timeout: expected a time above zero, got 0"],
    [{ timeout: "soon" as "1 second" }, 'timeout: expected a time above zero, got "soon"'],
    [{ retry: { times: -1 } }, "retry.times: expected a whole number from 0, got -1"],
    [{ retry: { first: -5 } }, "retry.first: expected a time above zero, got -5"],
    [{ headers: { "x y": "a" } }, "headers.x y: expected a header of one line that the client does not set"],
    [{ headers: { "x-y": "a\nb" } }, "headers.x-y: expected a header of one line that the client does not set"],
    [
      { headers: { Authorization: "a" } },
      "headers.Authorization: expected a header of one line that the client does not set"
    ]
  ] as const

  for (const [options, message] of cases) {
    it.effect(`is named: ${message}`, () =>
      Effect.gen(function* () {
        const { requests, rows } = yield* scripted([found])
        const call = defectOf(yield* Effect.exit(Rows.withOptions(rows.list(Holiday), options)))
        const layer = defectOf(yield* Effect.exit(scripted([found], options)))
        for (const error of [call, layer]) {
          assert.instanceOf(error, OptionInvalid)
          assert.strictEqual(error.message, message)
        }
        assert.isEmpty(requests)
      })
    )
  }

  it.effect("that is the key of a call is Unauthorized, and not shown", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* scripted([found])
      const error = yield* Effect.flip(Rows.withOptions(rows.list(Holiday), { apiKey: "two words" }))
      assert.strictEqual(error._tag, "Unauthorized")
      assert.include(error.message, "apiKey")
      assert.notInclude(error.message, "two words")
      assert.isEmpty(requests)
    })
  )
})

describe("withResponse", () => {
  it.effect("returns the response with the result", () =>
    Effect.gen(function* () {
      const headers = { "x-request-id": "req-7", "content-type": "application/json", "set-cookie": "a=b" }
      const { rows } = yield* scripted([{ status: 503 }, { ...found, headers }], { retry: { first: "2 seconds" } })
      const fiber = yield* Effect.fork(Rows.withResponse(rows.list(Holiday)))
      yield* TestClock.adjust("2 seconds")
      const { response, value } = yield* fiber
      assert.strictEqual(value[0]?.name, "Founding day")
      assert.deepInclude(response, { status: 200, requestId: "req-7", attempts: 2 })
      assert.deepInclude(response?.headers, { "x-request-id": "req-7", "set-cookie": "<redacted>" })
      const seconds = Duration.toSeconds(response?.duration ?? 0)
      assert.isTrue(seconds >= 1 && seconds <= 2)
    })
  )

  it.effect("returns the last response of several, and none where no request was sent", () =>
    Effect.gen(function* () {
      const { rows } = yield* scripted([
        { status: 200, body: row, headers: { etag: "1" } },
        { ...created, status: 202 }
      ])
      const changed = yield* Rows.withResponse(rows.modify(Holiday, id, () => ({})))
      assert.strictEqual(changed.response?.status, 202)
      assert.isUndefined((yield* Rows.withResponse(rows.createMany(Holiday, []))).response)
    })
  )
})

describe("the last parameter of each method", () => {
  it.effect("holds the options of the call", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* scripted([
        { status: 200, body: row, headers: { etag: "1", "content-range": "0-0/1" } }
      ])
      const call = { apiKey: "mfg_other" }
      const upsert = { ...values, id }
      const calls: { readonly [M in keyof typeof rows]: Effect.Effect<unknown, unknown> } = {
        list: rows.list(Holiday, {}, call),
        page: rows.page(Holiday, {}, call),
        pages: Stream.runDrain(rows.pages(Holiday, { limit: 1 }, call)),
        stream: Stream.runDrain(rows.stream(Holiday, { limit: 1 }, call)),
        count: rows.count(Holiday, {}, call),
        retrieve: rows.retrieve(Holiday, id, {}, call),
        retrieveVersioned: rows.retrieveVersioned(Holiday, id, call),
        find: rows.find(Holiday, id, {}, call),
        create: rows.create(Holiday, values, {}, call),
        createMany: rows.createMany(Holiday, [values], {}, call),
        update: rows.update(Holiday, id, {}, {}, call),
        modify: rows.modify(Holiday, id, () => ({}), call),
        upsert: rows.upsert(Holiday, upsert, call),
        remove: rows.remove(Holiday, id, {}, call)
      }
      for (const [method, effect] of Object.entries(calls)) {
        requests.length = 0
        yield* Effect.ignore(effect)
        assert.isNotEmpty(requests, method)
        for (const { headers } of requests) assert.strictEqual(headers["authorization"], "Bearer mfg_other", method)
      }
    })
  )
})

describe("the errors of responses", () => {
  it.effect("have the identifier of the request", () =>
    Effect.gen(function* () {
      const headers = { "x-request-id": "req-7", "content-type": "application/json" }
      const ids = (status: number, body: unknown) =>
        Effect.gen(function* () {
          const { rows } = yield* scripted([{ status, body, headers }], { retry: { times: 0 } })
          const [read, written] = [
            yield* Effect.flip(rows.retrieve(Holiday, id)),
            yield* Effect.flip(rows.create(Holiday, values))
          ]
          return [read, written].map((error) => `${error._tag} ${"requestId" in error ? error.requestId : undefined}`)
        })
      assert.deepStrictEqual(yield* ids(401, null), ["Unauthorized req-7", "Unauthorized req-7"])
      assert.deepStrictEqual(yield* ids(503, null), ["ServiceUnavailable req-7", "ServiceUnavailable req-7"])
      assert.deepStrictEqual(yield* ids(200, { id }), ["ResponseMalformed req-7", "ResponseMalformed req-7"])
      assert.strictEqual((yield* ids(404, []))[0], "RowNotFound req-7")
      const rejected = { code: "22P02", message: "invalid", details: null, hint: null }
      assert.deepStrictEqual(yield* ids(400, rejected), ["QueryRejected req-7", "RowRejected req-7"])
    })
  )
})
