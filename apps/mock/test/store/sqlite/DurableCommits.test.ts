import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import type { Change } from "../../../src/sql/Change.ts"
import { statement, insert, setUp, reasonOf } from "./commits.ts"

afterEach(() => void vi.restoreAllMocks())

describe("durable commits", () => {
  /** A log whose syncs are ended by the test, which also moves the clock. */
  const manual = () => {
    const syncs: Array<{ readonly resolve: () => void; readonly reject: (cause: Error) => void }> = []
    const state: { busy: Promise<void> | undefined; now: number } = { busy: undefined, now: 1000 }
    vi.spyOn(performance, "now").mockImplementation(() => state.now)
    const log = {
      sync: () => new Promise<void>((resolve, reject) => syncs.push({ resolve, reject })),
      shrink: () => undefined,
      busy: () => state.busy
    }
    return { log, state, syncs }
  }

  const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

  it.effect("responds in order when a commit is durable, and commits together what arrives during a sync", () =>
    Effect.gen(function* () {
      const { log, syncs } = manual()
      const { ids, queue } = setUp({}, log)
      const responses: Array<string> = []
      queue.subscribe(() => responses.push("event"))
      const publishing: Change<string, never> = {
        steps: [...insert("b").steps, { _tag: "Publish", statement: statement("SELECT 1") }],
        resolve: ([rows]) => Either.right(String(rows?.[0]?.[0]))
      }
      for (const change of [insert("a"), publishing, insert("c")]) {
        yield* Effect.fork(Effect.map(queue.change(change), (id) => responses.push(id)))
        yield* turn
        yield* turn
      }
      assert.deepStrictEqual(ids(), ["a"])
      assert.deepStrictEqual(responses, [])
      assert.deepInclude(queue.statistics(), { commits: 0, waiting: 3 })
      assert.lengthOf(syncs, 1)
      syncs[0]!.resolve()
      yield* turn
      yield* turn
      assert.deepStrictEqual(responses, ["a"])
      assert.deepStrictEqual(ids(), ["a", "b", "c"])
      assert.lengthOf(syncs, 2)
      syncs[1]!.resolve()
      yield* turn
      assert.deepStrictEqual(responses, ["a", "event", "b", "c"])
      assert.deepInclude(queue.statistics(), { commits: 2, changes: 3, waiting: 0 })
      assert.lengthOf(syncs, 2)
    })
  )

  it.effect("waits after a slow commit for the next changes of its callers, and at most as long as it took", () =>
    Effect.gen(function* () {
      const { log, state, syncs } = manual()
      const { ids, queue } = setUp({}, log)
      const turns = Effect.repeatN(turn, 5)
      const send = (id: string) => Effect.zipLeft(Effect.fork(queue.change(insert(id))), turns)
      const syncAfter = (millis: number) =>
        Effect.suspend(() => {
          state.now += millis
          syncs.at(-1)?.resolve()
          return turns
        })
      yield* send("a")
      yield* send("b")
      yield* syncAfter(2)
      assert.deepStrictEqual(ids(), ["a"])
      yield* send("c")
      assert.deepStrictEqual(ids(), ["a", "b", "c"])
      yield* send("d")
      yield* syncAfter(2)
      state.now += 1
      yield* send("e")
      assert.deepStrictEqual(ids(), ["a", "b", "c"])
      state.now += 1
      yield* send("f")
      assert.deepStrictEqual(ids(), ["a", "b", "c", "d", "e", "f"])
      yield* send("g")
      yield* syncAfter(0.5)
      assert.lengthOf(ids(), 7)
      yield* syncAfter(0)
      assert.strictEqual(queue.statistics().waiting, 0)
    })
  )

  it.effect("fails the changes of a failed sync, and is unhealthy until one succeeds", () =>
    Effect.gen(function* () {
      const { log, syncs } = manual()
      const { queue } = setUp({}, log)
      const failed = yield* Effect.fork(Effect.exit(queue.change(insert("a"))))
      yield* turn
      yield* turn
      syncs[0]!.reject(new Error("EIO"))
      assert.strictEqual(reasonOf(yield* Fiber.join(failed)), "CommitFailed")
      assert.isFalse(queue.healthy())
      const next = yield* Effect.fork(queue.change(insert("b")))
      yield* turn
      yield* turn
      assert.isFalse(queue.healthy())
      syncs[1]!.resolve()
      assert.strictEqual(yield* Fiber.join(next), "b")
      assert.isTrue(queue.healthy())
    })
  )

  it.effect("begins no commit while the log is copied", () =>
    Effect.gen(function* () {
      const { log, state, syncs } = manual()
      const { begun, queue } = setUp({}, log)
      let end = () => {}
      state.busy = new Promise((resolve) => (end = resolve))
      const change = yield* Effect.fork(queue.change(insert("a")))
      yield* turn
      yield* turn
      assert.strictEqual(begun(), 0)
      state.busy = undefined
      end()
      yield* turn
      yield* turn
      assert.strictEqual(begun(), 1)
      syncs[0]!.resolve()
      assert.strictEqual(yield* Fiber.join(change), "a")
    })
  )

  it.effect("waits for the last sync when it closes", () =>
    Effect.gen(function* () {
      const { log, syncs } = manual()
      const { queue } = setUp({}, log)
      const change = yield* Effect.fork(queue.change(insert("a")))
      yield* Effect.yieldNow()
      let isClosed = false
      void queue.close().then(() => (isClosed = true))
      yield* turn
      assert.isFalse(isClosed)
      syncs[0]!.resolve()
      assert.strictEqual(yield* Fiber.join(change), "a")
      yield* turn
      assert.isTrue(isClosed)
    })
  )
})
