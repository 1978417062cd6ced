import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Jq from "../../src/output/Jq.ts"

const rows = `[{"id":"a","n":1},{"id":"","n":12345678901234567890},{"id":"\\"q\\"","n":null}]`

describe("jq", () => {
  it.live("writes texts without quotes, one output in each line", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* Jq.run(".[].id", rows, false), `a\n\n"q"\n`)
      assert.strictEqual(yield* Jq.run(".[].n", rows, false), "1\n12345678901234567890\nnull\n")
      assert.strictEqual(yield* Jq.run(".[0], (.[0].id | ascii_upcase)", rows, false), `{"id":"a","n":1}\nA\n`)
      assert.strictEqual(yield* Jq.run(".[0]", rows, true), `{\n  "id": "a",\n  "n": 1\n}\n`)
      assert.strictEqual(yield* Jq.run("empty", rows, false), "")
    })
  )

  it.live("refuses an expression that does not compile, with the position, without running it", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(Jq.check(".a | foo"))
      assert.match(message, /^Invalid value "\.a \| foo" for --jq: foo\/0 is not defined in line 1, column 6\./)
      assert.match((yield* Effect.flip(Jq.check(""))).message, /Top-level program not given/)
      assert.strictEqual(
        yield* Jq.check(`error("only when it runs") # comment`),
        `error("only when it runs") # comment`
      )
    })
  )

  it.live("reports the error of an expression that runs", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(Jq.run(".[].id.x", rows, false))
      assert.match(message, /Cannot index string with string \("x"\)/)
    })
  )
})
