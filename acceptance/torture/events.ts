/**
 * Checks that events survive crashes: 10 000 changes with 20 webhooks, four of which subscribe to each. Every confirmed
 * change arrives within 120 s, in the order of its row; on SQLite through three `kill -9` of the service, and on
 * PostgreSQL with two of three services killed. `--store` selects one database, `--changes` the number of changes.
 */
import * as PostgresServer from "@mfgdata/testing-postgres"
import * as Schema from "@mfgdata/testing-postgres/Schema"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as Bin from "../src/Bin.ts"
import * as DeliveryLoad from "../src/delivery/DeliveryLoad.ts"
import * as Tree from "../src/Tree.ts"

const { values } = parseArgs({
  options: { store: { type: "string" }, changes: { type: "string", default: "10000" } }
})

const server = Effect.acquireRelease(
  Effect.promise(() => PostgresServer.start()),
  ({ stop }) => Effect.promise(stop)
)

const load = { changes: Number(values.changes), webhooks: 20, limitSeconds: 120 }

const stores = {
  sqlite: Effect.gen(function* () {
    const bin = yield* Bin.bundle("mock")
    const store = `sqlite:${join(yield* Tree.make({}), "store.db")}`
    return yield* DeliveryLoad.run({ ...load, bin, store, instances: 1, kills: 3, restarts: true })
  }),
  postgres: Effect.gen(function* () {
    const bin = yield* Bin.bundle("mock")
    const store = yield* Schema.fresh((yield* server).url)
    return yield* DeliveryLoad.run({ ...load, bin, store, instances: 3, kills: 2, restarts: false })
  })
}

const tell = (store: string, outcome: DeliveryLoad.Outcome): boolean => {
  const { arrivals, changes, complaints, deliveries, failedOnce, kills, miscounted, missing, seconds } = outcome
  console.log(`${store}: ${changes} changes, written in ${outcome.writingSeconds.toFixed(1)} s; ${kills} kills`)
  console.log(`  ${deliveries} deliveries in ${seconds.toFixed(1)} s, ${Math.round(deliveries / seconds)} a second`)
  console.log(`  ${arrivals} arrivals, of which ${failedOnce} were refused`)
  console.log(`  ${missing.length} missing, ${complaints.length} out of order or wrong`)
  const failures = [...missing, ...complaints, ...miscounted]
  for (const line of failures.slice(0, 20)) console.log(`    ${line}`)
  return failures.length === 0
}

const chosen = Object.entries(stores).filter(([name]) => values.store === undefined || values.store === name)
if (chosen.length === 0) {
  console.error(`--store is ${Object.keys(stores).join(" or ")}, not ${values.store}`)
  process.exitCode = 2
} else {
  const passed = await Effect.runPromise(
    Effect.forEach(chosen, ([name, run]) => Effect.map(Effect.scoped(run), (outcome) => tell(name, outcome)))
  )
  process.exitCode = passed.every(Boolean) ? 0 : 1
}
