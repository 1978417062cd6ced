/**
 * Kills the primary under 16 writers on two instances, and promotes its synchronous standby: no confirmed write may be
 * lost or doubled, and the longest time without a confirmed write is at most two seconds. `--rounds` repeats it.
 */
import * as Effect from "effect/Effect"
import { parseArgs } from "node:util"
import * as Bin from "../src/Bin.ts"
import * as Failover from "../src/scale/Failover.ts"

const { values } = parseArgs({ options: { rounds: { type: "string", default: "3" } } })

const round = (bin: string, number: number) =>
  Effect.map(Failover.run({ bin, writers: 16, millis: 5000 }), (outcome) => {
    const { confirmed, doubled, gapMillis, lost, refused } = outcome
    console.log(`round ${number}: ${confirmed} confirmed writes, ${refused} attempts without a confirmation`)
    console.log(
      `  ${lost.length} lost, ${doubled.length} doubled, ${Math.round(gapMillis)} ms without a confirmed write`
    )
    for (const line of [...lost, ...doubled].slice(0, 20)) console.log(`    ${line}`)
    return lost.length === 0 && doubled.length === 0 && gapMillis <= 2000
  })

const passed = await Effect.runPromise(
  Effect.gen(function* () {
    const bin = yield* Bin.bundle("mock")
    return yield* Effect.forEach(Array.from({ length: Number(values.rounds) }), (_, index) => round(bin, index + 1))
  }).pipe(Effect.scoped)
)
process.exitCode = passed.every(Boolean) ? 0 : 1
