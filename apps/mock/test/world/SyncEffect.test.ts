import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Callback from "../../src/store/Callback.ts"
import * as SyncEffect from "../../src/world/SyncEffect.ts"

/** An effect that completes when `complete` is called. */
const pending = <A>() => {
  const waiting: Array<(effect: Effect.Effect<A>) => void> = []
  return {
    effect: Callback.make<A, never>((done) => void waiting.push(done)),
    starts: () => waiting.length,
    complete: (effect: Effect.Effect<A>) => {
      for (const done of waiting) done(effect)
    }
  }
}

/** Observes an effect, and collects its exits and the effects that need a fiber. */
const observe = <A, E>(effect: Effect.Effect<A, E>) => {
  const exits: Array<Exit.Exit<A, E>> = []
  const forked: Array<Effect.Effect<A, E>> = []
  SyncEffect.observe(
    effect,
    (exit) => exits.push(exit),
    (effect) => forked.push(effect)
  )
  return { exits, forked }
}

describe("SyncEffect", () => {
  it("continues an exit and a callback without a fiber", () => {
    const { complete, effect, starts } = pending<number>()
    const doubled = SyncEffect.andThen(
      effect,
      Exit.map((value) => value * 2)
    )
    assert.strictEqual(starts(), 0)
    const { exits, forked } = observe(SyncEffect.andThen(doubled, Exit.map(String)))
    assert.strictEqual(starts(), 1)
    assert.deepStrictEqual(exits, [])
    complete(Exit.succeed(21))
    assert.deepStrictEqual(exits, [Exit.succeed("42")])
    assert.deepStrictEqual(forked, [])
  })

  it("continues with a callback that follows a callback", () => {
    const first = pending<number>()
    const second = pending<string>()
    const { exits } = observe(SyncEffect.andThen(first.effect, () => second.effect))
    first.complete(Exit.succeed(1))
    assert.deepStrictEqual(exits, [])
    second.complete(Exit.succeed("done"))
    assert.deepStrictEqual(exits, [Exit.succeed("done")])
  })

  it("gives an effect that needs a fiber to its observer, also after a callback", () => {
    const { complete, effect } = pending<number>()
    const waiting = Effect.delay(Effect.succeed(1), "1 second")
    assert.deepStrictEqual(observe(waiting).forked, [waiting])
    const { exits, forked } = observe(SyncEffect.andThen(effect, () => waiting))
    complete(Exit.succeed(1))
    assert.deepStrictEqual(exits, [])
    assert.deepStrictEqual(forked, [waiting])
  })

  it("dies when the continuation of a callback throws, and the caller of the callback does not notice", () => {
    const { complete, effect } = pending<number>()
    const defect = new Error("thrown")
    const thrown = SyncEffect.andThen(effect, (): Exit.Exit<number> => {
      throw defect
    })
    const { exits } = observe(SyncEffect.andThen(thrown, (exit) => Exit.succeed(exit)))
    complete(Exit.succeed(1))
    assert.deepStrictEqual(exits, [Exit.succeed(Exit.die(defect))])
  })

  it.effect("runs a callback as an effect", () =>
    Effect.gen(function* () {
      const value = yield* Callback.make<number, never>((done) => setImmediate(() => done(Exit.succeed(1))))
      assert.strictEqual(value, 1)
      const failed = yield* Effect.exit(Callback.make<never, string>((done) => done(Exit.fail("refused"))))
      assert.deepStrictEqual(failed, Exit.failCause(Cause.fail("refused")))
    })
  )
})
