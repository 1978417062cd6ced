import { assert, describe, it } from "@effect/vitest"
import type { InvalidRow, QueryError, ResponseMalformed, UpdateError } from "@mfgdata/client"
import { connect } from "@mfgdata/client/promise"
import { Holiday, HolidayId, Query } from "@mfgdata/domain"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { id, row } from "./fixtures/holiday.ts"
import { key, restUrl, rows as scripted } from "./fixtures/scripted.ts"

const odd = { ...row, id: "hol_2", year: "2027", shade: "red" }
const third = { ...row, id: "hol_3", shade: "blue" }
const many = { status: 200, body: [row, odd, third] }
const none = { status: 200, body: [] }
const one = { status: 200, body: odd }

const decoded = { ...third, shade: undefined }
delete (decoded as { shade?: unknown }).shade

const idsOf = (rows: Iterable<{ readonly id: string }>) => Array.from(rows, ({ id }) => id)

/** A kept row as its id, or as its error. */
const shown = (kept: Either.Either<{ readonly id: string }, InvalidRow>) =>
  Either.match(kept, {
    onLeft: ({ error: { key, field, expected, got, subject }, raw }) => ({ key, field, expected, got, subject, raw }),
    onRight: ({ id }) => id
  })

const left = {
  subject: "holiday",
  key: "hol_2",
  field: "year",
  expected: "a number or null",
  got: '"2027"',
  raw: odd
}

describe("a row that does not match its type", () => {
  it.effect("fails a list, and the error names resource, key, field, expected and actual value", () =>
    Effect.gen(function* () {
      const { rows } = yield* scripted([many])
      for (const onInvalid of [{}, { onInvalid: "fail" }] as const) {
        const error = (yield* Effect.flip(rows.list(Holiday, onInvalid))) as ResponseMalformed
        const { expected, field, got, key, subject } = error
        assert.deepStrictEqual({ subject, key, field, expected, got, raw: odd }, left)
        assert.isFalse(error.written)
        assert.strictEqual(
          error.message,
          'http://service.test returned data that does not match the schema in the row "hol_2": holiday.year: expected a number or null, got "2027"'
        )
      }
      const keyless = { status: 200, body: [{ name: "a" }, { name: 7 }] }
      const error = yield* Effect.flip((yield* scripted([keyless])).rows.list(Holiday, { select: ["name"] }))
      assert.include(error.message, "schema: holiday.1.name: expected a string, got 7")
    })
  )

  it.effect("is kept by every method as it came", () =>
    Effect.gen(function* () {
      const onInvalid = "keep"
      const lists = yield* scripted([many])
      assert.deepStrictEqual((yield* lists.rows.list(Holiday, { onInvalid })).map(shown), ["hol_1", left, "hol_3"])
      const paged = yield* scripted([many, none])
      const page = yield* paged.rows.page(Holiday, { onInvalid })
      assert.deepStrictEqual(page.rows.map(shown), ["hol_1", left, "hol_3"])
      const streams = yield* scripted([many, none, many, none])
      const streamed = yield* Stream.runCollect(streams.rows.stream(Holiday, { onInvalid }))
      assert.deepStrictEqual(Chunk.toReadonlyArray(streamed).map(shown), ["hol_1", left, "hol_3"])
      const pages = yield* Stream.runCollect(streams.rows.pages(Holiday, { onInvalid }))
      assert.deepStrictEqual(Chunk.unsafeHead(pages).rows.map(shown), ["hol_1", left, "hol_3"])
      const single = yield* scripted([one])
      const odd = HolidayId.make("hol_2")
      assert.deepStrictEqual(shown(yield* single.rows.retrieve(Holiday, odd, { onInvalid })), left)
      assert.deepStrictEqual(Option.map(yield* single.rows.find(Holiday, odd, { onInvalid }), shown), Option.some(left))
    })
  )

  it.effect("is left out by every method on request, and absent as a single row", () =>
    Effect.gen(function* () {
      const onInvalid = "skip"
      const lists = yield* scripted([many])
      assert.deepStrictEqual(idsOf(yield* lists.rows.list(Holiday, { onInvalid })), ["hol_1", "hol_3"])
      const paged = yield* scripted([many])
      const page = yield* paged.rows.page(Holiday, { onInvalid, limit: 2 })
      assert.deepStrictEqual(idsOf(page.rows), ["hol_1"])
      assert.isDefined(page.next)
      const streams = yield* scripted([many, none])
      assert.deepStrictEqual(idsOf(yield* Stream.runCollect(streams.rows.stream(Holiday, { onInvalid }))), [
        "hol_1",
        "hol_3"
      ])
      const single = yield* scripted([one])
      const odd = HolidayId.make("hol_2")
      assert.strictEqual((yield* Effect.flip(single.rows.retrieve(Holiday, odd, { onInvalid })))._tag, "RowNotFound")
      assert.deepStrictEqual(yield* single.rows.find(Holiday, odd, { onInvalid }), Option.none())
    })
  )

  it.effect("does not hide a response of another service", () =>
    Effect.gen(function* () {
      for (const body of [{ status: "ok" }, 7, "<html>"]) {
        const { rows } = yield* scripted([{ status: 200, body }])
        for (const onInvalid of ["keep", "skip"] as const) {
          assert.strictEqual((yield* Effect.flip(rows.list(Holiday, { onInvalid })))._tag, "ResponseMalformed")
          assert.strictEqual((yield* Effect.flip(rows.find(Holiday, id, { onInvalid })))._tag, "ResponseMalformed")
        }
      }
    })
  )

  it("is an Either of the promise client too", async () => {
    const fetch = () => Promise.resolve(Response.json([row, odd]))
    const rows = connect({ restUrl, apiKey: key, fetch })
    assert.deepStrictEqual((await rows.list(Holiday, { onInvalid: "keep" })).map(shown), ["hol_1", left])
    assert.deepStrictEqual(idsOf(await rows.list(Holiday, { onInvalid: "skip" })), ["hol_1"])
  })
})

