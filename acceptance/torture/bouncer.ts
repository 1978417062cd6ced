/**
 * Runs three instances through a PgBouncer in transaction mode with five sessions, and kills it while 16 writers write
 * 4 000 rows: no confirmed write is lost, nothing else fails, and no session keeps anything.
 */
import * as PgBouncer from "@mfgdata/testing-postgres/PgBouncer"
import * as Effect from "effect/Effect"
import * as Bin from "../src/Bin.ts"
import * as Bouncer from "../src/scale/Bouncer.ts"

const program = Effect.gen(function* () {
  if (PgBouncer.version === undefined) {
    console.log("There is no pgbouncer on the path: nothing was run.")
    return true
  }
  const bin = yield* Bin.bundle("mock")
  const result = yield* Bouncer.run({ bin, instances: 3, sessions: 5, writers: 16, writes: 2000 })
  const { confirmed, leftovers, lost, revokedMillis, sessions, unexpected } = result
  console.log(
    `PgBouncer ${PgBouncer.version}: ${confirmed} confirmed, ${lost.length} lost, ${unexpected.length} unexpected, ` +
      `${sessions} sessions together, ${leftovers} left in sessions, a key revoked after ${Math.round(revokedMillis)} ms`
  )
  for (const text of unexpected.slice(0, 10)) console.log(text)
  return Bouncer.isWhole(result)
})

process.exitCode = (await Effect.runPromise(Effect.scoped(program))) ? 0 : 1
