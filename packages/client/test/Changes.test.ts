import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import { assert, describe, it } from "@effect/vitest"
import { OptionInvalid, Rows } from "@mfgdata/client"
import { connect } from "@mfgdata/client/promise"
import { SalesOrderPayment, ShiftId, Timestamp, WorkCenterShift } from "@mfgdata/domain"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { key, restUrl, rows as scripted } from "./fixtures/scripted.ts"

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, "0")}.000Z`
const since = Timestamp.make(at(0))

const shift = (id: string, created: number, updated: number | null, shiftId = "early") => ({
  id,
  workCenterId: "wc_1",
  shiftId,
  companyId: "demo",
  createdBy: "operations",
  createdAt: at(created),
  updatedBy: null,
  updatedAt: updated === null ? null : at(updated)
})

/** Rows over a service that sends one response to each poll, and no further pages; it repeats the last response. */
const service = (responses: ReadonlyArray<ReadonlyArray<object>>) =>
  Effect.gen(function* () {
    const polls: Array<string> = []
    const client = HttpClient.make((request, url) => {
      const target = decodeURIComponent(url.pathname + url.search)
      const isFurtherPage = target.includes("id.gt")
      const body = isFurtherPage ? [] : responses[Math.min(polls.length, responses.length - 1)]
      if (!isFurtherPage) polls.push(target)
      return Effect.succeed(HttpClientResponse.fromWeb(request, Response.json(body)))
    })
    const rows = yield* Effect.provideService(Rows.make({ apiKey: key, restUrl }), HttpClient.HttpClient, client)
    return { polls, rows }
  })

/** The shifts that each poll emits, and the requests of the polls. */
const polled = (
  responses: ReadonlyArray<ReadonlyArray<object>>,
  options: Partial<Parameters<typeof Rows.changes<typeof WorkCenterShift>>[1]> = {}
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(Date.parse("2026-01-02T00:00:00Z"))
    const { polls, rows } = yield* service(responses)
    const seen: Array<string> = []
    const changes = Rows.changes(WorkCenterShift, { since, by: "updatedAt", every: "1 minute", ...options })
    const fiber = yield* changes.pipe(
      Stream.runForEach(({ id, shiftId }) => Effect.sync(() => seen.push(`${id} ${shiftId}`))),
      Effect.provideService(Rows, rows),
      Effect.fork
    )
    const emitted: Array<ReadonlyArray<string>> = []
    for (const _ of responses) {
      yield* TestClock.adjust("59 seconds")
      emitted.push(seen.splice(0))
      yield* TestClock.adjust("1 second")
    }
    yield* Fiber.interrupt(fiber)
    return { emitted, polls }
  })

describe("changes", () => {
  it.effect("are emitted once, also those that become visible late", () =>
    Effect.gen(function* () {
      const { emitted, polls } = yield* polled([
        [shift("a", 1, 20), shift("b", 2, 21)],
        [shift("late", 3, 14), shift("b", 2, 21)],
        [shift("late", 3, 14), shift("b", 2, 21, "night"), shift("new", 25, null)],
        []
      ])
      assert.deepStrictEqual(emitted, [["a early", "b early"], ["late early"], ["b night", "new early"], []])
      const target = (from: number) =>
        `/rest/workCenterShift?or=(updatedAt.gte.${at(from)},and(createdAt.gte.${at(from)},updatedAt.is.null))&order=updatedAt.asc,id.asc&limit=1000`
      assert.deepStrictEqual(polls.slice(0, 4), [target(0), target(11), target(11), target(15)])
    })
  )

  it.effect("are those of a filter, from a date, with an overlap of the program", () =>
    Effect.gen(function* () {
      const { polls } = yield* polled([[shift("a", 30, 30)], []], {
        by: "createdAt",
        since: new Date(at(20)),
        overlap: "2 seconds",
        where: { shiftId: ShiftId.make("early") }
      })
      assert.deepStrictEqual(polls.slice(0, 2), [
        `/rest/workCenterShift?shiftId=eq.early&createdAt=gte.${at(20)}&order=createdAt.asc,id.asc&limit=1000`,
        `/rest/workCenterShift?shiftId=eq.early&createdAt=gte.${at(28)}&order=createdAt.asc,id.asc&limit=1000`
      ])
    })
  )

  it.effect("continue to be found after a row with a time in the future", () =>
    Effect.gen(function* () {
      const future = { ...shift("a", 1, 1), updatedAt: "2031-01-01T00:00:00Z" }
      const { emitted, polls } = yield* polled([[future], [future]])
      assert.deepStrictEqual(emitted, [["a early"], []])
      assert.include(polls[1], "updatedAt.gte.2026-01-02T00:00:50")
    })
  )

  it.effect("fail with the error of a poll", () =>
    Effect.gen(function* () {
      const { rows } = yield* scripted([{ status: 401 }])
      const changes = Stream.runDrain(Rows.changes(SalesOrderPayment, { since, by: "updatedAt" }))
      assert.strictEqual((yield* Effect.flip(Effect.provideService(changes, Rows, rows)))._tag, "Unauthorized")
    })
  )

  it.effect("name an invalid option", () =>
    Effect.gen(function* () {
      const { rows } = yield* scripted([{ status: 200, body: [] }])
      for (const options of [{ every: 0 }, { overlap: -1 }, { since: new Date(Number.NaN) }]) {
        const changes = Stream.runDrain(Rows.changes(WorkCenterShift, { since, by: "updatedAt", ...options }))
        const exit = yield* Effect.exit(Effect.provideService(changes, Rows, rows))
        const defect = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
        assert.instanceOf(defect, OptionInvalid)
        assert.strictEqual(defect.option, Object.keys(options)[0])
      }
    })
  )

  it("of promises end with the iteration, or with its signal", async () => {
    const fetch: typeof globalThis.fetch = async (address) =>
      Response.json(String(address).includes("id.gt") ? [] : [shift("a", 1, 20)])
    const rows = connect({ restUrl, apiKey: key, fetch })
    const controller = new AbortController()
    const seen: Array<string> = []
    const changes = rows.changes(WorkCenterShift, { since, by: "updatedAt" }, { signal: controller.signal })
    const iterated = (async () => {
      for await (const { id } of changes) {
        seen.push(id)
        controller.abort(new Error("enough"))
      }
    })()
    await iterated.then(
      () => assert.fail(),
      (error: unknown) => assert.strictEqual(String(error), "Error: enough")
    )
    assert.deepStrictEqual(seen, ["a"])
  })
})
