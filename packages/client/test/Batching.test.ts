import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import { assert, describe, it } from "@effect/vitest"
import { Rows } from "@mfgdata/client"
import { Holiday, HolidayId } from "@mfgdata/domain"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Request from "effect/Request"
import * as RequestResolver from "effect/RequestResolver"
import * as TestClock from "effect/TestClock"
import { row } from "./fixtures/holiday.ts"
import { errorBody, key, restUrl } from "./fixtures/scripted.ts"
import { record } from "./fixtures/tracer.ts"

interface RecordedRequest {
  readonly query: URLSearchParams
  readonly headers: { readonly [name: string]: string | undefined }
  readonly keys: ReadonlyArray<string>
}

/** Reports whether a key exists. */
const exists = (id: string) => !id.startsWith("absent")

const rowOf = (id: string) => ({ ...row, id, name: `Day ${id}` })

/** Rows over a service that has a row for each key, unless the function returns another response. */
const service = (respond: (request: RecordedRequest, count: number) => Response | undefined = () => undefined) =>
  Effect.gen(function* () {
    const requests: Array<RecordedRequest> = []
    const client = HttpClient.make((request, url) => {
      const filter = url.searchParams.get("id") ?? ""
      const list = /^in\.\((.*)\)$/.exec(filter)?.[1]
      const keys = list === undefined ? [filter.slice(3)] : list.split(",").map((key) => key.replaceAll('"', ""))
      const received = { query: url.searchParams, headers: request.headers, keys }
      requests.push(received)
      const select = url.searchParams.get("select")
      const rows = keys.filter(exists).map((id) => {
        const whole: { readonly [column: string]: unknown } = rowOf(id)
        const columns = select?.split(",").map((item) => item.split(":"))
        return columns === undefined
          ? whole
          : Object.fromEntries(columns.map(([alias = "", column = alias]) => [alias, whole[column]]))
      })
      const response =
        respond(received, requests.length) ?? Response.json(list === undefined ? (rows[0] ?? []) : rows.toReversed())
      return Effect.succeed(HttpClientResponse.fromWeb(request, response))
    })
    const options = { apiKey: key, restUrl, retry: { times: 0 } }
    const rows = yield* Effect.provideService(Rows.make(options), HttpClient.HttpClient, client)
    return { requests, rows }
  })

const ids = (count: number) =>
  Array.from({ length: count }, (_, index) => HolidayId.make(`hol_${String(index).padStart(6, "0")}`))

interface Signal extends Request.Request<void> {
  readonly _tag: "Signal"
}

const rejected = () => Response.json(errorBody("PGRST100", "too long"), { status: 400 })

