import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Bin from "../src/Bin.ts"
import * as Failover from "../src/scale/Failover.ts"

describe("two instances whose primary is killed", () => {
  it.scopedLive(
    "lose and double no confirmed write, and go on with the promoted standby",
    () =>
      Effect.gen(function* () {
        const bin = yield* Bin.bundle("mock")
        // `npm run torture -- failover` bounds the gap, which a busy machine makes longer.
        const { confirmed, doubled, lost } = yield* Failover.run({ bin, writers: 8, millis: 1000 })
        assert.deepStrictEqual({ lost, doubled }, { lost: [], doubled: [] })
        assert.isAbove(confirmed, 8)
      }),
    180_000
  )
})
