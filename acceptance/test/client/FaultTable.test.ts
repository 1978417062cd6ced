/**
 * Sends each response of a table to every method, over real sockets, in Effect with two HTTP clients and with promises.
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, it } from "@effect/vitest"
import { Rows } from "@mfgdata/client"
import { connect } from "@mfgdata/client/promise"
import { CalendarDate, CompanyId, Holiday, HolidayId } from "@mfgdata/domain"
import * as LocalServer from "@mfgdata/testing-server"
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import {
  type Answer,
  closed,
  faults,
  type Method,
  methods,
  moved,
  outcomes,
  respond,
  row,
  silent
} from "./fixtures/faults.ts"

const id = HolidayId.make("hol_1")
const values = { name: "Founding day", date: CalendarDate.make("2027-05-01"), companyId: CompanyId.make("demo") }

/** A service that sends one answer to all requests. */
const service = Effect.gen(function* () {
  let current: Answer = moved
  const { url: origin } = yield* LocalServer.start(({ path }, response) => {
    const isGood = current.status >= 200 && current.status < 400
    if (path.startsWith("/moved")) respond(moved, response)
    // No row is after the first one.
    else if (isGood && path.includes("id=gt")) respond({ status: 200, body: [] }, response)
    else if (current.status === closed) response.destroy()
    else if (current.status !== silent) respond(current, response)
  })
  return { origin, use: (answer: Answer) => void (current = answer) }
})

const stream = (rows: Stream.Stream<unknown, unknown>) => Effect.map(Stream.runCollect(rows), Chunk.toReadonlyArray)
const first = (results: ReadonlyArray<Either.Either<unknown, unknown>>) => results[0] ?? Either.left("no result")

type Calls = { readonly [M in Method]: Effect.Effect<unknown, unknown> }

const effects = (rows: Context.Tag.Service<Rows>): Calls => ({
  list: rows.list(Holiday),
  page: Effect.map(rows.page(Holiday), ({ rows }) => rows),
  pages: Effect.map(stream(rows.pages(Holiday, { pageSize: 1, limit: 1 })), (pages) =>
    (pages as ReadonlyArray<{ readonly rows: ReadonlyArray<unknown> }>).flatMap(({ rows }) => rows)
  ),
  stream: stream(rows.stream(Holiday, { pageSize: 1, limit: 1 })),
  count: rows.count(Holiday),
  retrieve: rows.retrieve(Holiday, id),
  retrieveVersioned: rows.retrieveVersioned(Holiday, id),
  find: Effect.map(rows.find(Holiday, id), Option.getOrNull),
  create: rows.create(Holiday, values),
  createMany: Effect.flatMap(rows.createMany(Holiday, [values]), first),
  update: rows.update(Holiday, id, { year: 2027 }),
  modify: rows.modify(Holiday, id, () => ({ year: 2027 })),
  upsert: rows.upsert(Holiday, { ...values, id }),
  remove: rows.remove(Holiday, id)
})

const promises = (rows: ReturnType<typeof connect>): Calls => {
  const call = <A>(run: () => Promise<A>) => Effect.tryPromise({ try: run, catch: (error) => error })
  const all = async () => {
    const found = []
    for await (const row of rows.stream(Holiday, { pageSize: 1, limit: 1 })) found.push(row)
    return found
  }
  return {
    list: call(() => rows.list(Holiday)),
    page: call(async () => (await rows.page(Holiday)).rows),
    pages: call(all),
    stream: call(all),
    count: call(() => rows.count(Holiday)),
    retrieve: call(() => rows.retrieve(Holiday, id)),
    retrieveVersioned: call(() => rows.retrieveVersioned(Holiday, id)),
    find: call(async () => (await rows.find(Holiday, id)) ?? null),
    create: call(() => rows.create(Holiday, values)),
    createMany: call(async () => {
      const [result] = await rows.createMany(Holiday, [values])
      if (result?.error !== undefined) throw result.error
      return result?.row
    }),
    update: call(() => rows.update(Holiday, id, { year: 2027 })),
    modify: call(() => rows.modify(Holiday, id, () => ({ year: 2027 }))),
    upsert: call(() => rows.upsert(Holiday, { ...values, id })),
    remove: call(() => rows.remove(Holiday, id))
  }
}

/** The right results. */
const results: { readonly [M in Method]: unknown } = {
  list: [row],
  page: [row],
  pages: [row],
  stream: [row],
  count: 1,
  retrieve: row,
  retrieveVersioned: { row, etag: '"7"' },
  find: row,
  create: row,
  createMany: row,
  update: row,
  modify: row,
  upsert: row,
  remove: undefined
}

const isSame = (actual: unknown, expected: unknown): boolean => {
  try {
    assert.deepStrictEqual(actual, expected)
    return true
  } catch {
    return false
  }
}

/** The short names of errors. */
const names: { readonly [tag: string]: string } = Object.fromEntries(
  Object.entries(outcomes).map(([name, tag]) => [tag, name])
)

const outcomeOf = (method: Method, result: Either.Either<unknown, unknown>): string => {
  if (Either.isRight(result)) {
    if (isSame(result.right, results[method])) return "ok"
    if (result.right === null) return "none"
    return isSame(result.right, []) ? "[]" : "other"
  }
  // Every error of the client has a tag.
  const { _tag, written } = result.left as { readonly _tag: string; readonly written?: boolean }
  return `${names[_tag] ?? _tag}${written === true ? "!" : ""}`
}

const options = { apiKey: "mfg_some_key", retry: { times: 0 } } as const

const overHttp = (client: Layer.Layer<HttpClient.HttpClient>) => (restUrl: string, timeout: Duration.DurationInput) =>
  Effect.map(Layer.build(Layer.provide(Rows.layer({ restUrl, timeout, ...options }), client)), (context) =>
    effects(Context.get(context, Rows))
  )

/** The calls of a client, each a new one at every run. */
const clients = {
  "Effect and fetch": overHttp(FetchHttpClient.layer),
  "Effect and undici": overHttp(NodeHttpClient.layerUndici),
  promises: (restUrl: string, timeout: Duration.DurationInput) =>
    Effect.sync(() => promises(connect({ restUrl, timeout, ...options })))
}

for (const [name, make] of Object.entries(clients)) {
  it.scopedLive(
    `${name}: each of ${faults.length} answers has its outcome in every method`,
    () =>
      Effect.gen(function* () {
        const { origin, use } = yield* service
        const patient = yield* make(origin, "10 seconds")
        const impatient = yield* make(origin, "200 millis")
        const found: Array<string> = []
        for (const [fault, answer] of faults) {
          use(answer)
          const calls = answer.status === silent ? impatient : patient
          const result = yield* Effect.forEach(
            methods,
            (method) => Effect.map(Effect.either(calls[method]), (result) => outcomeOf(method, result)),
            { concurrency: "unbounded" }
          )
          found.push(`${fault}: ${result.join(" ")}`)
        }
        assert.deepStrictEqual(
          found,
          faults.map(
            ([fault, , expected, overUndici = expected]) =>
              `${fault}: ${name === "Effect and undici" ? overUndici : expected}`
          )
        )
      }),
    300_000
  )
}
