import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import type { Change } from "../../../src/sql/Change.ts"
import * as ShortChanges from "../../../src/store/sqlite/commit/ShortChanges.ts"
import * as Measurement from "../../Measurement.ts"
import { insert, reasonOf, setUp, together } from "./commits.ts"

/** Removes changes until the commit is full. */
const takeAll = (changes: ShortChanges.ShortChanges<string>, nowMillis: number) => {
  const taken: Array<string> = []
  let next = changes.takeFirst(nowMillis)
  for (; next !== undefined; next = changes.takeNext(() => true)) taken.push(next.change)
  return taken
}

const make = (...names: ReadonlyArray<string>) => {
  const changes = ShortChanges.make<string>({ slowMillis: 10, waitMillis: 100 })
  for (const name of names) changes.add(name.slice(0, 1), name, 0)
  return changes
}

describe("ShortChanges", () => {
  it("takes the changes of companies in turns, and those of one in their order", () => {
    const changes = make("a1", "a2", "a3", "b1", "b2", "c1")
    assert.strictEqual(changes.count(), 6)
    assert.deepStrictEqual(takeAll(changes, 0), ["a1", "b1", "c1", "a2", "b2", "a3"])
    assert.strictEqual(changes.count(), 0)
    assert.strictEqual(changes.delay(0), undefined)
  })

  it("leaves a change that does not fit for the next commit, of which it is the first", () => {
    const changes = make("a1", "b1", "a2")
    assert.strictEqual(changes.takeFirst(0)?.change, "a1")
    assert.strictEqual(changes.takeNext((change) => change !== "b1")?.change, "a2")
    assert.strictEqual(changes.takeFirst(0)?.change, "b1")
  })

  it("gives a company whose last change was slow commits of its own, and pauses after them", () => {
    const changes = make("a1", "a2", "b1", "b2")
    assert.strictEqual(changes.takeFirst(0)?.change, "a1")
    changes.ran("a", 20, 20)
    assert.strictEqual(changes.takeNext(() => true)?.change, "b1")
    assert.strictEqual(changes.delay(21), 0)
    assert.deepStrictEqual(takeAll(changes, 21), ["b2"])
    assert.strictEqual(changes.delay(21), 39)
    assert.strictEqual(changes.takeFirst(21), undefined)
    changes.add("b", "b3", 60)
    changes.add("a", "a3", 60)
    assert.deepStrictEqual(takeAll(changes, 60), ["a2", "b3"])
    changes.ran("a", 5, 65)
    assert.deepStrictEqual(takeAll(changes, 65), ["a3"])
  })

  it("does not pause when no other company has sent changes for a second", () => {
    const changes = make("b1", "a1")
    assert.deepStrictEqual(takeAll(changes, 0), ["b1", "a1"])
    changes.ran("a", 2000, 500)
    changes.add("a", "a2", 500)
    assert.strictEqual(changes.delay(999), 3501)
    assert.strictEqual(changes.delay(1000), 0)
    assert.strictEqual(changes.takeFirst(1000)?.change, "a2")
  })

  it("removes the changes of a slow company that are late, unless it is alone or the service itself", () => {
    const changes = make("a1", "b1")
    changes.add("", "service", 0)
    changes.add("a", "a2", 50)
    changes.add("b", "b2", 50)
    assert.deepStrictEqual(changes.takeLate(101), [])
    changes.ran("a", 20, 101)
    changes.ran("", 20, 101)
    assert.deepStrictEqual(changes.takeLate(100), [])
    assert.deepStrictEqual(changes.takeLate(101), ["a1"])
    assert.strictEqual(changes.count(), 4)
    assert.deepStrictEqual(changes.takeLate(1050), [])
  })

  it("removes a number of changes, even of a company that pauses", () => {
    const changes = make("a1", "a2", "b1")
    changes.ran("a", 20, 20)
    assert.deepStrictEqual(changes.takeAll(2), ["a1", "a2"])
    assert.deepStrictEqual(changes.takeAll(2), ["b1"])
  })
})

describe("slow changes of one company", () => {
  /** The duration above which a change is slow: a garbage collection is shorter. */
  const millis = 50
  /** A change that uses the processor for twice that time. */
  const slow = (id: string): Change<string, never> => ({
    companyId: "slow",
    steps: insert(id).steps,
    resolve: () => {
      const begin = performance.now()
      const processor = process.cpuUsage()
      while (performance.now() < begin + 2 * millis || process.cpuUsage(processor).user < 2000 * millis);
      return Either.right(id)
    }
  })

  it.effect("are committed after those of another that have arrived later", () =>
    Effect.gen(function* () {
      const { begun, ids, queue } = setUp({ millis })
      const order: Array<string> = []
      const sent = (change: Change<string, never>) =>
        Effect.tap(queue.change(change), (id) => Effect.sync(() => order.push(id)))
      const slowIds = Array.from({ length: 4 }, (_, index) => `slow${index}`)
      const quickIds = Array.from({ length: 5 }, (_, index) => `quick${index}`)
      const quick = (id: string): Change<string, never> => ({ ...insert(id), companyId: "quick" })
      yield* together([...slowIds.map((id) => sent(slow(id))), ...quickIds.map((id) => sent(quick(id)))])
      assert.deepStrictEqual(order, ["slow0", ...quickIds, ...slowIds.slice(1)])
      assert.isAtLeast(begun(), 5)
      assert.lengthOf(ids(), 9)
    })
  )

  it.live(
    "are refused when they have waited for too long while another company sends changes",
    () =>
      Effect.gen(function* () {
        const { ids, queue } = setUp({ millis, waitMillis: 2 * millis })
        let sent = 0
        const send = Effect.suspend(() => queue.change({ ...insert(`quick${sent++}`), companyId: "quick" }))
        const other = yield* Effect.fork(Effect.forever(send))
        const exits = yield* together(["slow0", "slow1", "slow2", "slow3"].map(slow).map(queue.change))
        yield* Fiber.interrupt(other)
        assert.deepStrictEqual(exits.map(reasonOf), ["success", "Overloaded", "Overloaded", "Overloaded"])
        assert.deepStrictEqual(
          ids().filter((id) => String(id).startsWith("slow")),
          ["slow0"]
        )
      }),
    Measurement.retried
  )

  it.effect("are committed without pauses on closing", () =>
    Effect.gen(function* () {
      const { queue } = setUp({ millis })
      const answers = yield* Effect.fork(together([insert("a"), slow("b"), slow("c"), slow("d")].map(queue.change)))
      yield* Effect.yieldNow()
      yield* Effect.promise(queue.close)
      assert.lengthOf(yield* answers, 4)
    })
  )
})