describe("a batch", () => {
  it.effect("of a thousand keys is a few requests, each below the limits of services", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* service()
      const found = yield* Effect.forEach(ids(1000), (id) => rows.retrieve(Holiday, id), { batching: true })
      assert.deepStrictEqual(
        found.map(({ id, name }) => `${id} ${name}`),
        ids(1000).map((id) => `${id} Day ${id}`)
      )
      assert.isAtMost(requests.length, 15)
      for (const { keys, query } of requests) {
        assert.isAtMost(keys.length, 200)
        assert.isBelow(query.toString().length, 8000)
      }
    })
  )

  it.effect("within Effect.withRequestBatching is one request, with equal keys once", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* service()
      const keys = ["hol_1", "hol_2", "hol_1", "absent_1"].map((id) => HolidayId.make(id))
      const each = Effect.forEach(keys, (id) => Effect.either(rows.retrieve(Holiday, id)), {
        batching: "inherit",
        concurrency: "unbounded"
      })
      const results = yield* Effect.withRequestBatching(each, true)
      assert.deepStrictEqual(
        results.map(Either.match({ onLeft: ({ message }) => message, onRight: ({ name }) => name })),
        ["Day hol_1", "Day hol_2", "Day hol_1", 'No holiday has the key "absent_1"']
      )
      // The second request shows that the first response was complete.
      assert.deepStrictEqual(
        requests.map(({ keys }) => keys),
        [["hol_1", "hol_2", "absent_1"], ["absent_1"]]
      )
      requests.length = 0
      yield* Effect.withRequestBatching(each, false)
      assert.lengthOf(requests, 4)
    })
  )

  it.effect("takes find too, and returns the selected columns alone", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* service()
      const found = yield* Effect.forEach(ids(3), (id) => rows.find(Holiday, id, { select: ["name"] }), {
        batching: true
      })
      assert.deepStrictEqual(
        found.map((row) => JSON.stringify(row)),
        ids(3).map((id) => JSON.stringify({ _id: "Option", _tag: "Some", value: { name: `Day ${id}` } }))
      )
      assert.lengthOf(requests, 1)
    })
  )

  it.effect("never mixes the keys, options and selections of callers", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* service()
      const [first = assert.fail()] = ids(1)
      yield* Effect.all(
        [
          ...ids(2).map((id) => rows.retrieve(Holiday, id)),
          ...ids(2).map((id) => rows.retrieve(Holiday, id, {}, { apiKey: "mfg_other" })),
          ...ids(2).map((id) => rows.retrieve(Holiday, id, {}, { headers: { "x-tenant": "south" } })),
          Rows.withOptions(rows.retrieve(Holiday, first), { headers: { "X-Tenant": "north" } }),
          ...ids(2).map((id) => rows.retrieve(Holiday, id, { select: ["id"] }))
        ],
        { batching: true }
      )
      const seen = requests.map(({ headers, keys, query }) => [
        headers["authorization"],
        headers["x-tenant"] ?? null,
        query.get("select"),
        keys.length
      ])
      assert.sameDeepMembers(seen, [
        [`Bearer ${key}`, null, null, 2],
        ["Bearer mfg_other", null, null, 2],
        [`Bearer ${key}`, "south", null, 2],
        [`Bearer ${key}`, "north", null, 1],
        [`Bearer ${key}`, null, "id", 2]
      ])
    })
  )

  it.effect("that a service rejects is divided, so that one key fails alone", () =>
    Effect.gen(function* () {
      const { rows } = yield* service(({ keys }) => (keys.includes("hol_000005") ? rejected() : undefined))
      const exits = yield* Effect.forEach(ids(20), (id) => Effect.exit(rows.retrieve(Holiday, id)), { batching: true })
      exits.forEach((exit, index) => assert.strictEqual(Exit.isSuccess(exit), index !== 5))
      assert.deepInclude(yield* Effect.flip(exits[5] ?? assert.fail()), { _tag: "QueryRejected" })
    })
  )

  it.effect("has an undecodable row as the error of its key", () =>
    Effect.gen(function* () {
      const broken = { ...rowOf("hol_000001"), name: 7 }
      const { requests, rows } = yield* service(() => Response.json([rowOf("hol_000000"), broken]))
      const [one, other] = yield* Effect.forEach(ids(2), (id) => Effect.either(rows.retrieve(Holiday, id)), {
        batching: true
      })
      assert.isTrue(Either.isRight(one ?? assert.fail()))
      const error = yield* Effect.flip(other ?? assert.fail())
      assert.strictEqual(error._tag, "ResponseMalformed")
      assert.include(error.message, "hol_000001")
      assert.lengthOf(requests, 1)
    })
  )

  it.effect("asks again for the rows that a service with a small limit left out", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* service(({ keys }) =>
        keys.length > 1 ? Response.json(keys.slice(0, 3).map(rowOf)) : undefined
      )
      const found = yield* Effect.forEach(ids(8), (id) => rows.retrieve(Holiday, id), { batching: true })
      assert.lengthOf(found, 8)
      assert.deepStrictEqual(
        requests.map(({ keys }) => keys.length),
        [8, 5, 2]
      )
    })
  )

  it.effect("fails all of its keys with an error that is not about a key", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* service(() => new Response(null, { status: 401 }))
      const errors = yield* Effect.forEach(ids(3), (id) => Effect.flip(rows.retrieve(Holiday, id)), { batching: true })
      assert.deepStrictEqual(
        errors.map(({ _tag }) => _tag),
        ["Unauthorized", "Unauthorized", "Unauthorized"]
      )
      assert.lengthOf(requests, 1)
    })
  )

  it.effect("gives each call its span, its response and its options", () =>
    Effect.gen(function* () {
      const { rows } = yield* service()
      const calls = Effect.forEach(ids(2), (id) => Rows.withResponse(rows.retrieve(Holiday, id)), { batching: true })
      const { exit, spans } = yield* record(calls)
      const responses = yield* exit
      assert.deepStrictEqual(
        responses.map(({ response }) => response?.status),
        [200, 200]
      )
      assert.deepStrictEqual(
        spans.map(({ path }) => path),
        ["Rows.retrieve", "Rows.retrieve", "Rows.batch", "Rows.batch > http.client GET"]
      )
      assert.strictEqual(spans[2]?.attributes.get("mfg.rows"), 2)
    })
  )

  it.effect("selects the key besides the columns of the caller", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* service()
      const [day] = yield* Effect.forEach(ids(2), (id) => rows.retrieve(Holiday, id, { select: [{ day: "date" }] }), {
        batching: true
      })
      assert.strictEqual(requests[0]?.query.get("select"), "day:date,_key:id")
      assert.deepStrictEqual(Object.keys(day ?? {}), ["day"])
    })
  )
})

