import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Bin from "../src/Bin.ts"
import * as ReplicaReads from "../src/scale/ReplicaReads.ts"

describe("two instances with two replicas", () => {
  it.scopedLive(
    "show each client its own writes while the replay is delayed and paused",
    () =>
      Effect.gen(function* () {
        const bin = yield* Bin.bundle("mock")
        const { failed, replicaShare, stale } = yield* ReplicaReads.run({ bin, clients: 8, reads: 1500, measured: 0 })
        assert.deepStrictEqual({ failed, stale }, { failed: 0, stale: [] })
        assert.isAbove(replicaShare, 0)
      }),
    180_000
  )
})
