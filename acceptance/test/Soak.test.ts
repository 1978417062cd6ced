import * as PostgresServer from "@mfgdata/testing-postgres/vitest"
import * as Schema from "@mfgdata/testing-postgres/Schema"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import * as Bin from "../src/Bin.ts"
import * as Soak from "../src/soak/Soak.ts"
import * as Tree from "../src/Tree.ts"

const stores = {
  "a file": Effect.map(Tree.make({}), (folder) => `sqlite:${join(folder, "store.db")}`),
  PostgreSQL: Effect.flatMap(PostgresServer.url, Schema.fresh)
}

/** A small part of `npm run torture -- soak`, which measures the memory too. */
describe("a service with mixed traffic", () => {
  for (const [name, store] of Object.entries(stores)) {
    it.scoped(
      `leaves no file, connection, timer or listener over, on ${name}`,
      () =>
        Effect.gen(function* () {
          const options = { rounds: 6, roundMillis: 700, settleMillis: 300 }
          const outcome = yield* Soak.run({ bin: yield* Bin.bundle("mock"), store: yield* store, ...options })
          assert.deepStrictEqual(outcome.failures, [])
          assert.deepStrictEqual(Soak.leaks(outcome.samples), [])
          assert.isAbove(outcome.requests, 20)
          assert.isAbove(outcome.deliveries, 0)
          assert.isAbove(outcome.streamed, 0)
        }),
      120_000
    )
  }
})