describe("the requests of a batch", () => {
  /** Rows over a service that responds from its second request on, and the keys of both. */
  const hanging = Effect.gen(function* () {
    const sent = yield* Deferred.make<void>()
    const requests: Array<string> = []
    const interrupted: Array<string> = []
    const client = HttpClient.make((request, url) => {
      const filter = url.searchParams.get("id") ?? ""
      requests.push(filter)
      if (requests.length > 1) {
        const found = [...filter.matchAll(/hol_\d+/g)].map(([id]) => rowOf(id))
        return Effect.succeed(HttpClientResponse.fromWeb(request, Response.json(found)))
      }
      return Effect.zipRight(Deferred.succeed(sent, undefined), Effect.never).pipe(
        Effect.onInterrupt(() => Effect.sync(() => interrupted.push(filter)))
      )
    })
    const options = { apiKey: key, restUrl, retry: { times: 0 } }
    const rows = yield* Effect.provideService(Rows.make(options), HttpClient.HttpClient, client)
    return { interrupted, requests, rows, sent }
  })

  it.effect("end when another effect of the batch fails", () =>
    Effect.gen(function* () {
      const { interrupted, requests, rows, sent } = yield* hanging
      const Signal = Request.tagged<Signal>("Signal")
      const signal = RequestResolver.fromEffect<never, Signal>(() => Deferred.await(sent))
      const failing = Effect.zipRight(Effect.request(Signal({}), signal), Effect.fail("stopped"))
      const options = { batching: true, concurrency: "unbounded" } as const
      const calls = ids(3).map((id) => rows.retrieve(Holiday, id))
      assert.strictEqual(yield* Effect.flip(Effect.all([...calls, failing], options)), "stopped")
      assert.deepStrictEqual(interrupted.slice(0, 1), requests.slice(0, 1))
      assert.lengthOf(yield* Effect.all(calls, options), 3)
    })
  )

  it.effect("are those of one program, with one request for each step that depends on another", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* service()
      const next = ({ id }: { readonly id: string }) => HolidayId.make(`${id}9`)
      const twice = (id: HolidayId) =>
        Effect.flatMap(rows.retrieve(Holiday, id), (row) => rows.retrieve(Holiday, next(row)))
      for (const concurrency of [undefined, 2, "unbounded"] as const) {
        requests.length = 0
        const one = Effect.forEach(ids(4), twice, { batching: true, concurrency })
        const other = Effect.forEach(ids(8).slice(4), twice, { batching: true, concurrency })
        const fibers = yield* Effect.all([Effect.fork(one), Effect.fork(other)])
        assert.deepStrictEqual(
          (yield* Fiber.join(Fiber.all(fibers))).flat().map(({ id }) => id),
          ids(8).map((id) => HolidayId.make(`${id}9`))
        )
        assert.deepStrictEqual(
          requests.map(({ keys }) => keys.length),
          [4, 4, 4, 4]
        )
      }
    })
  )
})

describe("cached", () => {
  it.effect("retrieves each row once, until a write or the end of the effect", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* service()
      const [first = assert.fail()] = ids(1)
      const twice = Effect.zip(rows.retrieve(Holiday, first), rows.find(Holiday, first))
      yield* Rows.cached(
        Effect.gen(function* () {
          yield* twice
          yield* twice
          assert.lengthOf(requests, 1)
          yield* rows.retrieve(Holiday, first, { select: ["id"] })
          assert.lengthOf(requests, 2)
          yield* rows.update(Holiday, first, { tags: null })
          requests.length = 0
          yield* twice
          assert.lengthOf(requests, 1)
        })
      )
      yield* twice
      assert.lengthOf(requests, 3)
    })
  )

  it.effect("keeps the absence of a row, and no other error", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* service((_, count) =>
        count === 1 ? new Response(null, { status: 503 }) : undefined
      )
      const absent = HolidayId.make("absent_1")
      yield* Rows.cached(
        Effect.gen(function* () {
          assert.strictEqual((yield* Effect.flip(rows.retrieve(Holiday, absent)))._tag, "ServiceUnavailable")
          assert.strictEqual((yield* Effect.flip(rows.retrieve(Holiday, absent)))._tag, "RowNotFound")
          assert.isTrue((yield* rows.find(Holiday, absent))._tag === "None")
        })
      )
      assert.lengthOf(requests, 2)
    })
  )

  it.effect("keeps a row for a time, and apart from those of other callers", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* service()
      const { requests: others, rows: other } = yield* service()
      const [first = assert.fail()] = ids(1)
      yield* Rows.cached(
        Effect.gen(function* () {
          yield* rows.retrieve(Holiday, first)
          yield* rows.retrieve(Holiday, first, {}, { apiKey: "mfg_other" })
          yield* other.retrieve(Holiday, first)
          assert.strictEqual(requests.length + others.length, 3)
          yield* TestClock.adjust("61 seconds")
          yield* rows.retrieve(Holiday, first)
          assert.strictEqual(requests.length + others.length, 4)
        }),
        { timeToLive: "1 minute" }
      )
    })
  )
})
