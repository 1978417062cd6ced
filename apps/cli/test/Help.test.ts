import { assert, describe, it } from "@effect/vitest"
import * as testing from "@mfgdata/shell/testing"
import * as Effect from "effect/Effect"
import { front } from "../src/Mfg.ts"
import { mfg } from "./Cli.ts"

describe("the help of mfg", () => {
  it.live("is plain text in a pipe, and describes every flag of every command", () =>
    Effect.map(testing.faults(front), (faults) => assert.deepStrictEqual(faults, []))
  )

  it.effect("shows the default of a flag", () =>
    Effect.gen(function* () {
      const { stdout } = yield* mfg("holiday", "list", "--help")
      assert.include(stdout, "Maximum number of rows (default 100).")
      assert.include(stdout, "Number of rows to skip (default 0).")
    })
  )
})
