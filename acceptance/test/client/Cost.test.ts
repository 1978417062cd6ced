/**
 * Limits the cost of a call inside the process. The bench of the client has the exact limit; this one allows for any
 * machine, and fails when calls become several times more expensive.
 */
import { assert, it } from "@effect/vitest"
import { Rows } from "@mfgdata/client"
import { WarehouseTransfer, WarehouseTransferId } from "@mfgdata/domain"
import * as Testing from "@mfgdata/mock/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const id = WarehouseTransferId.make("wt_000007")
const calls = 500
const rounds = 8
/** Microseconds of processor time; some 90 are spent. */
const most = 600

const rows = Layer.unwrapEffect(
  Effect.map(Testing.World, ({ apiKey, restUrl }) => Rows.layer({ apiKey, restUrl, retry: { times: 0 } }))
)

it.live("one row by its key costs less than a millisecond, however slow the machine", () =>
  Effect.gen(function* () {
    const rows = yield* Rows
    let best = Infinity
    // The first rounds are compiled while they run.
    for (let round = 0; round < rounds; round++) {
      const start = process.cpuUsage()
      for (let call = 0; call < calls; call++) yield* rows.retrieve(WarehouseTransfer, id)
      const { system, user } = process.cpuUsage(start)
      best = Math.min(best, (system + user) / calls)
    }
    assert.isAtMost(best, most)
  }).pipe(Effect.provide(Layer.provide(rows, Testing.layer())))
)
