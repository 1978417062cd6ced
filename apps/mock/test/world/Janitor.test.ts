import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
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
    const { poll } = yield* Janitor.make(() => clock.millis, tasks)
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

  it.scoped("logs a task that fails, runs the others, and runs it again when it is next due", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const logged: Array<string> = []
      const logger = Logger.make(({ message }) => void logged.push(String(message)))
      const { pollAt } = yield* setUp((name) => {
        seen.push(name)
        return name === "daily" ? Effect.fail(unavailable("ConnectionLost")) : Effect.die("a defect")
      }).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
      yield* pollAt(day)
      yield* pollAt(2 * day)
      assert.deepStrictEqual(seen, ["daily", "often", "daily", "often"])
      assert.deepStrictEqual(logged, ["daily failed", "often failed", "daily failed", "often failed"])
    })
  )

  it.effect("runs one round at a time, and interrupts it when the scope closes", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const interrupted = yield* Deferred.make<void>()
      let begun = 0
      const { pollAt } = yield* setUp(() =>
        Effect.suspend(() => {
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
