import * as Schema from "@mfgdata/testing-postgres/Schema"
import * as PostgresServer from "@mfgdata/testing-postgres/vitest"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import * as Bin from "../src/Bin.ts"
import * as DeliveryLoad from "../src/delivery/DeliveryLoad.ts"
import * as Tree from "../src/Tree.ts"

/** A tenth of `npm run torture -- events`; the time limit allows for busy machines, the torture has the real one. */
const load = { changes: 1000, webhooks: 20, limitSeconds: 400 }

const check = ({ changes, complaints, miscounted, missing }: DeliveryLoad.Outcome) => {
  assert.deepStrictEqual(missing, [])
  assert.deepStrictEqual(miscounted, [])
  assert.deepStrictEqual(complaints, [])
  assert.isAtLeast(changes, load.changes)
}

describe("webhooks deliver every confirmed change, signed, in the order of its row, and count each attempt once", () => {
  it.scoped(
    "while the service is killed",
    () =>
      Effect.gen(function* () {
        const bin = yield* Bin.bundle("mock")
        const store = `sqlite:${join(yield* Tree.make({}), "store.db")}`
        check(yield* DeliveryLoad.run({ ...load, bin, store, instances: 1, kills: 1, restarts: true }))
      }),
    500_000
  )

  it.scoped(
    "while two of three services on one PostgreSQL are killed",
    () =>
      Effect.gen(function* () {
        const bin = yield* Bin.bundle("mock")
        const store = yield* Schema.fresh(yield* PostgresServer.url)
        check(yield* DeliveryLoad.run({ ...load, bin, store, instances: 3, kills: 2, restarts: false }))
      }),
    500_000
  )
})
