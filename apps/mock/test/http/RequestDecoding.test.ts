/** Tests bodies with a `Content-Encoding`, byte by byte. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as zlib from "node:zlib"
import * as NodeServer from "../../src/http/NodeServer.ts"
import * as RawSocket from "./rawSocket.ts"
import { echo, service, text } from "./stubService.ts"

const limit = 256 * 1024

const listen = (handler = echo, changed: Partial<NodeServer.Options> = {}) =>
  NodeServer.listen(handler, {
    ...NodeServer.limits,
    bodyBytes: limit,
    bodyMemoryBytes: 2 * limit,
    lingerMillis: 20,
    host: "127.0.0.1",
    port: 0,
    ...changed
  })

const head = (...headers: ReadonlyArray<string>) =>
  `POST /rest/holiday HTTP/1.1\r\n${["Host: localhost", "Connection: close", ...headers].join("\r\n")}\r\n\r\n`

const chunk = (bytes: Uint8Array) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")])

/** Sends an encoded body, with its length or in chunks. */
const send = (port: number, encoding: string, bytes: Uint8Array, isChunked = false) =>
  Effect.map(
    RawSocket.exchange(
      port,
      head(
        `Content-Encoding: ${encoding}`,
        isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${bytes.length}`
      ),
      ...(isChunked
        ? [...[bytes.subarray(0, 3), bytes.subarray(3)].filter(({ length }) => length > 0).map(chunk), "0\r\n\r\n"]
        : [bytes.subarray(0, 3), bytes.subarray(3)])
    ),
    RawSocket.parse
  )

const refusal = ({ body, headers, status }: RawSocket.RawResponse) => ({
  status,
  ...JSON.parse(body.toString()),
  accepted: headers.get("accept-encoding")
})

const incompressible = Buffer.from(Array.from({ length: limit }, (_, index) => (index * 7919 * (index % 251)) % 256))

describe("a body with a Content-Encoding", () => {
  for (const [encoding, encode] of [
    ["gzip", zlib.gzipSync],
    ["x-gzip", zlib.gzipSync],
    ["GZIP", zlib.gzipSync],
    ["deflate", zlib.deflateSync],
    ["identity", (body: Uint8Array) => Buffer.from(body)]
  ] as const) {
    for (const isChunked of [false, true]) {
      it.live(`is decoded: ${encoding}${isChunked ? " in chunks" : ""}`, () =>
        Effect.gen(function* () {
          const { port } = yield* listen()
          for (const body of ["Grüße", "x".repeat(200_000), ""]) {
            const { body: echoed, status } = yield* send(port, encoding, encode(Buffer.from(body)), isChunked)
            assert.strictEqual(status, 200)
            assert.strictEqual(JSON.parse(echoed.toString()).body, body)
          }
        }).pipe(Effect.scoped)
      )
    }
  }

  it.live("may have the maximum size when it is decoded", () =>
    Effect.gen(function* () {
      const { port } = yield* listen(service(({ body }) => Effect.succeed(text(String(body.length)))))
      const { body } = yield* send(port, "gzip", zlib.gzipSync(Buffer.alloc(limit)))
      assert.strictEqual(body.toString(), String(limit))
      const larger = yield* send(port, "gzip", zlib.gzipSync(Buffer.alloc(limit + 1)))
      assert.deepInclude(refusal(larger), { status: 413, code: "54000" })
    }).pipe(Effect.scoped)
  )

  it.live("is refused with 413 as soon as it is too large, decoded or not", () =>
    Effect.gen(function* () {
      const { port } = yield* listen()
      const bomb = zlib.gzipSync(Buffer.alloc(20 * 1024 * 1024))
      assert.isBelow(bomb.length, limit)
      const nothing = zlib.gzipSync("")
      for (const [bytes, isChunked] of [
        [bomb, false],
        [bomb, true],
        // Members without content decode to nothing.
        [Buffer.concat(Array.from({ length: 20_000 }, () => nothing)), true],
        [zlib.gzipSync(Buffer.concat([incompressible, incompressible]), { level: 0 }), false]
      ] as const) {
        const { status } = yield* send(port, "gzip", bytes, isChunked)
        assert.strictEqual(status, 413)
      }
    }).pipe(Effect.scoped)
  )

  it.live("is refused with 400 when it does not have the encoding, or ends too early", () =>
    Effect.gen(function* () {
      const { port } = yield* listen()
      const whole = zlib.gzipSync("x".repeat(1000))
      for (const bytes of [Buffer.from('{"name":"a"}'), whole.subarray(0, -9), zlib.deflateSync("x")]) {
        const refused = refusal(yield* send(port, "gzip", bytes))
        assert.deepInclude(refused, { status: 400, code: "PGRST102" })
        assert.include(refused.message, "gzip")
      }
    }).pipe(Effect.scoped)
  )

  it.live("is refused with 415 in another encoding, which is named with those that are supported", () =>
    Effect.gen(function* () {
      const { port } = yield* listen()
      for (const encoding of ["br", "zstd", "compress", "gzip, gzip", "constructor"]) {
        const refused = refusal(yield* send(port, encoding, Buffer.from("xxxx")))
        assert.deepInclude(refused, { status: 415, code: "PGRST102", accepted: "gzip, deflate" })
        assert.include(refused.message, encoding)
      }
      const awaiting = head("Content-Encoding: br", "Content-Length: 4", "Expect: 100-continue")
      const received = yield* RawSocket.exchange(port, awaiting)
      assert.match(received.toString(), /^HTTP\/1\.1 415 /)
    }).pipe(Effect.scoped)
  )

  it.live("shares the memory of large bodies by its decoded size", () =>
    Effect.gen(function* () {
      const arrived = yield* Deferred.make<void>()
      const { port } = yield* listen(
        service(({ headers }) =>
          headers["x-hold"] === undefined
            ? Effect.succeed(text("done"))
            : Effect.zipRight(Deferred.succeed(arrived, undefined), Effect.never)
        ),
        { bodyWaitMillis: 20 }
      )
      const body = zlib.gzipSync(Buffer.alloc(100_000))
      const holding = yield* Effect.fork(
        RawSocket.exchange(port, head("X-Hold: 1", "Content-Encoding: gzip", `Content-Length: ${body.length}`), body)
      )
      yield* Deferred.await(arrived)
      assert.strictEqual((yield* send(port, "gzip", body)).status, 503)
      const small = yield* send(port, "gzip", zlib.gzipSync("small"))
      assert.strictEqual(small.status, 200)
      assert.strictEqual((yield* send(port, "gzip", body)).status, 503)
      assert.isNull(holding.unsafePoll())
    }).pipe(Effect.scoped)
  )

  it.live("is ignored with a client that disconnects", () =>
    Effect.gen(function* () {
      const { port } = yield* listen()
      const sent = head("Content-Encoding: gzip", "Content-Length: 100") + "half"
      yield* Effect.timeoutOption(RawSocket.exchange(port, sent), 20)
      assert.strictEqual((yield* send(port, "gzip", zlib.gzipSync("next"))).status, 200)
    }).pipe(Effect.scoped)
  )
})
