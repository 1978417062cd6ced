import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as http from "node:http"
import * as net from "node:net"
import * as path from "node:path"
import * as NodeServer from "../../src/http/NodeServer.ts"
import * as UnreadResponses from "../../src/http/UnreadResponses.ts"
import * as Instance from "../../src/service/Instance.ts"
import * as Settings from "../../src/Settings.ts"
import * as Postgres from "../postgres/schema.ts"
import { scratch } from "../store/scratch.ts"
import * as Wait from "../Wait.ts"

const key = "mfg_unread_responses_key"
const otherKey = "mfg_other_company_of_unread_responses"

const stores = {
  "a file": Effect.map(scratch, (folder): Settings.StoreAddress => ({
    _tag: "Sqlite",
    path: path.join(folder, "store.db")
  })),
  PostgreSQL: Postgres.fresh
}

const mb = 1024 * 1024

const all = "holiday?limit=10000"
const one = "holiday?limit=1"

/** A service whose first company has a list of 12 MB, more than a kernel buffers for a client that does not read. */
const make = (address: Settings.StoreAddress, answerMemoryBytes: number) =>
  Effect.gen(function* () {
    const { keys, service, world } = yield* Instance.make({
      settings: { ...Settings.defaults, store: address, seed: { _tag: "Demo" }, apiKey: key, statementTimeout: 2000 },
      write: () => undefined
    })
    const home = world.home()
    if (home === undefined) return yield* Effect.dieMessage("the seed has no company")
    keys.install(otherKey, { ...home, companyId: "another" as typeof home.companyId })
    const { port } = yield* NodeServer.listen(service, {
      ...NodeServer.limits,
      bodyBytes: 16 * mb,
      bodyMemoryBytes: 32 * mb,
      answerMemoryBytes,
      host: "127.0.0.1",
      port: 0
    })
    const read = (target: string, apiKey = key) =>
      Effect.promise(async () => {
        const headers = { authorization: `Bearer ${apiKey}` }
        const response = await fetch(`http://127.0.0.1:${port}/rest/${target}`, { headers })
        const text = await response.text()
        return { status: response.status, text, retryAfter: response.headers.get("retry-after") }
      })
    const created = yield* Effect.promise(() =>
      fetch(`http://127.0.0.1:${port}/rest/holiday`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", prefer: "return=minimal" },
        body: JSON.stringify(
          Array.from({ length: 3000 }, () => ({ name: "x".repeat(4000), date: "2026-05-01", companyId: "demo" }))
        )
      })
    )
    assert.strictEqual(created.status, 201)
    const ignored: Array<net.Socket> = []
    /** Sends a request and reads nothing, until `close`. */
    const ignore = (target: string) =>
      Effect.sync(() => {
        const socket = net.connect(port, "127.0.0.1").on("error", () => undefined)
        const request = `GET /rest/${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`
        socket.pause().write(request)
        ignored.push(socket)
      })
    const close = () => ignored.forEach((socket) => socket.destroy())
    /**
     * Ignores responses until a request is refused. On a busy machine, the query of an ignored one may exceed the
     * statement timeout, and its response is small.
     */
    const refusedOf = (target: string) =>
      Wait.until(Effect.zipRight(ignore(all), read(target)), ({ status }) => status !== 200 && status !== 504)
    return { close, read, refusedOf }
  })

const refusal = {
  code: "P0503",
  message: "Too many responses of the company are unread",
  details:
    "The responses that the clients of the company have requested and not read take their share of the memory (--answer-memory).",
  hint: "Read these responses, or close their connections; repeat the request after the seconds in Retry-After."
}

describe("responses that clients do not read", () => {
  for (const [name, store] of Object.entries(stores)) {
    it.scopedLive(`keep the large queries of their company waiting until they are read or closed, on ${name}`, () =>
      Effect.gen(function* () {
        const { close, read, refusedOf } = yield* make(yield* store, 40 * mb)
        const refused = yield* refusedOf(all)
        assert.deepInclude(refused, { status: 503, retryAfter: "1" })
        assert.deepStrictEqual(JSON.parse(refused.text), refusal)
        // Small requests of the company, and all of other companies, go on.
        assert.strictEqual((yield* read(one)).status, 200)
        assert.strictEqual((yield* read(all, otherKey)).status, 200)
        close()
        const after = yield* read(all)
        assert.strictEqual(after.status, 200)
        assert.isAbove(after.text.length, 12 * mb)
      })
    )

    it.scopedLive(`end in a refusal of every request of their company, and of no other one, on ${name}`, () =>
      Effect.gen(function* () {
        const { close, read, refusedOf } = yield* make(yield* store, 12 * mb)
        const refused = yield* refusedOf(one)
        assert.deepInclude(refused, { status: 503, retryAfter: "1" })
        assert.deepStrictEqual(JSON.parse(refused.text), refusal)
        assert.strictEqual((yield* read(one, otherKey)).status, 200)
        close()
        yield* Wait.until(read(one), ({ status }) => status === 200)
      })
    )
  }

  it.scopedLive("count no more after their connection has closed, also those to pipelined requests", () =>
    Effect.gen(function* () {
      const unread = UnreadResponses.make(64 * 1024)
      const answer = { status: 200, headers: {}, body: "x".repeat(16 * 1024) }
      let held = 0
      const server = http.createServer((_, response) => {
        unread.hold(response, answer, () => "demo")
        held += 1
      })
      yield* Effect.acquireRelease(
        Effect.promise(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))),
        () => Effect.sync(() => server.close())
      )
      const { port } = server.address() as net.AddressInfo
      const socket = net.connect(port, "127.0.0.1")
      socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(3))
      yield* Wait.until(
        Effect.sync(() => held),
        (count) => count === 3
      )
      assert.isFalse(unread.admitsRequest("demo"))
      assert.isTrue(unread.admitsRequest("another"))
      let calls = 0
      unread.onRead(() => void (calls += 1))
      socket.destroy()
      yield* Wait.until(
        Effect.sync(() => unread.admitsQuery("demo")),
        (isAdmitted) => isAdmitted
      )
      assert.strictEqual(calls, 1)
    })
  )
})
