/**
 * Upgrades two instances on one PostgreSQL under load, with a migration before, through a balancer of connections and
 * through HAProxy where it is on the path: no request may fail, and no write may be lost or doubled. `--seconds` is the
 * time for which instances are replaced in turn with each balancer.
 */
import * as Effect from "effect/Effect"
import { parseArgs } from "node:util"
import * as Bin from "../src/Bin.ts"
import * as Balancer from "../src/scale/Balancer.ts"
import * as Rolling from "../src/scale/Rolling.ts"

const { values } = parseArgs({ options: { seconds: { type: "string", default: "60" } } })

const balancers = [
  { name: "a balancer of connections", balancer: Balancer.connections },
  ...(Balancer.haproxyVersion === undefined
    ? []
    : [{ name: `HAProxy ${Balancer.haproxyVersion}`, balancer: Balancer.haproxy }])
]

const program = Effect.gen(function* () {
  const bin = yield* Bin.bundle("mock")
  let isWhole = true
  for (const { balancer, name } of balancers) {
    const millis = 1000 * Number(values.seconds)
    const outcome = yield* Rolling.run({ bin, balancer, writers: 8, readers: 4, millis })
    const { confirmed, doubled, failed, lost, reads, replaced } = outcome
    console.log(`${name}: ${replaced} instances replaced, ${confirmed} rows created and changed, ${reads} reads`)
    console.log(`  ${failed.length} requests failed, ${lost.length} rows lost, ${doubled.length} doubled`)
    const problems = Rolling.problems(outcome)
    for (const line of problems.slice(0, 20)) console.log(`    ${line}`)
    isWhole &&= problems.length === 0
  }
  if (Balancer.haproxyVersion === undefined) console.log("There is no haproxy on the path: it was not run.")
  return isWhole
})

process.exitCode = (await Effect.runPromise(Effect.scoped(program))) ? 0 : 1
