import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as net from "node:net"
import * as path from "node:path"
import * as NodeServer from "../../src/http/NodeServer.ts"
import * as Instance from "../../src/service/Instance.ts"
import * as Settings from "../../src/Settings.ts"
import * as Measurement from "../Measurement.ts"
import * as Postgres from "../postgres/schema.ts"
import { scratch } from "../store/scratch.ts"
import * as Wait from "../Wait.ts"

const key = "mfg_hang_up_test_key"

const stores = {
  "a file": Effect.map(scratch, (folder): Settings.StoreAddress => ({
    _tag: "Sqlite",
    path: path.join(folder, "store.db")
  })),
  // One connection for queries.
  PostgreSQL: Effect.map(Postgres.fresh, (address): Settings.StoreAddress => ({ ...address, connections: 3 }))
}

const lines = "/rest/warehouseTransferLine?select=id&notes="

/** A query of several seconds: each pattern looks at each text from many places. */
const slow = `${lines}${encodeURIComponent(`ilike(any).{${Array.from({ length: 150 }, (_, index) => `*a*a*a${index}~*`).join()}}`)}`
const other = `${lines}${encodeURIComponent("like.*b*b~*")}`

describe("a client that hangs up", () => {
  for (const [name, store] of Object.entries(stores)) {
    it.scopedLive(`ends its query within 100 ms, on ${name}`, () =>
      Effect.gen(function* () {
        const { service, world } = yield* Instance.make({
          settings: {
            ...Settings.defaults,
            store: yield* store,
            seed: { _tag: "Demo" },
            apiKey: key,
            statementTimeout: 60_000
          },
          write: () => undefined
        })
        const { port } = yield* NodeServer.listen(service, {
          ...NodeServer.limits,
          bodyBytes: 10 * 1024 * 1024,
          bodyMemoryBytes: 32 * 1024 * 1024,
          host: "127.0.0.1",
          port: 0
        })
        const origin = `http://127.0.0.1:${port}`
        const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
        const line = {
          transferId: "T",
          fromLocationId: "a",
          toLocationId: "b",
          itemId: "i",
          quantity: 1,
          shippedQuantity: 0,
          receivedQuantity: 0,
          companyId: "demo",
          notes: "a".repeat(400)
        }
        const created = yield* Effect.promise(() =>
          fetch(`${origin}/rest/warehouseTransferLine`, {
            method: "POST",
            headers: { ...headers, prefer: "return=minimal" },
            body: JSON.stringify(Array.from({ length: 10_000 }, () => line))
          })
        )
        assert.strictEqual(created.status, 201)
        // Until the server knows the size of the table, the query is taken for a small one.
        const cost = Effect.promise(async () => (await fetch(origin + other, { headers })).headers.get("mfg-cost"))
        yield* Wait.until(cost, (text) => text?.startsWith("offloaded") === true)
        const counts = Effect.map(world.store.statistics, ({ queries }) => queries)
        const wait = Effect.gen(function* () {
          const alone = yield* Measurement.timed(cost)
          const before = yield* counts
          const socket = net.connect(port, "127.0.0.1").on("error", () => undefined)
          socket.write(`GET ${slow} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`)
          yield* Wait.until(counts, ({ started }) => started > before.started)
          // A company has one query at a time here, so the next one starts when the first has ended.
          let isAnswered = false
          const next = fetch(origin + other, { headers }).finally(() => (isAnswered = true))
          yield* Effect.sleep(100)
          socket.destroy()
          // On a machine so busy that the query has ended already, nothing was measured.
          if (isAnswered) return Number.POSITIVE_INFINITY
          const { millis, result: response } = yield* Measurement.timed(Effect.promise(() => next))
          assert.strictEqual(response.status, 200)
          assert.match(String(response.headers.get("mfg-cost")), /^offloaded/)
          yield* Effect.promise(() => response.text())
          assert.strictEqual((yield* counts).stopped.hangup, before.stopped.hangup + 1)
          // The next query takes as long as it does alone.
          return millis - alone.millis
        })
        yield* Measurement.isBelow(100, wait, 10)
      })
    )
  }
})
