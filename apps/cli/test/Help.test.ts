import { assert, describe, it } from "@effect/vitest"
import * as testing from "@mfgdata/shell/testing"
import * as Effect from "effect/Effect"
import { front } from "../src/Mfg.ts"
import { topics } from "../src/Topics.ts"
import { mfg, withoutService } from "./Cli.ts"

// Examples run up to their first request.
withoutService()

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

  it.effect("has brackets around an argument that may be left out", () =>
    Effect.gen(function* () {
      for (const [command, usage] of [
        ["history", "[resource] [key]"],
        ["browse", "[resource]"],
        ["export", "[resource...]"],
        ["why", "<resource> <key>"]
      ] as const) {
        assert.include((yield* mfg(command, "--help")).stdout, `$ mfg ${command} ${usage} [flags]`)
      }
    })
  )

  it.effect("is that of the words after help", () =>
    Effect.gen(function* () {
      for (const words of [["holiday"], ["holiday", "list"], ["api"], ["keys", "create"]]) {
        const { code, stdout } = yield* mfg("help", ...words)
        assert.deepStrictEqual(
          { code, stdout },
          yield* Effect.map(mfg(...words, "--help"), (same) => ({ code: same.code, stdout: same.stdout }))
        )
        assert.include(stdout, `mfg ${words.join(" ")}`)
      }
      assert.match((yield* mfg("help", "holidy")).stderr, /Unknown command mfg holidy\. Did you mean holiday\?/)
      assert.match(
        (yield* mfg("help", "holiday", "lst")).stderr,
        /Unknown command mfg holiday lst\. Did you mean list\?/
      )
    })
  )

  it.effect("has topics, which the help of the program lists", () =>
    Effect.gen(function* () {
      const { stdout: all } = yield* mfg("help")
      for (const { name, summary } of topics) {
        assert.include(all, summary)
        const { code, stdout } = yield* mfg("help", name)
        assert.strictEqual(code, 0)
        assert.include(stdout, name.toUpperCase())
      }
      assert.include((yield* mfg("help", "filters")).stdout, "matches a pattern with *, ignoring case (ilike)")
      assert.include((yield* mfg("help", "exit-codes")).stdout, "the key lacks a scope")
    })
  )

  it.live("has only commands in the examples of its topics that the parser accepts", () =>
    Effect.gen(function* () {
      for (const { load } of topics) {
        const passages = yield* Effect.promise(load)
        const lines = passages.flatMap((passage) => (passage._tag === "Example" ? passage.lines : []))
        for (const line of lines) {
          const words = Array.from(line.split(/ (?:>|\|\|) /)[0]?.matchAll(/'[^']*'|\S+/g) ?? [], ([word]) =>
            word.replaceAll("'", "")
          )
          const { stderr } = yield* mfg(...words.slice(1))
          // The company of a profile is missing here.
          assert.match(stderr, /cannot be reached|Missing --company-id of/, line)
        }
      }
    })
  )
})
