/**
 * Measures deliveries of three services that share one PostgreSQL: 10 000 changes with 20 webhooks are delivered again
 * while others are written, and again afterwards. The counts in the webhooks' rows must equal the delivery log, and the
 * first time must be at most 1.5 times the second. `--changes` sets the number of changes, `--writes` that of the changes
 * which are written each second meanwhile.
 */
import * as PostgresServer from "@mfgdata/testing-postgres"
import * as Schema from "@mfgdata/testing-postgres/Schema"
import * as Effect from "effect/Effect"
import { parseArgs } from "node:util"
import * as Bin from "../src/Bin.ts"
import * as DeliveryLoad from "../src/delivery/DeliveryLoad.ts"

const { values } = parseArgs({
  options: {
    changes: { type: "string", default: "10000" },
    writes: { type: "string", default: "50" },
    /** A bundled service to measure, in place of this checkout's. */
    bin: { type: "string" }
  }
})

const maximumRatio = 1.5

const outcome = await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const bin = values.bin ?? (yield* Bin.bundle("mock"))
      const server = yield* Effect.acquireRelease(
        Effect.promise(() => PostgresServer.start()),
        ({ stop }) => Effect.promise(stop)
      )
      return yield* DeliveryLoad.run({
        bin,
        store: yield* Schema.fresh(server.url),
        changes: Number(values.changes),
        webhooks: 20,
        instances: 3,
        kills: 0,
        restarts: false,
        limitSeconds: 600,
        failEvery: Infinity,
        writesMeanwhile: Number(values.writes)
      })
    })
  )
)

const { again = { writing: NaN, quiet: NaN }, changes, complaints, deliveries, miscounted, missing } = outcome
const rate = (seconds: number) => `${seconds.toFixed(1)} s, ${Math.round(deliveries / seconds)} a second`
const ratio = again.writing / again.quiet
console.log(`${changes} changes, written in ${outcome.writingSeconds.toFixed(1)} s; ${deliveries} deliveries`)
console.log(`  with the changes: ${rate(outcome.seconds)}`)
console.log(`  again, while ${values.writes} changes a second are written: ${rate(again.writing)}`)
console.log(`  again, while none is: ${rate(again.quiet)}`)
console.log(`  ${ratio.toFixed(2)} times as long, ${miscounted.length} webhooks miscounted, ${missing.length} missing`)
const failures = [...missing, ...complaints, ...miscounted]
for (const line of failures.slice(0, 20)) console.log(`    ${line}`)
process.exitCode = failures.length === 0 && ratio <= maximumRatio ? 0 : 1
