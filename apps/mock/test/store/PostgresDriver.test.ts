import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { once } from "node:events"
import * as net from "node:net"
import * as PostgresDriver from "../../src/store/PostgresDriver.ts"
import * as Postgres from "../postgres/schema.ts"

/** A way to the server that can swallow whatever comes along it. */
const swallowing = (url: string) =>
  Effect.gen(function* () {
    const { hostname, port } = new URL(url)
    const sockets = new Set<net.Socket>()
    let swallows = false
    const proxy = net.createServer((socket) => {
      const way = net.connect(Number(port), hostname)
      for (const [end, other] of [
        [socket, way],
        [way, socket]
      ] as const) {
        sockets.add(end)
        end.on("error", () => undefined).on("close", () => other.destroy())
        end.on("data", (bytes) => swallows || other.write(bytes))
      }
    })
    yield* Effect.promise(() => once(proxy.listen(0, "127.0.0.1"), "listening"))
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        proxy.close()
        for (const socket of sockets) socket.destroy()
      })
    )
    const through = new URL(url)
    // A server that listens has an address of this form.
    through.port = String((proxy.address() as net.AddressInfo).port)
    return { url: through.href, swallow: () => (swallows = true) }
  })

const one = { text: "SELECT 1", parameters: [] }

describe("PostgresDriver", () => {
  it.scopedLive("gives an answer up that is lost on the way, and closes without it", () =>
    Effect.gen(function* () {
      const { url } = yield* Postgres.fresh
      const way = yield* swallowing(url)
      const { close, execute, transaction } = yield* Effect.promise(() =>
        PostgresDriver.open({ url: way.url, connections: 3, statementMillis: 200, answerMillis: 400 })
      )
      assert.deepStrictEqual(yield* Effect.promise(() => execute(one)), [[1]])
      const during = transaction(async (connection) => {
        await connection.execute(one)
        way.swallow()
        await connection.execute(one)
        return Either.void
      })
      const errors = yield* Effect.promise(async () => {
        const first = await Promise.allSettled([during])
        return [...first, ...(await Promise.allSettled([execute(one), transaction(async () => Either.void)]))]
      })
      for (const error of errors) {
        assert(error.status === "rejected" && error.reason instanceof PostgresDriver.PostgresError)
        assert.strictEqual(error.reason.code, "ETIMEDOUT")
        assert.isTrue(error.reason.isLost)
      }
      const begin = performance.now()
      yield* Effect.promise(() => close(30))
      assert.isBelow(performance.now() - begin, 10_000)
    })
  )

  it.scopedLive("finishes what was asked before it closes", () =>
    Effect.gen(function* () {
      const { url } = yield* Postgres.fresh
      const { close, execute } = yield* Effect.promise(() =>
        PostgresDriver.open({ url, connections: 2, statementMillis: 30_000, answerMillis: 35_000 })
      )
      const asked = execute({ text: "SELECT 1 FROM pg_sleep(0.2)", parameters: [] })
      yield* Effect.promise(() => close(30))
      assert.deepStrictEqual(yield* Effect.promise(() => asked), [[1]])
    })
  )
})