describe("the row of another key", () => {
  it.effect("is not the result of a request for one row, unless the keys differ only in case", () =>
    Effect.gen(function* () {
      const { rows } = yield* scripted([{ status: 200, body: { ...row, id: "HOL_1" } }])
      const other = HolidayId.make("hol_7")
      assert.strictEqual((yield* rows.retrieve(Holiday, id)).name, row.name)
      const calls: ReadonlyArray<Effect.Effect<unknown, QueryError | UpdateError>> = [
        rows.retrieve(Holiday, other),
        rows.find(Holiday, other),
        rows.retrieve(Holiday, other, { select: ["id", "name"] }),
        rows.update(Holiday, other, { name: "x" }),
        rows.remove(Holiday, other)
      ]
      for (const call of calls) {
        assert.deepInclude(yield* Effect.flip(call), { _tag: "ResponseMalformed", written: false })
      }
    })
  )
})

describe("the columns that this version does not know", () => {
  it.effect("are under extra on request, and left out otherwise", () =>
    Effect.gen(function* () {
      const { rows } = yield* scripted([{ status: 200, body: [third] }])
      const [plain] = yield* rows.list(Holiday)
      assert.deepStrictEqual<unknown>(plain, decoded)
      const [full] = yield* rows.list(Holiday, { extra: true })
      assert.deepStrictEqual<unknown>(full, { ...decoded, extra: { shade: "blue" } })
      const third_ = HolidayId.make("hol_3")
      const { extra, name } = yield* rows.retrieve(Holiday, third_, { extra: true })
      assert.deepStrictEqual([name, extra], ["Founding day", { shade: "blue" }])
      const some = yield* rows.list(Holiday, { select: ["id"], extra: true, onInvalid: "keep" })
      assert.deepInclude(Either.getOrThrow(some[0] ?? assert.fail()), { id: third_ })
      assert.strictEqual(Either.getOrThrow(some[0] ?? assert.fail()).extra["shade"], "blue")
    })
  )
})

describe("a page that does not advance", () => {
  const ignored = { status: 200, body: [row, third] }

  it.effect("fails a stream, where a proxy ignores its cursor", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* scripted([ignored])
      const error = yield* Effect.flip(Stream.runDrain(rows.stream(Holiday, { pageSize: 2 })))
      assert.strictEqual(
        error.message,
        "Expected a page that starts after its cursor from http://service.test, got status 200 with application/json: check the address of the service"
      )
      assert.lengthOf(requests, 2)
      const ordered = rows.stream(Holiday, { pageSize: 2, order: [Query.desc("year")], select: ["name"] })
      assert.strictEqual((yield* Effect.flip(Stream.runDrain(ordered)))._tag, "ResponseMalformed")
    })
  )

  it.effect("fails the page after a cursor", () =>
    Effect.gen(function* () {
      const { rows } = yield* scripted([ignored])
      const { next } = yield* rows.page(Holiday, { limit: 1 })
      assert.strictEqual((yield* Effect.flip(rows.page(Holiday, { limit: 1, after: next })))._tag, "ResponseMalformed")
    })
  )

  it.effect("keeps to the limit where a proxy ignores that", () =>
    Effect.gen(function* () {
      const { rows } = yield* scripted([ignored])
      const streamed = yield* Stream.runCollect(rows.stream(Holiday, { limit: 1 }))
      assert.deepStrictEqual(idsOf(streamed), ["hol_1"])
    })
  )
})
