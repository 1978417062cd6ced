import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { once } from "node:events"
import { createServer, type AddressInfo } from "node:net"
import * as Bin from "../src/Bin.ts"
import * as Program from "../src/Program.ts"

class File extends Context.Tag("File")<File, string>() {}

const inMemory = ["--store", "sqlite::memory:"]

/** A port that something else listens on. */
const takenPort = Effect.map(
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer()
      await once(server.listen(0, "127.0.0.1"), "listening")
      return server
    }),
    (server) => Effect.sync(() => server.close())
  ),
  // a TCP server that listens has an address of this form
  (server) => (server.address() as AddressInfo).port
)

describe("mfg-mock serve", () => {
  it.layer(Layer.scoped(File, Bin.bundle("mock")))((it) => {
    it.scoped("says where it is, answers there, and stops when it is told to", () =>
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

    it.scoped("refuses a port in use in one sentence", () =>
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
