import { assert, describe, it } from "@effect/vitest"
import * as testing from "@mfgdata/shell/testing"
import * as Effect from "effect/Effect"
import { front } from "../../src/commands/Program.ts"

describe("the help of mfg-mock", () => {
  it.live("is plain text in a pipe, and describes every flag of every command", () =>
    Effect.map(testing.faults(front), (faults) => assert.deepStrictEqual(faults, []))
  )

  it.live("shows the default of a flag, and its variable", () =>
    Effect.gen(function* () {
      const { stdout } = yield* testing.run(front, ["serve", "--help"])
      const text = stdout.replaceAll(/\s+/g, " ")
      assert.include(text, "Maximum size of a request body (default 10mb, variable MFG_MOCK_MAX_BODY).")
      const { stdout: roll } = yield* testing.run(front, ["webhooks", "roll", "--help"])
      assert.include(roll.replaceAll(/\s+/g, " "), "Number of seconds for which both secrets sign (default 86400).")
    })
  )
})
