import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { createHash } from "node:crypto"
import * as net from "node:net"
import * as NodeServer from "../../src/http/NodeServer.ts"
import * as Instance from "../../src/service/Instance.ts"
import type { RequestHandler } from "../../src/service/Admission.ts"
import * as Settings from "../../src/Settings.ts"
import { service, text } from "./stubService.ts"

const megabyte = 1024 * 1024

const instance = Instance.make({
  settings: {
    ...Settings.defaults,
    seed: { _tag: "Empty" },
    store: { _tag: "Sqlite", path: ":memory:" },
    adminKey: "mfg_administration"
  },
  write: () => {}
})

const listen = (service: RequestHandler, changed: Partial<NodeServer.Options> = {}) =>
  NodeServer.listen(service, {
    ...NodeServer.limits,
    bodyBytes: megabyte,
    bodyMemoryBytes: 4 * megabyte,
    host: "127.0.0.1",
    port: 0,
    lingerMillis: 20,
    ...changed
  })

/** A connection that sends bytes when the test says so. */
const connect = (port: number) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => net.connect(port, "127.0.0.1")),
      (socket) => Effect.sync(() => socket.destroy())
    ),
    (socket) => {
      let received = ""
      socket.on("data", (data) => (received += data.toString()))
      socket.on("error", () => {})
      const closed = new Promise<string>((resolve) => socket.on("close", () => resolve(received)))
      return {
        send: (bytes: string | Uint8Array) => socket.write(bytes),
        close: () => socket.end(),
        closed: Effect.promise(() => closed)
      }
    }
  )

const head = (path: string, ...headers: ReadonlyArray<string>) =>
  `POST ${path} HTTP/1.1\r\n${["Host: localhost", ...headers].join("\r\n")}\r\n\r\n`

const statusOf = (received: string) => /^HTTP\/1\.1 (\d+)/.exec(received)?.[1]

describe("a key is judged before the body is read", () => {
  for (const [name, framing] of [
    ["a length", "Content-Length: 100000"],
    ["chunks", "Transfer-Encoding: chunked"],
    ["Expect: 100-continue", "Content-Length: 100000\r\nExpect: 100-continue"]
  ] as const) {
    for (const [path, key] of [
      ["/rest/holiday", ""],
      ["/rest/v1/holiday", "Authorization: Bearer mfg_wrong\r\n"],
      ["/api/v1/account/getAccount", ""],
      ["/_mock/keys", ""]
    ] as const) {
      it.live(`refuses a body with ${name} for ${path} and closes the connection`, () =>
        Effect.gen(function* () {
          const { port } = yield* listen((yield* instance).service)
          const { closed, send } = yield* connect(port)
          // No byte of the body is ever sent.
          send(head(path, `${key}${framing}`))
          const received = yield* closed
          assert.strictEqual(statusOf(received), "401")
          assert.match(received, /connection: close/i)
          assert.match(received, /x-request-id: /i)
          assert.match(received, /www-authenticate: bearer/i)
        }).pipe(Effect.scoped)
      )
    }
  }

  it.live("refuses a key without the scope with 403, and reads the body of one that has it", () =>
    Effect.gen(function* () {
      const { keys, service, world } = yield* instance
      const { port } = yield* listen(service)
      const home = world.home()
      if (home === undefined) return assert.fail("the seed has a company")
      const issue = (scopes: ReadonlyArray<"holiday:create" | "holiday:read">) =>
        Effect.map(keys.create({ ...home, name: "one", scopes, expiresAt: null }), ({ key }) => Redacted.value(key))
      const send = (key: string, body: string) =>
        Effect.gen(function* () {
          const { closed, send } = yield* connect(port)
          send(head("/rest/holiday", `Authorization: Bearer ${key}`, "Connection: close", "Content-Length: 2") + body)
          return statusOf(yield* closed)
        })
      assert.strictEqual(yield* send(yield* issue(["holiday:read"]), ""), "403")
      assert.strictEqual(yield* send(yield* issue(["holiday:create", "holiday:read"]), "{}"), "400")
    }).pipe(Effect.scoped)
  )

  for (const [path, authorization, more] of [
    ["/api/v1/account/getAccount", undefined, { code: "PAYLOAD_TOO_LARGE" }],
    ["/_mock/keys", "mfg_administration", { code: "54000" }]
  ] as const) {
    for (const framing of ["Content-Length: 262145", "Transfer-Encoding: chunked"]) {
      it.live(`refuses more than 256 KiB for ${path} (${framing})`, () =>
        Effect.gen(function* () {
          const { keys, service, world } = yield* instance
          const { port } = yield* listen(service)
          const home = world.home()
          if (home === undefined) return assert.fail("the seed has a company")
          const { key } = yield* keys.create({ ...home, name: "one", scopes: ["*"], expiresAt: null })
          const { closed, send } = yield* connect(port)
          send(
            head(path, `Authorization: Bearer ${authorization ?? Redacted.value(key)}`, "Connection: close", framing)
          )
          // A body with a length is refused before its first byte.
          if (framing.startsWith("Transfer")) send(`${(262_145).toString(16)}\r\n${" ".repeat(262_145)}\r\n`)
          const received = yield* closed
          assert.strictEqual(statusOf(received), "413")
          const body = JSON.parse(received.slice(received.indexOf("\r\n\r\n")))
          assert.deepInclude(body, more)
          assert.deepInclude(body.data ?? body, {
            code: "54000",
            details: "At most 262144 bytes are accepted.",
            hint: "Send fewer or shorter parameters."
          })
        }).pipe(Effect.scoped)
      )
    }
  }

  it.live("answers a path that needs no key without its body", () =>
    Effect.gen(function* () {
      const { port } = yield* listen((yield* instance).service)
      const { closed, send } = yield* connect(port)
      send(head("/docs", "Content-Length: 1000", "Connection: close"))
      send("x".repeat(1000))
      assert.strictEqual(statusOf(yield* closed), "405")
    }).pipe(Effect.scoped)
  )
})

