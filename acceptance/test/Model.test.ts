import * as PostgresServer from "@mfgdata/testing-postgres/vitest"
import * as Schema from "@mfgdata/testing-postgres/Schema"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import * as ModelTarget from "../src/model/ModelTarget.ts"
import * as ModelTest from "../src/model/ModelTest.ts"
import * as Tree from "../src/Tree.ts"

/** Selects the calls and the faults; `npm run torture -- model` has others each time. */
const seed = 20_270_501

const faults = ["flaky-network", "slow-mobile", "overloaded", "lost-answers", "failover", "hostile-gateway"]

const check = (options: Omit<ModelTest.Options, "seed">) =>
  Effect.map(
    Effect.promise(() => ModelTest.run({ ...options, seed })),
    (result) => {
      assert.isUndefined(result.failure)
      assert.isAbove(result.faults, 0)
      assert.isAbove(result.counts.succeeded, 0)
    }
  )

describe("the client under faults", () => {
  it.live.each(faults)(
    "reports each outcome as it is, under %s",
    (set) => check({ target: (seed) => ModelTarget.inProcess({ set, seed }), runs: 3, calls: 60 }),
    300_000
  )

  it.live.each(["effect", "promise"] as const)(
    "reports each outcome as it is while the service is killed, on SQLite, for %s",
    (kind) =>
      check({
        target: (seed) =>
          Effect.flatMap(Tree.make({}), (folder) =>
            ModelTarget.built({ set: "lost-answers", seed }, `sqlite:${join(folder, "store.db")}`, kind)
          ),
        runs: 1,
        calls: 60,
        hasKills: true
      }),
    300_000
  )

  it.live(
    "reports each outcome as it is while the service is killed, on PostgreSQL",
    () =>
      Effect.gen(function* () {
        const url = yield* PostgresServer.url
        yield* check({
          target: (seed) =>
            Effect.flatMap(Schema.fresh(url), (store) =>
              ModelTarget.built({ set: "flaky-network", seed }, store, "promise")
            ),
          runs: 1,
          calls: 60,
          hasKills: true
        })
      }),
    300_000
  )
})
