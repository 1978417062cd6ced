import * as PostgresServer from "@mfgdata/testing-postgres/vitest"
import * as Schema from "@mfgdata/testing-postgres/Schema"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import * as Bin from "../src/Bin.ts"
import * as Endurance from "../src/endurance/Endurance.ts"
import * as Tree from "../src/Tree.ts"

/** A small part of `npm run torture -- endurance`. The targets allow for busy machines; the torture has the real ones. */
const perDay = 4
const targets = { p99Millis: 2000, grownBytes: 256 * 1024 ** 2 }

const stores = {
  "a file": Effect.map(Tree.make({}), (folder) => `sqlite:${join(folder, "store.db")}`),
  PostgreSQL: Effect.flatMap(PostgresServer.url, Schema.fresh)
}

describe("a service that runs for months", () => {
  for (const [name, store] of Object.entries(stores)) {
    it.scoped(
      `keeps a month of deliveries and a day of responses, on ${name}`,
      () =>
        Effect.gen(function* () {
          const bin = yield* Bin.bundle("mock")
          const months = yield* Endurance.months({ bin, store: yield* store, days: 40, perDay })
          assert.deepStrictEqual(Endurance.monthsMisses(months, { ...targets, perDay }), [])
          assert.isAbove(months.waits.count, 100)
        }),
      300_000
    )

    it.scoped(
      `deletes a backlog of expired deliveries while others are served, on ${name}`,
      () =>
        Effect.gen(function* () {
          const bin = yield* Bin.bundle("mock")
          const backlog = yield* Endurance.backlog({ bin, store: yield* store, deliveries: 4000 })
          assert.deepStrictEqual(Endurance.backlogMisses(backlog, targets), [])
        }),
      300_000
    )
  }
})
