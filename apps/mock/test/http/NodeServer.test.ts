import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import * as net from "node:net"
import { setImmediate } from "node:timers/promises"
import type { BodyStream } from "../../src/Exchange.ts"
import * as NodeServer from "../../src/http/NodeServer.ts"
import * as Instance from "../../src/service/Instance.ts"
import * as Settings from "../../src/Settings.ts"
import type { RequestHandler } from "../../src/service/Admission.ts"
import { echo, service, text } from "./stubService.ts"
import * as Wait from "../Wait.ts"

/** A complete service in memory. */
const instance = Instance.make({
  settings: { ...Settings.defaults, seed: { _tag: "Empty" }, store: { _tag: "Sqlite", path: ":memory:" } },
  write: () => {}
})

const options = {
  ...NodeServer.limits,
  bodyBytes: 1024,
  bodyMemoryBytes: 2048,
  host: "127.0.0.1",
  port: 0
}

const listen = (service: RequestHandler, changed: Partial<NodeServer.Options> = {}) =>
  NodeServer.listen(service, { ...options, ...changed })

const request = (port: number, path: string, init?: RequestInit) =>
  Effect.promise(() => fetch(`http://127.0.0.1:${port}${path}`, init))

const bodyOf = (response: Response) => Effect.promise(() => response.text())

/** Sends raw bytes, and returns the bytes received until the other side closes the connection. */
const exchange = (port: number, ...pieces: ReadonlyArray<string>) =>
  Effect.async<string>((resume) => {
    const socket = net.connect(port, "127.0.0.1")
    let received = ""
    socket.on("data", (data) => (received += data.toString()))
    socket.on("error", () => resume(Effect.succeed(received)))
    socket.on("close", () => resume(Effect.succeed(received)))
    for (const piece of pieces) socket.write(piece)
    return Effect.sync(() => socket.destroy())
  })

const json = (received: string) => JSON.parse(received.slice(received.indexOf("\r\n\r\n")))