/** A service whose company is a header, and which keeps each body until the test ends. */
const holding = (arrived: Deferred.Deferred<void>): RequestHandler => {
  const stub = service(({ headers }) =>
    headers["x-hold"] === undefined
      ? Effect.succeed(text("done"))
      : Effect.zipRight(Deferred.succeed(arrived, undefined), Effect.never)
  )
  return {
    ...stub,
    admit: ({ headers }) => Effect.succeed({ _tag: "Admitted", companyId: headers["x-company"] ?? "" })
  }
}

describe("large bodies share memory", () => {
  const large = Buffer.alloc(megabyte, "x")
  const headers = (company: string, ...more: ReadonlyArray<string>) =>
    head("/", `X-Company: ${company}`, `Content-Length: ${megabyte}`, "Connection: close", ...more)

  it.live("makes a company wait that holds half of it, and nobody else", () =>
    Effect.gen(function* () {
      const arrived = yield* Deferred.make<void>()
      const { port } = yield* listen(holding(arrived), { bodyMemoryBytes: 2 * megabyte, bodyWaitMillis: 100 })
      const first = yield* connect(port)
      first.send(headers("one", "X-Hold: 1"))
      first.send(large)
      yield* Deferred.await(arrived)

      const second = yield* connect(port)
      second.send(headers("one"))
      second.send(large)
      const other = yield* connect(port)
      other.send(headers("two"))
      other.send(large)
      assert.strictEqual(statusOf(yield* other.closed), "200")

      const refused = yield* second.closed
      assert.strictEqual(statusOf(refused), "503")
      assert.match(refused, /retry-after: 1/i)
      const error = JSON.parse(refused.slice(refused.indexOf("\r\n\r\n")))
      assert.strictEqual(error.code, "P0503")
      assert.include(error.details, "--body-memory")

      // A small body needs no share.
      const small = yield* connect(port)
      small.send(`${head("/", "X-Company: one", "Content-Length: 2", "Connection: close")}{}`)
      assert.strictEqual(statusOf(yield* small.closed), "200")
    }).pipe(Effect.scoped)
  )

  it.live("gives each of many bodies its own bytes, also after clients that disconnect", () =>
    Effect.gen(function* () {
      const hash = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex")
      const slow = service(({ body }) => Effect.map(Effect.sleep(20), () => text(hash(body))))
      const { port } = yield* listen({
        ...slow,
        admit: ({ headers }) => Effect.succeed({ _tag: "Admitted", companyId: headers["x-company"] ?? "" })
      })
      const send = (index: number) =>
        Effect.gen(function* () {
          const body = Buffer.alloc(megabyte - index, String.fromCharCode(97 + index))
          const framing = index % 2 === 0 ? `Content-Length: ${body.length}` : "Transfer-Encoding: chunked"
          const connection = yield* connect(port)
          connection.send(head("/", `X-Company: ${index % 3}`, framing, "Connection: close"))
          if (index % 5 === 0) {
            connection.send(body.subarray(0, 700_000))
            connection.close()
            return
          }
          if (index % 2 === 0) connection.send(body)
          else {
            connection.send(`${body.length.toString(16)}\r\n`)
            connection.send(body)
            connection.send("\r\n0\r\n\r\n")
          }
          assert.include(yield* connection.closed, hash(body))
        })
      yield* Effect.all(
        Array.from({ length: 24 }, (_, index) => send(index)),
        { concurrency: 6 }
      )
    }).pipe(Effect.scoped)
  )

  it.live("reads a waiting body when another has ended, also a chunked one", () =>
    Effect.gen(function* () {
      const arrived = yield* Deferred.make<void>()
      const { port } = yield* listen(holding(arrived), { bodyMemoryBytes: 2 * megabyte })
      yield* Effect.scoped(
        Effect.gen(function* () {
          const first = yield* connect(port)
          first.send(headers("one", "X-Hold: 1"))
          first.send(large)
          yield* Deferred.await(arrived)
        })
      )
      const second = yield* connect(port)
      second.send(head("/", "X-Company: one", "Transfer-Encoding: chunked", "Connection: close"))
      const chunk = "x".repeat(50_000)
      for (let index = 0; index < 10; index++) second.send(`${chunk.length.toString(16)}\r\n${chunk}\r\n`)
      second.send("0\r\n\r\n")
      assert.strictEqual(statusOf(yield* second.closed), "200")
    }).pipe(Effect.scoped)
  )
})
