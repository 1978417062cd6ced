import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Bin from "../src/Bin.ts"
import * as Balancer from "../src/scale/Balancer.ts"
import * as Rolling from "../src/scale/Rolling.ts"

describe("two instances that are upgraded under load", () => {
  it.scopedLive(
    "fail no request, and lose and double no write, while the next version migrates and replaces them",
    () =>
      Effect.gen(function* () {
        const bin = yield* Bin.bundle("mock")
        const load = { writers: 4, readers: 2, millis: 0 }
        const outcome = yield* Rolling.run({ bin, balancer: Balancer.connections, ...load })
        assert.deepStrictEqual(Rolling.problems(outcome), [])
        assert.isAtLeast(outcome.confirmed, 300)
        assert.strictEqual(outcome.replaced, 2)
      }),
    180_000
  )
})
