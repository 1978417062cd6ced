import { assert, describe, it } from "@effect/vitest"
import { QueryTooCostly } from "@mfgdata/client"
import { Holiday } from "@mfgdata/domain"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { values } from "./fixtures/holiday.ts"
import { errorBody, rows as scripted } from "./fixtures/scripted.ts"
import { type Call, calls, errorOf } from "./fixtures/calls.ts"

const smaller = "Request less: fewer rows (limit)."
const timeout = errorBody(
  "57014",
  "canceling statement due to statement timeout",
  "The query ran for longer than 5000 ms (--statement-timeout).",
  smaller
)
const memory = errorBody(
  "53200",
  "out of memory",
  "The query needs more than 9 bytes of memory (--max-memory).",
  smaller
)
const answer = errorBody("54000", "The answer is too large", "At most 32 bytes are sent (--max-answer).", smaller)

describe("a request that exceeds a limit of the service", () => {
  for (const [name, call] of Object.entries<Call>(calls)) {
    it.effect(`fails ${name} with the limit, and is not repeated`, () =>
      Effect.gen(function* () {
        for (const [status, body, flag] of [
          [504, timeout, "--statement-timeout"],
          [503, memory, "--max-memory"],
          [500, memory, "--max-memory"],
          [413, answer, "--max-answer"]
        ] as const) {
          const { requests, rows } = yield* scripted([{ status, body, headers: { "retry-after": "1" } }])
          const error = yield* Effect.flip(call(rows))
          assert(error instanceof QueryTooCostly)
          assert.deepInclude(error, {
            resource: "holiday",
            status,
            code: body.code,
            detail: body.details ?? "",
            hint: smaller,
            flag
          })
          assert.strictEqual(
            error.message,
            `The request for holiday exceeds a limit: ${body.details} (${body.code}); ${smaller}`
          )
          assert.lengthOf(requests, 1)
        }
      })
    )
  }

  it.effect("ends createMany, whose batch it does not halve", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* scripted([{ status: 504, body: timeout }])
      const results = yield* rows.createMany(Holiday, [values, values, values], { batchSize: 2 })
      assert.deepStrictEqual(
        results.map((result) => (Either.isLeft(result) ? result.left._tag : "created")),
        ["QueryTooCostly", "QueryTooCostly", "QueryTooCostly"]
      )
      assert.lengthOf(requests, 1)
    })
  )

  it.effect(
    "is a rejected row where its own values are too large, and names no flag that the service does not name",
    () =>
      Effect.gen(function* () {
        const body = errorBody("54000", "The body is too large", "At most 9 bytes are accepted (--max-body).")
        assert.strictEqual((yield* errorOf(calls.create, { status: 413, body }))._tag, "RowRejected")
        const unnamed = { status: 413, body: errorBody("54000", "The answer is too large") }
        const error = yield* errorOf(calls.list, unnamed)
        assert(error instanceof QueryTooCostly)
        assert.deepInclude(error, { flag: undefined, detail: "The answer is too large" })
      })
  )

  it.effect("is a failed service where a request arrived too slowly, or a code has another status", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* errorOf(calls.create, { status: 408, body: timeout }))._tag, "RowRejected")
      const other = { status: 503, body: errorBody("P0503", "Too many queries of the company wait for the store") }
      assert.strictEqual((yield* errorOf(calls.list, other))._tag, "ServiceUnavailable")
    })
  )
})
