/** Checks that the many requests of one company, or of one connection, leave the service to the others. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as net from "node:net"
import * as NodeServer from "../../src/http/NodeServer.ts"
import type { RequestHandler } from "../../src/service/Admission.ts"
import { exchange } from "./rawSocket.ts"
import { service, text } from "./stubService.ts"

const { pipelined } = NodeServer.limits

const listen = (handler: RequestHandler) =>
  NodeServer.listen(handler, {
    ...NodeServer.limits,
    bodyBytes: 1024,
    bodyMemoryBytes: 2048,
    host: "127.0.0.1",
    port: 0
  })

const request = (key: string, more = "") =>
  `GET /${key} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n${more}\r\n`

/** Takes the processor for a time. */
const work = (millis: number) => {
  const end = performance.now() + millis
  while (performance.now() < end);
}

describe("Pipelining", () => {
  const counting = () => {
    const handled: Array<string> = []
    const handler = service(({ target }) => {
      handled.push(target)
      return Exit.succeed(text("ok"))
    })
    return { handled, handler }
  }

  it.live("answers the requests of a pipeline in their order", () =>
    Effect.gen(function* () {
      const { handled, handler } = counting()
      const { port } = yield* listen(handler)
      const targets = Array.from({ length: pipelined }, (_, index) => `${index}`)
      const requests = targets.map((target) => request(target))
      const received = yield* exchange(port, requests.join("") + request("last", "Connection: close\r\n"))
      assert.deepStrictEqual(
        handled,
        [...targets, "last"].map((target) => `/${target}`)
      )
      assert.lengthOf(received.toString().split("HTTP/1.1 200"), pipelined + 2)
    }).pipe(Effect.scoped)
  )

  it.live("closes a connection with too many requests, and handles none of the rest", () =>
    Effect.gen(function* () {
      const { handled, handler } = counting()
      const { port } = yield* listen(handler)
      const received = (yield* exchange(port, request("one").repeat(5000))).toString()
      assert.isAtMost(handled.length, pipelined + 1)
      // The rest of the requests may reset the connection before the refusal is read.
      if (received !== "") assert.match(received, /HTTP\/1.1 429 [^]*"code":"54000"/)
      const other = yield* exchange(port, request("other", "Connection: close\r\n"))
      assert.match(other.toString(), /^HTTP\/1.1 200/)
    }).pipe(Effect.scoped)
  )
})

describe("turns of companies", () => {
  it.live("answers a company before the many requests of another one", () =>
    Effect.gen(function* () {
      const handled: Array<string> = []
      const handler: RequestHandler = {
        ...service(({ target }) => {
          if (target === "/many") work(5)
          handled.push(target)
          return Exit.succeed(text("ok"))
        }),
        companyOf: ({ authorization }) => authorization
      }
      const { port } = yield* listen(handler)
      // A new connection would wait for those that are accepted before it.
      const socket = yield* Effect.acquireRelease(
        Effect.sync(() => net.connect(port, "127.0.0.1")),
        (socket) => Effect.sync(() => socket.destroy())
      )
      const ask = Effect.async<void>((resume) => {
        socket.once("data", () => resume(Effect.void))
        socket.write(request("one"))
      })
      yield* ask
      const requests = request("many").repeat(pipelined - 1) + request("many", "Connection: close\r\n")
      const many = Array.from({ length: 10 }, () => exchange(port, requests))
      const all = yield* Effect.fork(Effect.all(many, { concurrency: "unbounded" }))
      while (handled.length < 20) yield* Effect.sleep(1)
      const before = handled.length
      yield* ask
      assert.isAtMost(handled.lastIndexOf("/one") - before, 30)
      yield* Fiber.join(all)
      assert.lengthOf(handled, 10 * pipelined + 2)
    }).pipe(Effect.scoped)
  )
})
