import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as VirtualClock from "../../src/world/VirtualClock.ts"

/** Expects the time of a clock to be that of another, which is read before and after: the machine may stall. */
const isWithin = (clock: VirtualClock.VirtualClock, other: () => number) => {
  const before = other()
  const millis = clock.unsafeCurrentTimeMillis()
  assert.isAtLeast(millis, before - 10)
  assert.isAtMost(millis, other() + 10)
}

describe("VirtualClock", () => {
  it.live("starts at the machine's time, and continues from the time that it was set to", () =>
    Effect.sync(() => {
      const clock = VirtualClock.make()
      isWithin(clock, Date.now)
      clock.set(1000)
      const start = performance.now()
      isWithin(clock, () => 1000 + performance.now() - start)
      assert.isAtLeast(Number(clock.unsafeCurrentTimeNanos()), 1_000_000_000)
    })
  )

  it.live("keeps its time while it is frozen, and can be moved", () =>
    Effect.gen(function* () {
      const clock = VirtualClock.make()
      clock.set(5000)
      clock.freeze()
      const frozen = clock.unsafeCurrentTimeMillis()
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5)))
      assert.strictEqual(yield* clock.currentTimeMillis, frozen)
      assert.isTrue(clock.isFrozen())
      clock.set(90_000)
      assert.strictEqual(clock.unsafeCurrentTimeMillis(), 90_000)
      clock.resume()
      const start = performance.now()
      assert.isFalse(clock.isFrozen())
      isWithin(clock, () => 90_000 + performance.now() - start)
    })
  )

  it.live("wakes sleeping fibers at their time, in their order", () =>
    Effect.gen(function* () {
      const clock = VirtualClock.make()
      clock.freeze()
      const woken: Array<string> = []
      const sleep = (name: string, duration: string) =>
        Effect.sleep(duration as "1 hour").pipe(
          Effect.zipRight(Effect.sync(() => woken.push(name))),
          Effect.withClock(clock),
          Effect.fork
        )
      const hours = yield* Effect.all([sleep("two", "2 hours"), sleep("one", "1 hour"), sleep("three", "3 hours")])
      const interrupted = yield* sleep("never", "30 minutes")
      // Forked fibers start to sleep after their turn.
      yield* Effect.repeatN(Effect.yieldNow(), 20)
      yield* Fiber.interrupt(interrupted)
      clock.set(clock.unsafeCurrentTimeMillis() + 2 * 3_600_000)
      yield* Fiber.join(hours[0])
      assert.deepStrictEqual(woken, ["one", "two"])
      yield* Fiber.interrupt(hours[2])
    })
  )

  it.live("wakes sleeping fibers by itself while it runs", () =>
    Effect.gen(function* () {
      const clock = VirtualClock.make()
      clock.set(0)
      yield* Effect.withClock(Effect.sleep("5 millis"), clock)
      assert.isAtLeast(clock.unsafeCurrentTimeMillis(), 5)
    })
  )
})
