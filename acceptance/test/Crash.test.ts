import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Bin from "../src/Bin.ts"
import * as Crash from "../src/Crash.ts"

const struck = {
  sqlite: "the service killed while it writes to a file",
  postgres: "the service killed while it writes to PostgreSQL",
  server: "PostgreSQL stopped immediately while the service writes to it"
} as const satisfies { readonly [V in Crash.Victim]: string }

describe("after a crash every row with a 201 exists, and the store is intact", () => {
  for (const [victim, name] of Object.entries(struck)) {
    it.scoped(
      name,
      () =>
        Effect.gen(function* () {
          const bin = yield* Bin.bundle("mock")
          // The table's keys are the victims.
          const [round] = yield* Crash.run({ bin, victim: victim as Crash.Victim, rounds: 1, writers: 64, writes: 100 })
          assert.deepInclude(round, { lost: [], integrity: "ok" })
          assert.isAtLeast(round?.answered ?? 0, 100)
        }),
      300_000
    )
  }
})
