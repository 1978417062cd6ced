/**
 * 10 000 changes with 20 webhooks: every one that was answered arrives, in the order of its row, within 120 s, through
 * three `kill -9` of the service. `--store postgres` takes three services on one server and kills two of them;
 * `--changes` makes it more or less.
 */
import * as PostgresServer from "@mfgdata/testing-postgres"
import * as Schema from "@mfgdata/testing-postgres/Schema"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as Bin from "../src/Bin.ts"
import * as Delivered from "../src/Delivered.ts"
import * as Tree from "../src/Tree.ts"

const { values } = parseArgs({
  options: { store: { type: "string", default: "sqlite" }, changes: { type: "string", default: "10000" } }
})

const server = Effect.acquireRelease(
  Effect.promise(() => PostgresServer.start()),
  ({ stop }) => Effect.promise(stop)
)

const program = Effect.gen(function* () {
  const bin = yield* Bin.bundle("mock")
  const isShared = values.store === "postgres"
  const outcome = yield* Delivered.run({
    bin,
    store: isShared ? yield* Schema.fresh((yield* server).url) : `sqlite:${join(yield* Tree.make({}), "store.db")}`,
    instances: isShared ? 3 : 1,
    changes: Number(values.changes),
    webhooks: 20,
    kills: isShared ? 2 : 3,
    restarts: !isShared,
    limitSeconds: 120
  })
  const { arrivals, changes, complaints, deliveries, failedOnce, missing, seconds } = outcome
  console.log(`${changes} changes, ${deliveries} deliveries in ${seconds.toFixed(1)} s, ${arrivals} arrivals`)
  console.log(`${failedOnce} were refused the first time`)
  console.log(`${missing.length} missing, ${complaints.length} out of order or wrong`)
  for (const line of [...missing, ...complaints].slice(0, 20)) console.log(`  ${line}`)
  return missing.length === 0 && complaints.length === 0
})

process.exitCode = (await Effect.runPromise(Effect.scoped(program))) ? 0 : 1
