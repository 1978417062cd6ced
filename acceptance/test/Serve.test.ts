import { assert, describe, it } from "@effect/vitest"
import * as LocalServer from "@mfgdata/testing-server"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { once } from "node:events"
import { createConnection, createServer } from "node:net"
import { networkInterfaces } from "node:os"
import { join } from "node:path"
import * as Bin from "../src/Bin.ts"
import * as Program from "../src/Program.ts"
import * as Tree from "../src/Tree.ts"

class File extends Context.Tag("File")<File, string>() {}

const inMemory = ["--store", "sqlite::memory:"]

/** A port that is in use. */
const takenPort = Effect.suspend(() => LocalServer.listen(createServer()))

const apiKey = "mfg_serve_test_key"
const adminKey = "mfg_serve_test_administrator"
const headers = { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" }

/** Serves an empty store. */
const serve = (bin: string, store: string, more: ReadonlyArray<string> = []) =>
  Effect.gen(function* () {
    const args = [bin, "serve", "--port", "0", "--seed", "empty", "--store", `sqlite:${store}`, ...more]
    const env = { MFG_MOCK_API_KEY: apiKey, MFG_MOCK_ADMIN_KEY: adminKey }
    const { end, said } = yield* Program.start(args, /Try:/, { env })
    const [origin = "", port] = /http:\/\/[^\s/]+:(\d+)/.exec(said) ?? []
    const ids = async (): Promise<ReadonlyArray<string>> => {
      const response = await fetch(`${origin}/rest/holiday?select=id`, { headers })
      // as selected
      const rows = (await response.json()) as ReadonlyArray<{ readonly id: string }>
      return rows.map(({ id }) => id)
    }
    return { end, ids, port: Number(port) }
  })

const isListenable = (host: string): boolean =>
  (host.startsWith("127.") && process.platform === "linux") ||
  Object.values(networkInterfaces()).some((addresses = []) => addresses.some(({ address }) => address === host))

/** A connection that the server has accepted, on which it creates one row. */
const connect = async (port: number) => {
  const socket = createConnection(port, "127.0.0.1")
  let received = ""
  let hear: (text: string) => void = () => {}
  socket.setEncoding("utf8").on("data", (text: string) => {
    received += text
    hear(received)
  })
  await once(socket, "connect")
  const isWhole = (text: string) => {
    const end = text.indexOf("\r\n\r\n")
    const length = Number(/^content-length: (\d+)\r$/im.exec(text)?.[1])
    return end !== -1 && Buffer.byteLength(text.slice(end + 4)) >= length
  }
  /** Sends bytes, and returns the received text up to the end of the connection. */
  const ask = (text: string) =>
    new Promise<string>((resolve) => {
      received = ""
      hear = (text) => isWhole(text) && resolve(text)
      socket.on("close", () => resolve(received))
      socket.write(text)
    })
  await ask("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
  let answer: (text: string) => void = () => {}
  const answered = new Promise<string>((resolve) => (answer = resolve))
  const create = async (name: string) => {
    const body = JSON.stringify({ name, date: "2027-05-01", companyId: "demo" })
    const lines = Object.entries({ ...headers, Host: "localhost", "Content-Length": body.length })
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")
    const text = await ask(`POST /rest/holiday HTTP/1.1\r\n${head}\r\n${body}`)
    answer(text)
    return text
  }
  return { answered, create, write: (text: string) => socket.write(text) }
}

describe("mfg-mock serve", () => {
  it.layer(Layer.scoped(File, Bin.bundle("mock")))((it) => {
    it.scoped("prints its address, responds there, and stops on SIGTERM", () =>
      Effect.gen(function* () {
        const { said, end } = yield* Program.start(
          [yield* File, "serve", "--port", "0", ...inMemory],
          /Try:(?:\n.*curl .*)+\n+$/
        )
        const [origin] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? []
        assert.isDefined(origin)
        const response = yield* Effect.promise(() => fetch(`${origin}/health/live`))
        assert.strictEqual(response.status, 200)
        assert.include(said, `${origin}/rest`)
        assert.include(said, `${origin}/api/v1`)
        assert.strictEqual(yield* end("SIGTERM"), 0)
      })
    )

    it.scoped("finishes accepted requests on SIGTERM, also queued writes", () =>
      Effect.gen(function* () {
        const bin = yield* File
        const store = join(yield* Tree.make({}), "store.db")
        const first = yield* serve(bin, store)
        const connections = yield* Effect.promise(() =>
          Promise.all(Array.from({ length: 64 }, () => connect(first.port)))
        )
        const answers = Promise.all(connections.map((connection, index) => connection.create(`holiday ${index}`)))
        // One has its response: the others are in progress, or not accepted yet.
        yield* Effect.promise(() => Promise.race(connections.map(({ answered }) => answered)))
        assert.strictEqual(yield* first.end("SIGTERM"), 0)
        const received = yield* Effect.promise(() => answers)
        const created: Array<string> = []
        for (const text of received) {
          assert.match(text, /^HTTP\/1\.1 (201|503) /)
          if (text.startsWith("HTTP/1.1 503")) {
            assert.match(text, /^connection: close\r$/im)
            assert.match(text, /^retry-after: 1\r$/im)
          } else created.push(JSON.parse(text.slice(text.indexOf("\r\n\r\n"))).id)
        }
        const second = yield* serve(bin, store)
        const kept = yield* Effect.promise(() => second.ids())
        assert.sameMembers([...kept], created)
      })
    )

    it.scoped("drains on SIGTERM: not ready, and serving old and new connections that close", () =>
      Effect.gen(function* () {
        const { end, port } = yield* serve(yield* File, ":memory:", ["--drain", "10m"])
        const ask = async (path: string, socket = createConnection(port, "127.0.0.1")) => {
          let text = ""
          socket.setEncoding("utf8").on("data", (data: string) => (text += data))
          socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`)
          await once(socket, "close")
          return text
        }
        // A connection that is kept alive from before.
        const kept = createConnection(port, "127.0.0.1")
        kept.write("GET /health/ready HTTP/1.1\r\nHost: localhost\r\n\r\n")
        const [first] = yield* Effect.promise(() => once(kept, "data"))
        assert.match(String(first), /^HTTP\/1\.1 200 /)
        const ending = yield* Effect.fork(end("SIGTERM"))
        const readiness = Effect.promise(() => fetch(`http://127.0.0.1:${port}/health/ready`))
        const unready = yield* Effect.repeat(readiness, { until: ({ status }) => status !== 200 })
        assert.strictEqual(unready.status, 503)
        assert.strictEqual(unready.headers.get("connection"), "close")
        assert.deepInclude(yield* Effect.promise(() => unready.json()), { status: "draining" })
        for (const socket of [kept, undefined]) {
          const text = yield* Effect.promise(() => ask("/rest/holiday", socket))
          assert.match(text, /^HTTP\/1\.1 200 /)
          assert.match(text, /^connection: close\r$/im)
        }
        assert.isTrue(Option.isNone(yield* Fiber.poll(ending)))
        // A second signal does not wait for the drain.
        assert.strictEqual(yield* end("SIGTERM"), "SIGTERM")
      })
    )

    it.scoped("stops after the drain, and immediately on SIGINT", () =>
      Effect.gen(function* () {
        const bin = yield* File
        const drained = yield* serve(bin, ":memory:", ["--drain", "50ms"])
        assert.strictEqual(yield* drained.end("SIGTERM"), 0)
        const interrupted = yield* serve(bin, ":memory:", ["--drain", "10m"])
        assert.strictEqual(yield* interrupted.end("SIGINT"), 0)
      })
    )

    it.scoped("exits immediately on a second signal", () =>
      Effect.gen(function* () {
        const { end, port } = yield* serve(yield* File, ":memory:")
        // An unfinished body keeps the first shutdown waiting.
        const connection = yield* Effect.promise(() => connect(port))
        connection.write("POST /rest/holiday HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n")
        yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}/health/live`))
        const ending = yield* Effect.fork(end("SIGINT"))
        yield* Effect.tryPromise(() => fetch(`http://127.0.0.1:${port}/health/live`)).pipe(
          Effect.exit,
          Effect.repeat({ until: Exit.isFailure })
        )
        assert.isTrue(Option.isNone(yield* Fiber.poll(ending)))
        assert.strictEqual(yield* end("SIGINT"), "SIGINT")
      })
    )

    it.scoped("accepts commands when it listens on an address other than the default", () =>
      Effect.gen(function* () {
        const host = ["::1", "127.0.0.2"].find(isListenable) ?? "0.0.0.0"
        const bin = yield* File
        const store = join(yield* Tree.make({}), "store.db")
        yield* serve(bin, store, ["--host", host])
        const env = { MFG_MOCK_ADMIN_KEY: adminKey }
        const ended = yield* Program.node([bin, "keys", "list", "--store", `sqlite:${store}`], { env })
        assert.deepStrictEqual([ended.code, ended.stderr], [0, ""], host)
      })
    )

    it.scoped("refuses a body beyond --max-body", () =>
      Effect.gen(function* () {
        const { port } = yield* serve(yield* File, ":memory:", ["--max-body", "2kb"])
        const statusOf = (length: number) =>
          Effect.promise(async () => {
            const init = { method: "POST", headers, body: "x".repeat(length) }
            return (await fetch(`http://127.0.0.1:${port}/rest/holiday`, init)).status
          })
        assert.strictEqual(yield* statusOf(2048), 400)
        assert.strictEqual(yield* statusOf(2049), 413)
      })
    )

    it.scoped("reports a port in use in one sentence", () =>
      Effect.gen(function* () {
        const port = yield* takenPort
        const ended = yield* Program.node([yield* File, "serve", "--port", String(port), ...inMemory])
        assert.notStrictEqual(ended.code, 0)
        assert.strictEqual(ended.stdout, "")
        assert.match(ended.stderr, new RegExp(`^[^\\n]*\\b${port}\\b[^\\n]*\\n$`))
      })
    )
  })
})
