import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import { setTimeout } from "node:timers/promises"
import { unavailable } from "../../src/store/Store.ts"
import * as Janitor from "../../src/world/Janitor.ts"

const day = 86_400_000

/** Lets the started tasks finish. */
const settle = Effect.repeatN(Effect.yieldNow(), 10)

const setUp = (work: (name: string) => Effect.Effect<unknown, ReturnType<typeof unavailable>>) =>
  Effect.gen(function* () {
    const clock = { millis: 0 }
    const tasks = [
      { name: "daily", everyMillis: day, work: Effect.suspend(() => work("daily")) },
      { name: "often", everyMillis: 1000, work: Effect.suspend(() => work("often")) }
    ]
    const { poll } = yield* Janitor.make(() => clock.millis, tasks, { firstMillis: 1, longestMillis: 2 })
    const pollAt = (millis: number) => {
      clock.millis = millis
      poll()
      return settle
    }
    return { pollAt }
  })

describe("Janitor", () => {
  it.scoped("runs a due task once when it is polled, however long ago it became due", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const { pollAt } = yield* setUp((name) => Effect.sync(() => seen.push(name)))
      yield* pollAt(999)
      assert.deepStrictEqual(seen, [])
      yield* pollAt(1000)
      yield* pollAt(1001)
      assert.deepStrictEqual(seen, ["often"])
      yield* pollAt(100 * day)
      assert.deepStrictEqual(seen, ["often", "daily", "often"])
      yield* pollAt(100 * day + 1000)
      assert.deepStrictEqual(seen, ["often", "daily", "often", "often"])
    })
  )

  it.scoped("logs a task that fails, and repeats it soon, in real time", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const logged: Array<string> = []
      const logger = Logger.make(({ message }) => void logged.push(String(message)))
      const { pollAt } = yield* setUp((name) => {
        seen.push(name)
        if (name !== "daily" || seen.length > 4) return Effect.void
        return seen.length > 3 ? Effect.die("a defect") : Effect.fail(unavailable("ConnectionLost"))
      }).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
      yield* pollAt(day)
      assert.deepStrictEqual(seen, ["daily", "often"])
      while (seen.length < 5) yield* Effect.promise(() => setTimeout(1))
      assert.deepStrictEqual(seen, ["daily", "often", "daily", "daily", "daily"])
      assert.deepStrictEqual(logged, ["daily failed", "daily failed", "daily failed"])
    })
  )

  it.scoped("runs a failed task that is due again, before its time to be repeated", () =>
    Effect.gen(function* () {
      let begun = 0
      const work = Effect.suspend(() => (begun++ === 0 ? Effect.fail(unavailable("ConnectionLost")) : Effect.void))
      const clock = { millis: 0 }
      const { poll } = yield* Janitor.make(() => clock.millis, [{ name: "often", everyMillis: 1000, work }], {
        firstMillis: 1_000_000,
        longestMillis: 1_000_000
      })
      for (const millis of [1000, 2000]) {
        clock.millis = millis
        poll()
        yield* settle
      }
      assert.strictEqual(begun, 2)
    }).pipe(Effect.provide(Logger.remove(Logger.defaultLogger)))
  )

  it.scoped("runs the other tasks while one has not ended, and that one again after its end", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const end = yield* Deferred.make<void>()
      const { pollAt } = yield* setUp((name) => {
        seen.push(name)
        return name === "daily" ? Deferred.await(end) : Effect.void
      })
      for (const time of [1, 2, 3]) yield* pollAt(time * day)
      assert.deepStrictEqual(seen, ["daily", "often", "often", "often"])
      yield* Deferred.succeed(end, undefined)
      yield* settle
      yield* pollAt(3 * day + 1)
      assert.deepStrictEqual(seen.slice(4), ["daily"])
    })
  )

  it.scoped("runs tasks in their intervals after the clock has jumped ahead and back", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const { pollAt } = yield* setUp((name) => Effect.sync(() => seen.push(name)))
      yield* pollAt(1000 * day)
      yield* pollAt(day)
      assert.deepStrictEqual(seen.splice(0), ["daily", "often"])
      yield* pollAt(day + 999)
      assert.deepStrictEqual(seen, [])
      yield* pollAt(day + 1000)
      yield* pollAt(2 * day)
      assert.deepStrictEqual(seen, ["often", "daily", "often"])
    })
  )

  it.effect("runs a task once at a time, and interrupts it when the scope closes", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const interrupted = yield* Deferred.make<void>()
      let begun = 0
      const { pollAt } = yield* setUp((name) =>
        Effect.suspend(() => {
          if (name === "daily") return Effect.void
          begun += 1
          return Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined))
        })
      ).pipe(Scope.extend(scope))
      yield* pollAt(1000)
      yield* pollAt(5000)
      assert.strictEqual(begun, 1)
      yield* Scope.close(scope, Exit.void)
      yield* Deferred.await(interrupted)
    })
  )
})
