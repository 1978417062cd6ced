/**
 * Serves mixed traffic at half load for an hour on each database: rows, webhooks, subscribers of the history, exports,
 * and worlds where the store has them. The memory after garbage collection, without the pages that V8 keeps free, must
 * stay within 5 % from the second third to the last, and no file, connection, timer or listener may be left over.
 * `--minutes` sets the time, `--store` selects one database.
 */
import * as PostgresServer from "@mfgdata/testing-postgres"
import * as Schema from "@mfgdata/testing-postgres/Schema"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as Bin from "../src/Bin.ts"
import * as Soak from "../src/soak/Soak.ts"
import * as Tree from "../src/Tree.ts"

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "60" }, store: { type: "string" } }
})

const maximumGrowth = 1.05
const rounds = 30
const settleMillis = 3000

const stores = {
  sqlite: Effect.map(Tree.make({}), (folder) => `sqlite:${join(folder, "store.db")}`),
  postgres: Effect.flatMap(
    Effect.acquireRelease(
      Effect.promise(() => PostgresServer.start()),
      ({ stop }) => Effect.promise(stop)
    ),
    ({ url }) => Schema.fresh(url)
  )
}

const megabytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MB`

const show = ({ delays, files, heapUsed, listeners, memory, resources, rss, seconds }: Soak.Sample): string =>
  `  ${seconds.toFixed(0)} s: ${megabytes(memory)} of ${megabytes(rss)}, heap ${megabytes(heapUsed)}, ${files} files, ${listeners} listeners, ${JSON.stringify(resources)}, event loop p99 ${delays.p99.toFixed(1)} ms, max ${delays.max.toFixed(0)} ms`

const soak = (name: string, store: (typeof stores)[keyof typeof stores]) =>
  Effect.gen(function* () {
    console.log(`${name}:`)
    const outcome = yield* Soak.run({
      bin: yield* Bin.bundle("mock"),
      store: yield* store,
      rounds,
      roundMillis: Math.max(1000, (Number(values.minutes) * 60_000) / rounds - settleMillis - 1000),
      settleMillis,
      onSample: (sample) => console.log(show(sample))
    })
    const growth = Soak.growth(outcome.samples)
    const misses = [
      ...Soak.leaks(outcome.samples),
      ...new Set(outcome.failures),
      ...(growth > maximumGrowth ? [`the memory grows to ${growth.toFixed(3)} times its size`] : [])
    ]
    console.log(
      `  ${outcome.requests} requests, ${outcome.deliveries} deliveries, ${megabytes(outcome.streamed)} streamed`
    )
    console.log(`  memory ${growth.toFixed(3)} times that of the second third; ${misses.length} misses`)
    for (const miss of misses.slice(0, 20)) console.log(`    ${miss}`)
    return misses.length === 0
  }).pipe(Effect.scoped)

const chosen = Object.entries(stores).filter(([name]) => values.store === undefined || values.store === name)
if (chosen.length === 0) {
  console.error(`--store is ${Object.keys(stores).join(" or ")}, not ${values.store}`)
  process.exitCode = 2
} else {
  const passed = await Effect.runPromise(Effect.forEach(chosen, ([name, store]) => soak(name, store)))
  process.exitCode = passed.every(Boolean) ? 0 : 1
}
