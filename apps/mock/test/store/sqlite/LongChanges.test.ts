import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import type { Change } from "../../../src/sql/Change.ts"
import { statement, insert, setUp } from "./commits.ts"

describe("long changes", () => {
  const long = (count: number, prefix: string): Change<number, never> => ({
    companyId: prefix,
    staged: Array.from({ length: count }, (_, index) => [`${prefix}${index}`]),
    steps: [{ _tag: "Run", statement: statement(`INSERT INTO "t" SELECT "c0" FROM temp."_staged" ORDER BY "place"`) }],
    resolve: () => Either.right(count)
  })

  it.effect("commits short changes while the rows of a long one are staged", () =>
    Effect.gen(function* () {
      const { begun, ids, queue } = setUp()
      const bulk = yield* Effect.fork(queue.change(long(20_000, "row")))
      yield* Effect.yieldNow()
      let shared = 0
      while (begun() === shared) {
        yield* queue.change(insert(`${shared}`))
        shared += 1
      }
      assert.isAtLeast(shared, 3)
      assert.strictEqual(yield* Fiber.join(bulk), 20_000)
      assert.lengthOf(ids(), 20_000 + shared)
      assert.strictEqual(yield* queue.change(long(1, "next")), 1)
      assert.lengthOf(ids(), 20_001 + shared)
    })
  )

  it.effect("drops a long change whose caller is interrupted before its transaction begins", () =>
    Effect.gen(function* () {
      const { ids, queue } = setUp()
      const isStaging = yield* Effect.fork(queue.change(long(20_000, "staging")))
      const isWaiting = yield* Effect.fork(queue.change(long(1, "waiting")))
      yield* Effect.yieldNow()
      yield* queue.change(insert("a"))
      assert.strictEqual(queue.statistics().waiting, 2)
      yield* Fiber.interrupt(isWaiting)
      yield* Fiber.interrupt(isStaging)
      assert.strictEqual(queue.statistics().waiting, 0)
      assert.strictEqual(yield* queue.change(long(2, "next")), 2)
      assert.deepStrictEqual(ids(), ["a", "next0", "next1"])
    })
  )

  it.effect("stages and commits the accepted long changes on closing", () =>
    Effect.gen(function* () {
      const { ids, queue } = setUp()
      const fibers = yield* Effect.forEach(["a", "b"], (name) => Effect.fork(queue.change(long(10_000, name))))
      yield* Effect.yieldNow()
      yield* queue.change(insert("c"))
      yield* Effect.promise(queue.close)
      yield* Fiber.join(Fiber.all(fibers))
      assert.lengthOf(ids(), 20_001)
    })
  )
})
