import * as Schema from "@mfgdata/testing-postgres/Schema"
import * as PostgresServer from "@mfgdata/testing-postgres/vitest"
import { assert, describe, it } from "@effect/vitest"
import * as LocalServer from "@mfgdata/testing-server"
import * as Effect from "effect/Effect"
import * as net from "node:net"
import * as Bin from "../src/Bin.ts"
import * as Program from "../src/Program.ts"

const key = "mfg_silent_server_key"

/** A way to a server, on which nothing arrives any more after `silence`. */
const way = (target: URL) =>
  Effect.gen(function* () {
    const sockets = new Set<net.Socket>()
    let isSilent = false
    const server = net.createServer((near) => {
      sockets.add(near)
      near.on("error", () => undefined)
      if (isSilent) return
      const far = net.connect(Number(target.port), target.hostname)
      sockets.add(far)
      far.on("error", () => undefined)
      near.on("close", () => far.destroy())
      near.pipe(far).pipe(near)
    })
    const url = new URL(target)
    url.port = String(yield* LocalServer.listen(server))
    const silence = () => {
      isSilent = true
      for (const socket of sockets) socket.unpipe().pause()
    }
    return { url: url.href, silence }
  })

describe("a service whose PostgreSQL server has fallen silent", () => {
  it.scoped(
    "ends within ten seconds of SIGTERM, with the drain, and with requests from before it and from its end",
    () =>
      Effect.gen(function* () {
        const bin = yield* Bin.bundle("mock")
        const { silence, url } = yield* way(new URL(yield* Schema.fresh(yield* PostgresServer.url)))
        const { end, said } = yield* Program.start(
          [bin, "serve", "--port", "0", "--seed", "empty", "--drain", "5s", "--store", url],
          /Try:/,
          { env: { MFG_MOCK_API_KEY: key } }
        )
        const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? ""
        const create = () =>
          fetch(`${origin}/rest/holiday`, {
            method: "POST",
            headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
            body: JSON.stringify({ name: "Founding day", date: "2027-05-01", companyId: "demo" })
          }).then(({ status }) => status)
        assert.strictEqual(yield* Effect.promise(create), 201)
        silence()
        const waiting = Array.from({ length: 8 }, () => create().catch(() => 0))
        const begin = performance.now()
        const late = setTimeout(() => void waiting.push(create().catch(() => 0)), 4500)
        const code = yield* end("SIGTERM")
        clearTimeout(late)
        const millis = performance.now() - begin
        assert.isBelow(millis, 10_000)
        assert.strictEqual(code, 0)
        yield* Effect.promise(() => Promise.all(waiting))
      }),
    // A stall of the machine may exceed the ten seconds.
    { timeout: 300_000, retry: 3 }
  )
})
