import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { once } from "node:events"
import * as net from "node:net"
import * as tls from "node:tls"
import * as PostgresDriver from "../../../src/store/postgres/PostgresDriver.ts"
import * as certificate from "../../webhooks/certificate.ts"
import * as Postgres from "../../postgres/schema.ts"

/** A proxy of the server that can drop data, on its open connections or on all, and can be closed. */
const swallowing = (url: string, isSecure = false) =>
  Effect.gen(function* () {
    const { hostname, port } = new URL(url)
    const sockets = new Set<net.Socket>()
    const deaf = new Set<net.Socket>()
    let swallows = false
    const join = (near: net.Socket, socket: net.Socket) => {
      const way = net.connect(Number(port), hostname)
      for (const [end, other] of [
        [near, way],
        [way, near]
      ] as const) {
        sockets.add(end)
        end.on("error", () => undefined).on("close", () => other.destroy())
        end.on("data", (bytes) => deaf.has(socket) || other.write(bytes))
      }
    }
    const proxy = net.createServer((socket) => {
      if (swallows) deaf.add(socket)
      sockets.add(socket.on("error", () => undefined))
      if (!isSecure) return join(socket, socket)
      // The server's response to a request for TLS.
      socket.once("data", () => {
        socket.write("S")
        join(new tls.TLSSocket(socket, { isServer: true, ...certificate }), socket)
      })
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
    if (isSecure) through.searchParams.set("sslmode", "require")
    const lose = () => sockets.forEach((socket) => deaf.add(socket))
    const swallow = () => {
      swallows = true
      lose()
    }
    const cut = () => sockets.forEach((socket) => socket.destroy())
    return { url: through.href, lose, swallow, cut }
  })

const one = { text: "SELECT 1", parameters: [] }

describe("PostgresDriver", () => {
  it.scopedLive("fails a statement whose response is lost, and closes without it", () =>
    Effect.gen(function* () {
      const { url } = yield* Postgres.fresh
      const way = yield* swallowing(url)
      const { close, execute, transaction } = yield* Effect.promise(() =>
        PostgresDriver.open({ url: way.url, connections: 3, statementMillis: 200, responseMillis: 400 })
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
        // A statement that waits on the connection which is given up fails with that connection.
        assert.include(["ETIMEDOUT", "CONNECTION_CLOSED"], error.reason.code)
        assert.isTrue(error.reason.isLost)
      }
      const begin = performance.now()
      yield* Effect.promise(() => close(30))
      assert.isBelow(performance.now() - begin, 10_000)
    })
  )

  it.scopedLive.each([false, true])(
    "opens another connection in place of one whose responses are lost (TLS: %s)",
    (isSecure) =>
      Effect.gen(function* () {
        const { url } = yield* Postgres.fresh
        const way = yield* swallowing(url, isSecure)
        const { close, execute, transaction } = yield* Effect.promise(() =>
          PostgresDriver.open({ url: way.url, connections: 1, statementMillis: 200, responseMillis: 400 })
        )
        const works = () => execute(one).then(([row]) => row)
        const inTransaction = () =>
          transaction(async (connection) => {
            await connection.execute(one)
            way.lose()
            await connection.execute(one)
            return Either.void
          })
        for (const losing of [works, inTransaction]) {
          assert.deepStrictEqual(yield* Effect.promise(works), [1])
          way.lose()
          const lost = yield* Effect.promise(() => Promise.allSettled([losing(), works(), works()]))
          assert.isTrue(lost.every(({ status }) => status === "rejected"))
          // Statements that are sent while the connection is being closed fail with it.
          yield* Effect.promise(() => works().catch(() => undefined))
          const found = yield* Effect.promise(() => Promise.all([works(), works(), works()]))
          assert.deepStrictEqual(found, [[1], [1], [1]])
        }
        yield* Effect.promise(() => close(30))
      })
  )

  it.scopedLive("recovers after its connections were closed in transactions", () =>
    Effect.gen(function* () {
      const { url } = yield* Postgres.fresh
      const way = yield* swallowing(url)
      const { close, execute, transaction } = yield* Effect.promise(() =>
        PostgresDriver.open({ url: way.url, connections: 2, statementMillis: 30_000, responseMillis: 35_000 })
      )
      const asking = transaction(async (connection) => {
        await connection.execute(one)
        setImmediate(way.cut)
        await connection.execute({ text: "SELECT 1 FROM pg_sleep(10)", parameters: [] })
        return Either.void
      })
      const lost = yield* Effect.promise(() => Promise.allSettled([asking]))
      const aside = transaction(async (connection) => {
        await connection.execute(one)
        await execute(one)
        const other = execute({ text: "SELECT 1 FROM pg_sleep(10)", parameters: [] })
        setImmediate(way.cut)
        await other.catch(() => undefined)
        await connection.execute(one)
        return Either.void
      })
      for (const error of [...lost, ...(yield* Effect.promise(() => Promise.allSettled([aside])))]) {
        assert(error.status === "rejected" && error.reason instanceof PostgresDriver.PostgresError)
        assert.isTrue(error.reason.isLost)
      }
      // Statements that are sent while the last connection is being closed fail with it.
      yield* Effect.promise(() => Promise.allSettled([execute(one), execute(one)]))
      const found = yield* Effect.promise(() => Promise.all([execute(one), execute(one), execute(one)]))
      assert.deepStrictEqual(found, [[[1]], [[1]], [[1]]])
      const whole = yield* Effect.promise(() =>
        transaction(async (connection) => Either.right(await connection.execute(one)))
      )
      assert.deepStrictEqual(whole, Either.right([[1]]))
      yield* Effect.promise(() => close(30))
    })
  )

  it.scopedLive("finishes its statements before it closes", () =>
    Effect.gen(function* () {
      const { url } = yield* Postgres.fresh
      const { close, execute } = yield* Effect.promise(() =>
        PostgresDriver.open({ url, connections: 2, statementMillis: 30_000, responseMillis: 35_000 })
      )
      const asked = execute({ text: "SELECT 1 FROM pg_sleep(0.2)", parameters: [] })
      yield* Effect.promise(() => close(30))
      assert.deepStrictEqual(yield* Effect.promise(() => asked), [[1]])
    })
  )
})
