import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import * as Bin from "../src/Bin.ts"
import * as Delivered from "../src/Delivered.ts"
import * as Tree from "../src/Tree.ts"

describe("webhooks of a service that is killed under load", () => {
  it.scoped(
    "bring every change that was answered, signed, in the order of its row",
    () =>
      Effect.gen(function* () {
        const store = `sqlite:${join(yield* Tree.make({}), "store.db")}`
        const { changes, complaints, missing } = yield* Delivered.run({
          bin: yield* Bin.bundle("mock"),
          store,
          instances: 1,
          changes: 1000,
          webhooks: 20,
          kills: 1,
          restarts: true,
          limitSeconds: 110
        })
        assert.deepStrictEqual(missing, [])
        assert.deepStrictEqual(complaints, [])
        assert.isAtLeast(changes, 1000)
      }),
    180_000
  )
})
