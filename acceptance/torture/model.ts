/**
 * Sends random calls of the client under each ready set of faults, and compares every outcome with the rows of the
 * service; a tenth as many are sent by clients whose service is killed. `--calls` are the calls of each set, `--set`
 * selects one of them, or `kills`, and `--seed` repeats a failure.
 */
import * as PostgresServer from "@mfgdata/testing-postgres"
import * as Schema from "@mfgdata/testing-postgres/Schema"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as ModelTarget from "../src/model/ModelTarget.ts"
import * as ModelTest from "../src/model/ModelTest.ts"
import * as Tree from "../src/Tree.ts"

const { values } = parseArgs({
  options: {
    set: { type: "string" },
    calls: { type: "string", default: "10000" },
    seed: { type: "string" }
  }
})

const sets = ["flaky-network", "slow-mobile", "overloaded", "lost-answers", "failover", "hostile-gateway"]
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const each = 100

const byName: ReadonlyArray<string> = values.set === undefined ? sets : sets.filter((set) => set === values.set)
const hasKills = values.set === undefined || values.set === "kills"

interface Plan {
  readonly name: string
  readonly options: Omit<ModelTest.Options, "seed">
}

const inProcess = byName.map((set): Plan => ({
  name: set,
  options: {
    target: (seed) => ModelTarget.inProcess({ set, seed }),
    runs: Math.ceil(Number(values.calls) / each),
    calls: each
  }
}))

/** The built service is killed between calls, and each of its runs has a store of its own. */
const killed = (name: string, kind: "effect" | "promise", store: Effect.Effect<string, never, Scope.Scope>): Plan => ({
  name,
  options: {
    target: (seed) => Effect.flatMap(store, (store) => ModelTarget.built({ set: "lost-answers", seed }, store, kind)),
    runs: Math.ceil(Number(values.calls) / 10 / each),
    calls: each,
    hasKills: true
  }
})

const sqlite = Effect.map(Tree.make({}), (folder) => `sqlite:${join(folder, "store.db")}`)

/** Runs until there are as many calls as asked for, or a failure: some commands of a run need no call. */
const enough = async ({ calls, runs, ...options }: Plan["options"]): Promise<ModelTest.Result> => {
  let result = await ModelTest.run({ ...options, calls, runs, seed })
  for (let next = 1; result.failure === undefined && result.counts.calls < calls * runs; next++) {
    const missing = Math.ceil((calls * runs - result.counts.calls) / calls)
    result = ModelTest.add(result, await ModelTest.run({ ...options, calls, runs: missing, seed: seed + next }))
  }
  return result
}

const program = Effect.gen(function* () {
  const server = yield* Effect.acquireRelease(
    Effect.promise(() => PostgresServer.start()),
    ({ stop }) => Effect.promise(stop)
  )
  const postgres = Schema.fresh(server.url)
  const plans = [
    ...inProcess,
    ...(hasKills
      ? [
          killed("kills on SQLite, Effect", "effect", sqlite),
          killed("kills on SQLite, promises", "promise", sqlite),
          killed("kills on PostgreSQL, promises", "promise", postgres)
        ]
      : [])
  ]
  let isRight = true
  for (const { name, options } of plans) {
    const { counts, failure, faults } = yield* Effect.promise(() => enough(options))
    const { calls, failed, succeeded, unknown } = counts
    console.log(
      `${name}: ${calls} calls, ${faults} faults, ${succeeded} succeeded, ${failed} failed, ${unknown} unknown`
    )
    if (failure !== undefined) console.log(`${name}: FAILED\n${failure}`)
    isRight &&= failure === undefined
  }
  console.log(`seed ${seed}`)
  return isRight
})

process.exitCode = (await Effect.runPromise(Effect.scoped(program))) ? 0 : 1
