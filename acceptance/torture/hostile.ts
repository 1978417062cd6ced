/**
 * Sends hostile requests of one company, over 12 connections, while another company reads and writes a row every few
 * milliseconds: each request by itself, then all in random order. `--store` selects one database, `--only` the requests
 * with this name or family, `--seed` the random order.
 */
import * as PostgresServer from "@mfgdata/testing-postgres"
import * as Schema from "@mfgdata/testing-postgres/Schema"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as Bin from "../src/Bin.ts"
import * as Hostile from "../src/hostile/Hostile.ts"
import * as Tree from "../src/Tree.ts"

const { values } = parseArgs({
  options: {
    store: { type: "string" },
    only: { type: "string" },
    connections: { type: "string", default: "12" },
    rounds: { type: "string", default: "3" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) }
  }
})

const targets = { p99Millis: 100, longestMillis: 250, answerMillis: 6000, memoryBytes: 512 * 1024 ** 2 }

const requests = Hostile.requests.filter(
  ({ family, name }) =>
    values.only === undefined || values.only.split(",").some((only) => only === name || only === family)
)

const server = Effect.acquireRelease(
  Effect.promise(() => PostgresServer.start()),
  ({ stop }) => Effect.promise(stop)
)

const stores = {
  sqlite: Effect.map(Tree.make({}), (folder) => `sqlite:${join(folder, "store.db")}`),
  postgres: Effect.flatMap(server, ({ url }) => Schema.fresh(url))
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 ** 2)} MB`

const line = (cells: ReadonlyArray<string>): string =>
  cells.map((cell, index) => (index < 2 ? cell.padEnd(20) : index < 5 ? cell.padStart(10) : ` ${cell}`)).join("")

const show = ({ answers, request, residentBytes, slowestMillis, waitMillis }: Hostile.Result): void => {
  const counts = [...answers].map(([answer, count]) => `${count} x ${answer}`).join(", ")
  const times = [slowestMillis, waitMillis].map((millis) => `${millis.toFixed(0)} ms`)
  console.log(line([request.family, request.name, ...times, megabytes(residentBytes), counts]))
}

const program = Effect.gen(function* () {
  const bin = yield* Bin.bundle("mock")
  let isBounded = true
  for (const [name, store] of Object.entries(stores)) {
    if (values.store !== undefined && values.store !== name) continue
    console.log(`${name}, seed ${values.seed}`)
    console.log(line(["family", "request", "slowest", "other", "memory", "responses"]))
    const outcome = yield* Effect.scoped(
      Effect.flatMap(store, (store) =>
        Hostile.run({
          bin,
          store,
          connections: Number(values.connections),
          rounds: Number(values.rounds),
          size: { lines: 20_000, textBytes: 2 * 1024 ** 2 },
          seed: Number(values.seed),
          requests,
          onResult: show
        })
      )
    )
    const { ownGapMillis, peakBytes, quiet, slowestMillis, waits } = outcome
    const figures = [
      `other company: ${waits.count} requests, p50 ${waits.p50.toFixed(1)} ms, p99 ${waits.p99.toFixed(0)} ms, longest ${waits.longest.toFixed(0)} ms`,
      `before: p99 ${quiet.p99.toFixed(0)} ms, longest ${quiet.longest.toFixed(0)} ms`,
      `slowest response ${slowestMillis.toFixed(0)} ms`,
      `memory ${megabytes(peakBytes)}`,
      `longest gap of this program ${ownGapMillis.toFixed(0)} ms`
    ]
    const misses = Hostile.misses(outcome, targets)
    console.log(`${name}: ${misses.length === 0 ? "bounded" : "NOT BOUNDED"}; ${figures.join("; ")}`)
    for (const miss of misses) console.log(`  ${miss}`)
    isBounded &&= misses.length === 0
  }
  return isBounded
})

const isKnown = values.store === undefined || values.store in stores
if (!isKnown || requests.length === 0) {
  console.error(
    isKnown
      ? `Unknown request "${values.only}". Expected names or families: ${Hostile.requests.map(({ name }) => name).join(", ")}.`
      : `Unknown store "${values.store}". Expected sqlite or postgres.`
  )
  process.exitCode = 2
} else {
  process.exitCode = (await Effect.runPromise(Effect.scoped(program))) ? 0 : 1
}
