/**
 * Lets four months of deliveries and idempotent writes pass in minutes, and lets the service delete a backlog of expired
 * deliveries: 500 000 on SQLite, 1.5 million on PostgreSQL. The size of the store must reach a plateau, cheap reads of
 * another company must stay fast, and the memory must not grow. `--store` selects one database, `--days` and
 * `--per-day` the time that passes, `--deliveries` the backlog.
 */
import * as PostgresServer from "@mfgdata/testing-postgres"
import * as Schema from "@mfgdata/testing-postgres/Schema"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as Bin from "../src/Bin.ts"
import * as Endurance from "../src/endurance/Endurance.ts"
import * as Tree from "../src/Tree.ts"

const { values } = parseArgs({
  options: {
    store: { type: "string" },
    days: { type: "string", default: "120" },
    "per-day": { type: "string", default: "100" },
    deliveries: { type: "string" }
  }
})

const targets = { p99Millis: 100, grownBytes: 128 * 1024 ** 2 }

const server = Effect.acquireRelease(
  Effect.promise(() => PostgresServer.start()),
  ({ stop }) => Effect.promise(stop)
)

interface Store {
  readonly open: Effect.Effect<{ readonly store: string; readonly vacuum?: Effect.Effect<unknown> }, never, Scope.Scope>
  readonly deliveries: number
}

const stores: { readonly [name: string]: Store } = {
  sqlite: {
    open: Effect.map(Tree.make({}), (folder) => ({ store: `sqlite:${join(folder, "store.db")}` })),
    deliveries: 500_000
  },
  postgres: {
    open: Effect.gen(function* () {
      const { url } = yield* server
      // Autovacuum runs once a minute, in which many days pass here.
      return { store: yield* Schema.fresh(url), vacuum: Schema.run(url, "VACUUM") }
    }),
    deliveries: 1_500_000
  }
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 ** 2)} MB`

const show = ({ grownBytes, waits, writes }: Endurance.Outcome): string =>
  `${waits.count} cheap reads, p99 ${waits.p99.toFixed(1)} ms, longest ${waits.longest.toFixed(0)} ms; ${writes.count} small writes, p99 ${writes.p99.toFixed(1)} ms; memory grew by ${megabytes(grownBytes)}`

const judge = (name: string, misses: ReadonlyArray<string>): boolean => {
  console.log(`${name}: ${misses.length === 0 ? "passed" : "FAILED"}`)
  for (const miss of misses) console.log(`  ${miss}`)
  return misses.length === 0
}

const program = Effect.gen(function* () {
  const bin = yield* Bin.bundle("mock")
  let isPassed = true
  for (const [name, { deliveries: usual, open }] of Object.entries(stores)) {
    if (values.store !== undefined && values.store !== name) continue
    const perDay = Number(values["per-day"])
    const months = yield* Effect.scoped(
      Effect.flatMap(open, (options) =>
        Endurance.months({
          ...options,
          bin,
          days: Number(values.days),
          perDay,
          onDay: ({ databaseBytes, day, deliveries, responses }) => {
            if (day % 10 > 0) return
            console.log(
              `${name}, day ${day}: ${deliveries} deliveries, ${responses} responses, ${megabytes(databaseBytes)}`
            )
          }
        })
      )
    )
    console.log(`${name}: ${show(months)}`)
    isPassed = judge(`${name}, ${values.days} days`, Endurance.monthsMisses(months, { ...targets, perDay })) && isPassed

    const deliveries = Number(values.deliveries ?? usual)
    const backlog = yield* Effect.scoped(
      Effect.flatMap(open, ({ store }) => Endurance.backlog({ bin, store, deliveries }))
    )
    const { quiet, seconds } = backlog
    console.log(
      `${name}: ${deliveries} deliveries deleted in ${seconds.toFixed(0)} s, ${Math.round(deliveries / seconds)} a second`
    )
    console.log(`${name}: ${show(backlog)}; before: p99 ${quiet.p99.toFixed(1)} ms`)
    isPassed = judge(`${name}, backlog`, Endurance.backlogMisses(backlog, targets)) && isPassed
  }
  return isPassed
})

if (values.store !== undefined && !(values.store in stores)) {
  console.error(`Unknown store "${values.store}". Expected sqlite or postgres.`)
  process.exitCode = 2
} else {
  process.exitCode = (await Effect.runPromise(Effect.scoped(program))) ? 0 : 1
}
