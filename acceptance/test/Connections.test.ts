import * as Schema from "@mfgdata/testing-postgres/Schema"
import * as PostgresServer from "@mfgdata/testing-postgres/vitest"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import * as net from "node:net"
import { join } from "node:path"
import * as Bin from "../src/Bin.ts"
import * as Program from "../src/Program.ts"
import * as Tree from "../src/Tree.ts"

const apiKey = "mfg_connections_test_key"

const stores = {
  "a file": Effect.map(Tree.make({}), (folder) => `sqlite:${join(folder, "store.db")}`),
  PostgreSQL: Effect.flatMap(PostgresServer.url, Schema.fresh)
}

/** Sends requests on one connection, which stays open. */
const open = async (port: number) => {
  const socket = net.connect(port, "127.0.0.1").setEncoding("utf8")
  await once(socket, "connect")
  return {
    statusOf: async (target: string): Promise<number> => {
      let received = ""
      const hear = (text: string) => void (received += text)
      socket.on("data", hear)
      const head = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\n`
      socket.write(`${head}\r\n`)
      const isWhole = () => {
        const end = received.indexOf("\r\n\r\n")
        const length = Number(/^content-length: (\d+)\r$/im.exec(received)?.[1])
        return end >= 0 && Buffer.byteLength(received.slice(end + 4)) >= length
      }
      while (!isWhole()) await once(socket, "data")
      socket.off("data", hear)
      return Number(received.slice(9, 12))
    },
    close: () => socket.destroy()
  }
}

/** A read that needs a connection to the store of its own. */
const large = "/rest/holiday?name=imatch.x&select=name"
const small = "/rest/holiday?limit=1"

describe.runIf(process.platform === "linux")("a service that may open 256 files", () => {
  for (const [name, store] of Object.entries(stores)) {
    it.scoped(`goes on while 400 connections take all of them, and after they close, on ${name}`, () =>
      Effect.gen(function* () {
        const bin = yield* Bin.bundle("mock")
        const service = yield* Program.start(
          [bin, "serve", "--port", "0", "--store", yield* store, "--statement-timeout", "2s"],
          /Try:/,
          { env: { MFG_MOCK_API_KEY: apiKey }, files: 256 }
        )
        assert.match(readFileSync(`/proc/${service.pid}/limits`, "utf8"), /Max open files +256 +256/)
        const port = Number(/http:\/\/[^\s/]+:(\d+)/.exec(service.said)?.[1])
        yield* Effect.promise(async () => {
          const first = await open(port)
          assert.strictEqual(await first.statusOf(small), 200)
          const others = Array.from({ length: 400 }, () => net.connect(port, "127.0.0.1").on("error", () => {}))
          await Promise.all(others.map((socket) => once(socket, "connect")))
          // The system accepts connections before the service does, so some are closed after that.
          await Promise.race(others.map((socket) => once(socket.resume(), "close")))
          assert.strictEqual(await first.statusOf(small), 200)
          for (let count = 0; count < 3; count++) assert.oneOf(await first.statusOf(large), [200, 503, 504])
          for (const socket of others) socket.destroy()
          const patience = performance.now() + 60_000
          let status = 0
          while (status !== 200 && performance.now() < patience) status = await first.statusOf(large)
          assert.strictEqual(status, 200)
          first.close()
          const another = await open(port)
          assert.strictEqual(await another.statusOf("/health/ready"), 200)
          another.close()
        })
        assert.strictEqual(yield* service.end("SIGTERM"), 0)
      })
    )
  }
})
