import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Bin from "../src/Bin.ts"
import * as Crash from "../src/Crash.ts"

describe("the service killed while it writes", () => {
  it.scoped(
    "knows every row that it answered 201 for, and its file is whole",
    () =>
      Effect.gen(function* () {
        const bin = yield* Bin.bundle("mock")
        const [round] = yield* Crash.run({ bin, rounds: 1, writers: 64, writes: 100 })
        assert.deepInclude(round, { lost: [], integrity: "ok" })
        assert.isAtLeast(round?.answered ?? 0, 100)
      }),
    60_000
  )
})
