/** Checks that bodies that arrive slowly, or in small pieces, take a bounded part of the memory. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as NodeServer from "../../src/http/NodeServer.ts"
import { exchange } from "./rawSocket.ts"
import { service, text } from "./stubService.ts"

const listen = NodeServer.listen(
  service(({ body }) => Exit.succeed(text(String(body.length)))),
  {
    ...NodeServer.limits,
    bodyBytes: 1024 * 1024,
    bodyMemoryBytes: 2 * 1024 * 1024,
    bodyWaitMillis: 20,
    lingerMillis: 20,
    host: "127.0.0.1",
    port: 0
  }
)

const head = (framing: string) => `POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${framing}\r\n\r\n`
const chunked = head("Transfer-Encoding: chunked")
const statusOf = (received: Buffer) => received.toString("latin1", 9, 12)
const bodyOf = (received: Buffer) => received.toString().slice(received.indexOf("\r\n\r\n") + 4)

describe("bodies that arrive in pieces", () => {
  for (const [name, start] of [
    ["a length", head("Content-Length: 65536") + "x".repeat(65_000)],
    ["chunks", `${chunked}fde8\r\n${"x".repeat(65_000)}\r\n`]
  ] as const) {
    it.live(`takes half of the memory for bodies with ${name} that do not end, and refuses the next one`, () =>
      Effect.gen(function* () {
        const { port } = yield* listen
        const stalled = yield* Effect.forEach(Array.from({ length: 256 }), () => Effect.fork(exchange(port, start)))
        let refused = 0
        while (refused === 0) {
          const received = yield* Effect.timeoutOption(exchange(port, start), 500)
          if (received._tag === "Some") {
            assert.strictEqual(statusOf(received.value), "503")
            refused++
          }
        }
        for (const fiber of stalled) assert.isNull(fiber.unsafePoll())
        // A body that arrives in one part needs no reservation.
        const whole = yield* exchange(port, head("Content-Length: 4") + "body")
        assert.strictEqual(bodyOf(whole), "4")
        yield* Fiber.interruptAll(stalled)
      }).pipe(Effect.scoped)
    )
  }

  it.live("reads a body in many pieces, and one that outgrows the memory of a small one", () =>
    Effect.gen(function* () {
      const { port } = yield* listen
      for (const [count, size] of [
        [200, 20],
        [1000, 1],
        [3000, 100],
        [1, 1_000_000]
      ] as const) {
        const piece = `${size.toString(16)}\r\n${"x".repeat(size)}\r\n`
        const received = yield* exchange(port, `${chunked}${piece.repeat(count)}0\r\n\r\n`)
        assert.strictEqual(bodyOf(received), String(count * size))
      }
    }).pipe(Effect.scoped)
  )

  it.live("refuses many small pieces, and closes the connection", () =>
    Effect.gen(function* () {
      const { port } = yield* listen
      const received = yield* exchange(port, chunked + "1\r\nx\r\n".repeat(20_000))
      // The rest of the pieces may reset the connection before the refusal is read.
      if (received.length > 0) {
        assert.strictEqual(statusOf(received), "413")
        assert.include(bodyOf(received), '"code":"54000"')
      }
    }).pipe(Effect.scoped)
  )
})
