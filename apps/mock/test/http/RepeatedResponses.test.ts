import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as net from "node:net"
import * as path from "node:path"
import * as NodeServer from "../../src/http/NodeServer.ts"
import * as Instance from "../../src/service/Instance.ts"
import * as Settings from "../../src/Settings.ts"
import * as Postgres from "../postgres/schema.ts"
import { scratch } from "../store/scratch.ts"
import * as Wait from "../Wait.ts"

const key = "mfg_repeated_responses_key"

const stores = {
  "a file": Effect.map(scratch, (folder): Settings.StoreAddress => ({
    _tag: "Sqlite",
    path: path.join(folder, "store.db")
  })),
  PostgreSQL: Postgres.fresh
}

const mb = 1024 * 1024
const rows = 3000
const holidays = "/rest/holiday"
const holiday = { name: "x".repeat(4000), date: "2026-05-01", companyId: "demo" }

/** A service with rows of 12 MB, as many as one request may write. */
const make = (address: Settings.StoreAddress) =>
  Effect.gen(function* () {
    const { service } = yield* Instance.make({
      settings: {
        ...Settings.defaults,
        store: address,
        seed: { _tag: "Demo" },
        apiKey: key,
        maxBatch: rows,
        statementTimeout: 4000
      },
      write: () => undefined
    })
    const { port } = yield* NodeServer.listen(service, {
      ...NodeServer.limits,
      bodyBytes: 16 * mb,
      bodyMemoryBytes: 32 * mb,
      answerMemoryBytes: 40 * mb,
      host: "127.0.0.1",
      port: 0
    })
    const write = (method: string, target: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
      Effect.promise(async () => {
        const response = await fetch(`http://127.0.0.1:${port}${target}`, {
          method,
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
          body: JSON.stringify(body)
        })
        const text = await response.text()
        return { status: response.status, replayed: response.headers.get("idempotency-replayed"), text }
      })
    const minimal = { prefer: "return=minimal" }
    const filled = yield* write(
      "POST",
      holidays,
      Array.from({ length: rows }, () => holiday),
      minimal
    )
    assert.strictEqual(filled.status, 201)
    const changed = { prefer: "return=representation", "idempotency-key": "change" }
    const ignored: Array<net.Socket> = []
    return {
      /** Changes all rows that the service was filled with, once. */
      change: write("PATCH", `${holidays}?name=like.xxx*`, { date: "2026-05-02" }, changed),
      create: (idempotencyKey: string) => write("POST", holidays, holiday, { "idempotency-key": idempotencyKey }),
      /** Requests all rows and reads nothing, until `close`. */
      ignore: Effect.sync(() => {
        const socket = net.connect(port, "127.0.0.1").on("error", () => undefined)
        const lines = `GET ${holidays}?limit=10000 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`
        socket.pause().write(lines)
        ignored.push(socket)
      }),
      close: () => ignored.forEach((socket) => socket.destroy())
    }
  })

describe("repeated writes with a large response", () => {
  for (const [name, store] of Object.entries(stores)) {
    it.scopedLive(`wait for the unread responses of their company, and small ones do not, on ${name}`, () =>
      Effect.gen(function* () {
        const { change, close, create, ignore } = yield* make(yield* store)
        const first = yield* change
        assert.deepInclude(first, { status: 200, replayed: null })
        assert.isAbove(first.text.length, 12 * mb)
        yield* create("small")
        // On a busy machine, the query of an ignored response may exceed the statement timeout.
        const refused = yield* Wait.until(Effect.zipRight(ignore, change), ({ status }) => ![200, 504].includes(status))
        assert.strictEqual(refused.status, 503)
        assert.include(refused.text, "Too many responses of the company are unread")
        assert.deepInclude(yield* create("small"), { status: 201, replayed: "true" })
        close()
        assert.deepStrictEqual(yield* change, { ...first, replayed: "true" })
      })
    )

    it.scopedLive(`are repeated where the write itself would be refused now, on ${name}`, () =>
      Effect.gen(function* () {
        const { change, create } = yield* make(yield* store)
        const first = yield* change
        yield* create("one more")
        assert.deepStrictEqual(yield* change, { ...first, replayed: "true" })
      })
    )
  }
})
