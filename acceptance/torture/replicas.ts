/**
 * Reads rows 100 000 times from replicas whose replay is delayed and paused, each after a write of the same client: none
 * may be stale. Then compares the processor time of the primary for the same reads without and with two replicas.
 */
import * as Effect from "effect/Effect"
import { parseArgs } from "node:util"
import * as Bin from "../src/Bin.ts"
import * as ReplicaReads from "../src/scale/ReplicaReads.ts"

const { values } = parseArgs({
  options: { reads: { type: "string", default: "100000" }, measured: { type: "string", default: "10000" } }
})

const outcome = await Effect.runPromise(
  Effect.gen(function* () {
    const bin = yield* Bin.bundle("mock")
    return yield* ReplicaReads.run({
      bin,
      clients: 16,
      reads: Number(values.reads),
      measured: Number(values.measured)
    })
  }).pipe(Effect.scoped)
)

const { failed, reads, replicaShare, seconds, stale, writes } = outcome
console.log(`${reads} reads after ${writes} writes: ${stale.length} stale, ${failed} failed`)
console.log(`  ${Math.round(replicaShare * 100)} % of the reads of the first instance were served by replicas`)
for (const line of stale.slice(0, 20)) console.log(`    ${line}`)
if (seconds === undefined) console.log("  The system does not show the processor time of the primary.")
else {
  const { alone, withReplicas } = seconds
  console.log(
    `  Processor time of the primary for ${values.measured} reads: ${alone.toFixed(2)} s alone, ${withReplicas.toFixed(2)} s with two replicas`
  )
}
const isRelieved = seconds === undefined || seconds.withReplicas < seconds.alone / 1.7
process.exitCode = stale.length === 0 && failed === 0 && isRelieved ? 0 : 1
