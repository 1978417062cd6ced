import * as PgBouncer from "@mfgdata/testing-postgres/PgBouncer"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Bin from "../src/Bin.ts"
import * as Bouncer from "../src/scale/Bouncer.ts"

describe.skipIf(PgBouncer.version === undefined)(`instances that connect through PgBouncer${PgBouncer.absent}`, () => {
  it.scopedLive(
    "lose no write when it is killed, and leave nothing in its sessions",
    () =>
      Effect.gen(function* () {
        const bin = yield* Bin.bundle("mock")
        const result = yield* Bouncer.run({ bin, instances: 2, sessions: 3, writers: 8, writes: 200 })
        assert.deepStrictEqual(result.unexpected, [])
        assert.isAtMost(result.sessions, 3)
        assert.isTrue(Bouncer.isWhole(result), JSON.stringify(result))
      }),
    300_000
  )
})
