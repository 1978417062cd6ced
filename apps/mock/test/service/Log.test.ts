import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Log from "../../src/service/Log.ts"

const lines = (level: Log.Level, effect: Effect.Effect<unknown>) =>
  Effect.gen(function* () {
    const written: Array<string> = []
    yield* Log.withLogger(level, (line) => void written.push(line))(effect)
    return written
  })

const some = Effect.all([Effect.logDebug("fine"), Effect.logInfo("said"), Effect.logError("bad")])

describe("Log", () => {
  it.effect("writes the lines of its level", () =>
    Effect.gen(function* () {
      assert.lengthOf(yield* lines("off", some), 0)
      assert.lengthOf(yield* lines("error", some), 1)
      assert.lengthOf(yield* lines("info", some), 2)
      assert.lengthOf(yield* lines("debug", some), 3)
    })
  )

  it.effect("writes one line of JSON for an event, with its annotations and its cause", () =>
    Effect.gen(function* () {
      const failing = Effect.die(new Error("no luck")).pipe(
        Effect.catchAllCause((cause) => Effect.logError("a duty failed", cause)),
        Effect.annotateLogs({ delivery: "d1" })
      )
      const [line = ""] = yield* lines("error", failing)
      assert.isTrue(line.endsWith("}\n"))
      const { cause, ...facts } = JSON.parse(line)
      assert.deepStrictEqual(facts, {
        time: "1970-01-01T00:00:00.000Z",
        level: "error",
        msg: "a duty failed",
        delivery: "d1"
      })
      assert.include(cause, "no luck")
    })
  )

  it.effect("hides keys and secrets anywhere in a line", () =>
    Effect.gen(function* () {
      const row = JSON.stringify({ name: "shown", clientSecret: "hush" })
      const [line = ""] = yield* lines("info", Effect.logInfo(`mfg_0123456789 whsec_MfKQ9r8 of ${row}`))
      assert.strictEqual(JSON.parse(line).msg, `mfg_*** whsec_*** of {"name":"shown","clientSecret":"***"}`)
    })
  )
})
