import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as LongList from "../../src/LongList.ts"

describe("a stream", () => {
  it.live(
    "holds one page at a time: the heap after a hundred thousand rows is that after ten thousand",
    () =>
      Effect.gen(function* () {
        const { grownBy, seen } = yield* LongList.stream(100_000, 10_000)
        assert.strictEqual(seen, 100_000)
        assert.isAtMost(grownBy, 20)
      }),
    300_000
  )
})
