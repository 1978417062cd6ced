import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as KilledMirror from "../src/KilledMirror.ts"

/** A tenth of `npm run torture -- mirror`. */
const rows = 10_000

it.scoped(
  "a mirror that is killed five times is complete, and no file has what it replaces",
  () =>
    Effect.gen(function* () {
      const { different, killed, leaks, misplaced, ...rest } = yield* KilledMirror.run({ rows, kills: 5 })
      assert.deepStrictEqual(
        { different, killed, leaks, misplaced },
        { different: 0, killed: 5, leaks: [], misplaced: 0 }
      )
      assert.strictEqual(rest.brought, 0)
    }),
  300_000
)