describe("NodeServer", () => {
  it.live("closes and counts the connections past the maximum, and accepts others when one has closed", () =>
    Effect.gen(function* () {
      const { service } = yield* instance
      const { port } = yield* listen(service, { connections: 2 })
      const { port: monitoring } = yield* listen(service.monitoring)
      const health = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n"
      const opened = Array.from({ length: 2 }, () => net.connect(port, "127.0.0.1"))
      for (const socket of opened) {
        socket.write(`${health}\r\n`)
        yield* Effect.promise(() => once(socket, "data"))
      }
      assert.strictEqual(yield* exchange(port, `${health}Connection: close\r\n\r\n`), "")
      const refused = Effect.map(
        Effect.flatMap(request(monitoring, "/metrics"), bodyOf),
        (text) => /^mfg_mock_refused_total\{reason="connections"\} (\d+)$/m.exec(text)?.[1]
      )
      assert.strictEqual(yield* refused, "1")
      opened[0]?.destroy()
      const answered = exchange(port, `${health}Connection: close\r\n\r\n`)
      yield* Wait.until(answered, (received) => received.startsWith("HTTP/1.1 200"))
      opened[1]?.destroy()
    }).pipe(Effect.scoped)
  )

  // The system limits the new connections that wait for a busy process; Linux reports its limit.
  const most = "/proc/sys/net/core/somaxconn"
  it.live.skipIf(!existsSync(most) || Number(readFileSync(most, "utf8")) < 1000)(
    "connects hundreds of clients at the same time while it is busy",
    () =>
      Effect.gen(function* () {
        const { port } = yield* listen(service(() => Exit.succeed(text("ok"))))
        const program = `let open = 0
          for (let count = 0; count < 900; count++) require("net").connect(${port}, "127.0.0.1", () => open++)
          setTimeout(() => { console.log(open); process.exit() }, 800)`
        // This process accepts nothing meanwhile.
        assert.strictEqual(execFileSync(process.execPath, ["-e", program], { encoding: "utf8" }), "900\n")
      }).pipe(Effect.scoped)
  )

  it.live("answers requests for the hosts of this machine and those that are allowed, and 421 for others", () =>
    Effect.gen(function* () {
      const { service } = yield* instance
      const { port } = yield* listen(service, { allowedHosts: ["mfg.test"] })
      const status = (head: string) =>
        Effect.map(exchange(port, `${head}\r\nConnection: close\r\n\r\n`), (received) => Number(received.slice(9, 12)))
      const health = (host: string) => status(`GET /health/live HTTP/1.1\r\nHost: ${host}`)
      for (const host of [
        "localhost",
        "LOCALHOST.",
        "a.localhost:1",
        "127.0.0.1:80",
        "[::1]:80",
        "10.1.2.3",
        "mfg.test:80"
      ]) {
        assert.strictEqual(yield* health(host), 200, host)
      }
      for (const host of [
        "rebound.test",
        "mfg.test.evil.example",
        "localhost.evil.example",
        "127.0.0.1.nip.io",
        "evil"
      ]) {
        assert.strictEqual(yield* health(host), 421, host)
      }
      for (const host of ["a b", "localhost,evil", "", "user@localhost", "localhost\r\nHost: localhost", "[::1"]) {
        assert.strictEqual(yield* health(host), 400, host)
      }
      const refused = json(yield* exchange(port, "GET / HTTP/1.1\r\nHost: evil\r\nConnection: close\r\n\r\n"))
      assert.deepInclude(refused, { code: "MF421" })
      assert.include(refused.hint, "--allowed-hosts evil")
    }).pipe(Effect.scoped)
  )

  it.live("checks no host while it listens beyond loopback, unless hosts are given", () =>
    Effect.gen(function* () {
      const { service } = yield* instance
      const health = (port: number) =>
        exchange(port, "GET /health/live HTTP/1.1\r\nHost: any.example\r\nConnection: close\r\n\r\n")
      const open = yield* listen(service, { host: "0.0.0.0" })
      assert.match(yield* health(open.port), /^HTTP\/1.1 200/)
      const closed = yield* listen(service, { host: "0.0.0.0", allowedHosts: ["mfg.test"] })
      assert.match(yield* health(closed.port), /^HTTP\/1.1 421/)
    }).pipe(Effect.scoped)
  )

  it.live("takes a target in absolute form, whose host counts", () =>
    Effect.gen(function* () {
      const { port } = yield* listen(echo)
      const target = (line: string) =>
        Effect.map(exchange(port, `${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`), (received) =>
          received.startsWith("HTTP/1.1 200") ? json(received).target : received.slice(9, 12)
        )
      assert.strictEqual(yield* target("GET http://localhost:4010/rest/holiday?limit=1"), "/rest/holiday?limit=1")
      assert.strictEqual(yield* target("GET HTTP://127.0.0.1"), "/")
      assert.strictEqual(yield* target("GET http://localhost?limit=1"), "/?limit=1")
      assert.strictEqual(yield* target("GET http://evil.example/rest/holiday"), "421")
      assert.strictEqual(yield* target("GET http://user@localhost/"), "400")
    }).pipe(Effect.scoped)
  )

  it.live("sends a stream as it is produced, and ends it with the client and with the service", () =>
    Effect.gen(function* () {
      const ended: Array<string> = []
      const stream: BodyStream = async function* (signal) {
        yield "one\n"
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()))
        ended.push("aborted")
        yield "last\n"
      }
      const streaming = { ...echo, handle: () => Effect.succeed({ status: 200, headers: {}, body: "", stream }) }
      const until = (count: number) =>
        Effect.promise(async () => {
          while (ended.length < count) await setImmediate()
        })
      const first = (response: Response) =>
        Effect.promise(async () => new TextDecoder().decode((await response.body?.getReader().read())?.value))
      const { drain, port } = yield* listen(streaming)
      const controller = new AbortController()
      const left = yield* request(port, "/", { signal: controller.signal })
      assert.strictEqual(yield* first(left), "one\n")
      controller.abort()
      yield* until(1)
      const stopped = yield* request(port, "/")
      const text = yield* Effect.fork(bodyOf(stopped))
      yield* drain
      assert.strictEqual(yield* Fiber.join(text), "one\nlast\n")
    }).pipe(Effect.scoped)
  )

  it.live("carries a request and its response", () =>
    Effect.gen(function* () {
      const { port } = yield* listen(echo)
      const response = yield* request(port, "/rest/holiday?select=id,name", {
        method: "POST",
        headers: { "X-One": "1" },
        body: "Grüße"
      })
      assert.strictEqual(response.status, 200)
      assert.strictEqual(response.headers.get("content-type"), "text/plain")
      assert.isNull(response.headers.get("x-absent"))
      const echoed = JSON.parse(yield* bodyOf(response))
      assert.include(echoed, { method: "POST", target: "/rest/holiday?select=id,name", body: "Grüße" })
      assert.include(echoed.headers, { "x-one": "1" })
    }).pipe(Effect.scoped)
  )

  it.live("joins a header that is sent twice", () =>
    Effect.gen(function* () {
      const { port } = yield* listen(echo)
      const received = yield* exchange(
        port,
        "GET / HTTP/1.1\r\nHost: localhost\r\nPrefer: count=exact\r\nPrefer: return=minimal\r\n" +
          "Authorization: a\r\nAuthorization: b\r\nConnection: close\r\n\r\n"
      )
      const { headers } = json(received)
      assert.include(headers, { prefer: "count=exact, return=minimal", authorization: "a, b" })
    }).pipe(Effect.scoped)
  )

  it.live("sends a response that is ready only later", () =>
    Effect.gen(function* () {
      const { port } = yield* listen(service(() => Effect.delay(Effect.succeed(text("later", 201)), "10 millis")))
      const response = yield* request(port, "/")
      assert.strictEqual(response.status, 201)
      assert.strictEqual(yield* bodyOf(response), "later")
    }).pipe(Effect.scoped)
  )

  it.live("ends the connection of a response that cannot be sent, and no other one", () =>
    Effect.gen(function* () {
      const invalid = { ...text("x"), headers: { "a b": "c" } }
      const { port } = yield* listen(
        service(({ target }) => Exit.succeed(target === "/invalid" ? invalid : text("ok")))
      )
      const open = yield* exchange(port, "GET /invalid HTTP/1.1\r\nHost: localhost\r\n\r\n")
      assert.strictEqual(open, "")
      assert.strictEqual(yield* bodyOf(yield* request(port, "/")), "ok")
    }).pipe(Effect.scoped)
  )

  it.live("answers HEAD and 204 without a body or a content length", () =>
    Effect.gen(function* () {
      const { port } = yield* listen(service(({ method }) => Exit.succeed(text("", method === "HEAD" ? 200 : 204))))
      for (const method of ["HEAD", "DELETE"]) {
        const received = yield* exchange(port, `${method} / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
        assert.notInclude(received.toLowerCase(), "content-length")
        assert.notInclude(received.toLowerCase(), "transfer-encoding")
        assert.isTrue(received.endsWith("\r\n\r\n"))
      }
    }).pipe(Effect.scoped)
  )

  it.live("refuses headers beyond their limit with 431", () =>
    Effect.gen(function* () {
      const { port } = yield* listen(echo)
      const fits = yield* request(port, "/", { headers: { "X-Long": "x".repeat(15_000) } })
      assert.strictEqual(fits.status, 200)
      const received = yield* exchange(
        port,
        `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(16 * 1024)}\r\n\r\n`
      )
      assert.match(received, /^HTTP\/1\.1 431 /)
      assert.strictEqual(json(received).code, "54000")
    }).pipe(Effect.scoped)
  )

  it.live("refuses a URL beyond its limit with 414", () =>
    Effect.gen(function* () {
      const { port } = yield* listen(echo)
      const long = `/rest/holiday?${"x".repeat(8 * 1024 - 14)}`
      assert.strictEqual((yield* request(port, long)).status, 200)
      const response = yield* request(port, `${long}x`)
      assert.strictEqual(response.status, 414)
      assert.strictEqual(JSON.parse(yield* bodyOf(response)).code, "54000")
    }).pipe(Effect.scoped)
  )

  it.live("refuses a body beyond its limit with 413, with and without a content length", () =>
    Effect.gen(function* () {
      const { port } = yield* listen(echo)
      const sent = (body: string) => request(port, "/", { method: "POST", body })
      assert.strictEqual((yield* sent("x".repeat(1024))).status, 200)
      assert.strictEqual((yield* sent("x".repeat(1025))).status, 413)
      assert.strictEqual((yield* sent("x".repeat(2_000_000))).status, 413)
      const chunked = new ReadableStream({
        start: (controller) => {
          for (let chunk = 0; chunk < 100; chunk++) controller.enqueue(new TextEncoder().encode("x".repeat(1000)))
          controller.close()
        }
      })
      const init: RequestInit & { readonly duplex: "half" } = { method: "POST", body: chunked, duplex: "half" }
      const refused = yield* request(port, "/", init)
      assert.strictEqual(refused.status, 413)
      // The connection is still usable for the next request.
      assert.strictEqual((yield* sent("x")).status, 200)
    }).pipe(Effect.scoped)
  )

  it.live("refuses a body for an operation in the operation interface's form", () =>
    Effect.gen(function* () {
      const { port } = yield* listen(echo)
      const response = yield* request(port, "/api/v1/account/getAccount", { method: "POST", body: "x".repeat(1025) })
      assert.strictEqual(response.status, 413)
      const body = JSON.parse(yield* bodyOf(response))
      assert.include(body, { defined: false, code: "PAYLOAD_TOO_LARGE", status: 413 })
    }).pipe(Effect.scoped)
  )

  for (const [what, piece] of [
    ["headers", "GET / HTTP/1.1\r\nHost: localhost\r\nX-Never"],
    ["a body", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nnever"]
  ] as const) {
    it.live(`refuses ${what} that does not arrive in time with 408`, () =>
      Effect.gen(function* () {
        const { port } = yield* listen(echo, { headersMillis: 100, requestMillis: 100 })
        const received = yield* exchange(port, piece)
        assert.match(received, /^HTTP\/1\.1 408 /)
        assert.strictEqual(json(received).code, "57014")
      }).pipe(Effect.scoped)
    )
  }

  it.live("distinguishes a URL beyond every limit from headers beyond it", () =>
    Effect.gen(function* () {
      const { port } = yield* listen(echo)
      const long = "x".repeat(40_000)
      const target = yield* exchange(port, `GET /${long} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
      assert.match(target, /^HTTP\/1\.1 414 /)
      const headers = yield* exchange(port, `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${long}\r\n\r\n`)
      assert.match(headers, /^HTTP\/1\.1 431 /)
    }).pipe(Effect.scoped)
  )

  it.live("gives every response a request id, also where the request could not be parsed", () =>
    Effect.gen(function* () {
      const { port } = yield* NodeServer.listen((yield* instance).service, options)
      const id = (received: string) => /^x-request-id: (\S+)\r$/im.exec(received)?.[1]
      const unread = id(yield* exchange(port, "HELO\r\n\r\n"))
      const read = id(yield* exchange(port, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
      assert.isDefined(unread)
      assert.isDefined(read)
      assert.notStrictEqual(read, unread)
      const given = "GET / HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: mine\r\nConnection: close\r\n\r\n"
      assert.strictEqual(id(yield* exchange(port, given)), "mine")
    }).pipe(Effect.scoped)
  )

  it.live("refuses a body beyond its limit before it is sent, for `Expect: 100-continue`", () =>
    Effect.gen(function* () {
      const { port } = yield* listen(echo)
      const head = (length: number) =>
        `POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`
      const refused = yield* exchange(port, head(1025))
      assert.match(refused, /^HTTP\/1\.1 413 /)
      assert.strictEqual(json(refused).code, "54000")
      const taken = yield* exchange(port, head(2), "ok")
      assert.match(taken, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
    }).pipe(Effect.scoped)
  )

  it.live("refuses a request without a host with 400", () =>
    Effect.gen(function* () {
      const { port } = yield* listen(echo)
      const received = yield* exchange(port, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
      assert.match(received, /^HTTP\/1\.1 400 /)
      assert.strictEqual(json(received).message, "The request has no Host header")
      assert.match(yield* exchange(port, "GET / HTTP/1.0\r\n\r\n"), /^HTTP\/1\.1 200 /)
    }).pipe(Effect.scoped)
  )

  it.live("disconnects a client that does not read its responses", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const asked = yield* Deferred.make<void>()
      const body = "x".repeat(64 * 1024 * 1024)
      const { port } = yield* listen(
        service(() => Effect.as(Deferred.succeed(asked, undefined), text(body))),
        { socketMillis: 50, stopMillis: 600_000 }
      ).pipe(Scope.extend(scope))
      const socket = net.connect(port, "127.0.0.1")
      yield* Effect.addFinalizer(() => Effect.sync(() => socket.destroy()))
      socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
      yield* Deferred.await(asked)
      // The client would wait forever for a server that still had the connection.
      yield* Scope.close(scope, Exit.void)
    }).pipe(Effect.scoped)
  )

  it.live("responds to bytes that are not HTTP with 400", () =>
    Effect.gen(function* () {
      const { port } = yield* listen(echo)
      assert.match(yield* exchange(port, "HELO example\r\n\r\n"), /^HTTP\/1\.1 400 /)
    }).pipe(Effect.scoped)
  )

  it.live("interrupts the request of a client that disconnects", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const interrupted = yield* Deferred.make<void>()
      const { port } = yield* listen(
        service(() =>
          Deferred.succeed(started, undefined).pipe(
            Effect.zipRight(Effect.never),
            Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined))
          )
        )
      )
      const client = yield* Effect.fork(exchange(port, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"))
      yield* Deferred.await(started)
      yield* Fiber.interrupt(client)
      yield* Deferred.await(interrupted)
    }).pipe(Effect.scoped)
  )

  it.live("survives a client that disconnects in the middle of its body", () =>
    Effect.gen(function* () {
      const { port } = yield* listen(echo)
      yield* Effect.async<void>((resume) => {
        const socket = net.connect(port, "127.0.0.1", () => {
          socket.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf", () => {
            socket.resetAndDestroy()
            resume(Effect.void)
          })
        })
      })
      assert.strictEqual((yield* request(port, "/")).status, 200)
    }).pipe(Effect.scoped)
  )

  it.live("finishes the requests that it accepted before it stops, and refuses the rest", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const started = yield* Deferred.make<void>()
      const gate = yield* Deferred.make<void>()
      const { port } = yield* listen(
        service(() =>
          Deferred.succeed(started, undefined).pipe(Effect.zipRight(Deferred.await(gate)), Effect.as(text("finished")))
        )
      ).pipe(Scope.extend(scope))
      const accepted = yield* Effect.fork(exchange(port, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"))
      yield* Deferred.await(started)
      const stopping = yield* Effect.fork(Scope.close(scope, Exit.void))
      const refused = yield* Effect.exit(Effect.tryPromise(() => fetch(`http://127.0.0.1:${port}/`))).pipe(
        Effect.repeat({ until: Exit.isFailure, times: 50 })
      )
      assert.isTrue(Exit.isFailure(refused))
      yield* Deferred.succeed(gate, undefined)
      const received = yield* Fiber.join(accepted)
      assert.match(received, /^HTTP\/1\.1 200 /)
      assert.match(received, /connection: close/i)
      assert.isTrue(received.endsWith("finished"))
      yield* Fiber.join(stopping)
    })
  )

  it.live("refuses requests with 503 while it stops", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { port } = yield* Scope.extend(listen(echo), scope)
      const socket = net.connect(port, "127.0.0.1")
      const received = yield* Effect.fork(
        Effect.async<string>((resume) => {
          let text = ""
          socket.on("data", (data) => (text += data.toString()))
          socket.on("close", () => resume(Effect.succeed(text)))
        })
      )
      yield* Effect.async<void>((resume) => {
        socket.write("GET / HTTP/1.1\r\n", () => resume(Effect.void))
      })
      // The server has read the first line once it answers another connection.
      yield* request(port, "/")
      const stopping = yield* Effect.fork(Scope.close(scope, Exit.void))
      yield* Effect.yieldNow()
      socket.write("Host: localhost\r\n\r\n")
      const text = yield* Fiber.join(received)
      assert.match(text, /^HTTP\/1\.1 503 /)
      assert.match(text, /retry-after: 1/i)
      yield* Fiber.join(stopping)
    })
  )

  it.live("stops although a request never ends", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const started = yield* Deferred.make<void>()
      const { port } = yield* listen(
        service(() => Effect.zipRight(Deferred.succeed(started, undefined), Effect.never)),
        { stopMillis: 20 }
      ).pipe(Scope.extend(scope))
      const client = yield* Effect.fork(exchange(port, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"))
      yield* Deferred.await(started)
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual(yield* Fiber.join(client), "")
    })
  )

  it.live("reports that a port is in use", () =>
    Effect.gen(function* () {
      const { port } = yield* listen(echo)
      const error = yield* Effect.flip(listen(echo, { port }))
      assert.strictEqual(
        error.message,
        `Port ${port} of 127.0.0.1 is in use. Stop the other process, or select another port with --port.`
      )
    }).pipe(Effect.scoped)
  )
})
