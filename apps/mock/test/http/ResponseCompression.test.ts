/** Tests compressed responses on a socket. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as net from "node:net"
import * as zlib from "node:zlib"
import type * as Exchange from "../../src/Exchange.ts"
import * as NodeServer from "../../src/http/NodeServer.ts"
import * as ContentEncoding from "../../src/rows/request/ContentEncoding.ts"
import * as Instance from "../../src/service/Instance.ts"
import * as Settings from "../../src/Settings.ts"
import * as RawSocket from "./rawSocket.ts"
import { service, text } from "./stubService.ts"

const options: NodeServer.Options = {
  ...NodeServer.limits,
  bodyBytes: 1024,
  bodyMemoryBytes: 2048,
  host: "127.0.0.1",
  port: 0
}

const small = "x".repeat(1023)
const medium = "manufacturing ".repeat(100)
const large = JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, name: `é${id % 97}` })))

const headers = { "Content-Type": "application/json", Vary: "Accept", ETag: '"a"' }
const bodies: { readonly [path: string]: Exchange.Response } = {
  "/small": { status: 200, headers, body: small },
  "/medium": { status: 200, headers, body: medium },
  "/large": { status: 200, headers, body: large },
  "/bytes": { status: 200, headers: {}, body: Buffer.from(large) },
  "/encoded": {
    status: 200,
    headers: { ...headers, "Content-Encoding": "gzip" },
    body: zlib.gzipSync(large, { level: 0 })
  }
}
const stub = service(({ target }) => Exit.succeed(bodies[target] ?? text("", 404)))

const ask = (port: number, path: string, accept?: string, method = "GET") =>
  Effect.map(
    RawSocket.exchange(
      port,
      `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${accept === undefined ? "" : `Accept-Encoding: ${accept}\r\n`}\r\n`
    ),
    RawSocket.parse
  )

/** `zlib` of newer versions of Node has more functions than the types of the oldest. */
const decoders = zlib as unknown as { readonly [name: string]: (bytes: Uint8Array) => Buffer }
const decoderOf: { readonly [encoding: string]: string } = {
  br: "brotliDecompressSync",
  gzip: "gunzipSync",
  zstd: "zstdDecompressSync"
}

const plain = ({ body, headers }: RawSocket.RawResponse): string => {
  const encoding = headers.get("content-encoding")
  return (encoding === undefined ? body : decoders[decoderOf[encoding] ?? ""]?.(body))?.toString() ?? ""
}

describe("compression of responses", () => {
  for (const encoding of ContentEncoding.available) {
    it.live(`compresses with ${encoding}, small responses in one piece and large ones in a stream`, () =>
      Effect.gen(function* () {
        const { port } = yield* NodeServer.listen(stub, options)
        for (const [path, body] of [
          ["/medium", medium],
          ["/large", large]
        ] as const) {
          const response = yield* ask(port, path, encoding)
          assert.strictEqual(response.headers.get("content-encoding"), encoding)
          assert.strictEqual(response.headers.get("vary"), "Accept, Accept-Encoding")
          assert.strictEqual(response.headers.get("etag"), `"a-${encoding}"`)
          assert.strictEqual(response.headers.has("content-length"), path === "/medium")
          assert.isBelow(response.body.length, body.length / 4)
          assert.strictEqual(plain(response), body)
        }
        const bytes = yield* ask(port, "/bytes", encoding)
        assert.strictEqual(plain(bytes), large)
        assert.strictEqual(bytes.headers.get("vary"), "Accept-Encoding")
      }).pipe(Effect.scoped)
    )
  }

  it.live("selects the encoding with the highest quality, and none that the client refuses", () =>
    Effect.gen(function* () {
      const { port } = yield* NodeServer.listen(stub, options)
      const selected = (accept?: string) =>
        Effect.map(ask(port, "/medium", accept), ({ headers }) => headers.get("content-encoding"))
      assert.strictEqual(yield* selected("br;q=0.1, gzip;q=0.9"), "gzip")
      assert.strictEqual(yield* selected("gzip, br;q=0"), "gzip")
      assert.strictEqual(yield* selected("*;q=0"), undefined)
      assert.strictEqual(yield* selected("identity"), undefined)
      assert.strictEqual(yield* selected("gzip;q=0.1, identity"), undefined)
      assert.strictEqual(yield* selected(), undefined)
      // A cache has to know that other clients may get another form.
      assert.strictEqual((yield* ask(port, "/medium", "identity")).headers.get("vary"), "Accept, Accept-Encoding")
    }).pipe(Effect.scoped)
  )

  it.live("sends small responses, HEAD and encoded responses as they are", () =>
    Effect.gen(function* () {
      const { port } = yield* NodeServer.listen(stub, options)
      const response = yield* ask(port, "/small", "gzip")
      assert.deepStrictEqual([response.headers.get("content-encoding"), response.body.toString()], [undefined, small])
      assert.strictEqual(response.headers.get("vary"), "Accept")
      const head = yield* ask(port, "/large", "gzip", "HEAD")
      assert.deepStrictEqual([head.headers.get("content-encoding"), head.body.length], [undefined, 0])
      const encoded = yield* ask(port, "/encoded", "br")
      assert.strictEqual(encoded.headers.get("etag"), '"a"')
      assert.strictEqual(plain(encoded), large)
    }).pipe(Effect.scoped)
  )

  it.live("compresses nothing when it is off", () =>
    Effect.gen(function* () {
      const { port } = yield* NodeServer.listen(stub, { ...options, compresses: false })
      const response = yield* ask(port, "/large", "gzip, br")
      assert.deepStrictEqual([response.headers.get("etag"), response.body.toString()], ['"a"', large])
    }).pipe(Effect.scoped)
  )

  it.live("survives a client that disconnects during a large response", () =>
    Effect.gen(function* () {
      const { port } = yield* NodeServer.listen(stub, options)
      yield* Effect.async<void>((resume) => {
        const socket = net.connect(port, "127.0.0.1")
        socket.write("GET /large HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n")
        socket.once("data", () => {
          socket.resetAndDestroy()
          resume(Effect.void)
        })
      })
      assert.strictEqual(plain(yield* ask(port, "/large", "gzip")), large)
    }).pipe(Effect.scoped)
  )

  it.live("accepts the entity tag of a compressed row in If-Match and If-None-Match", () =>
    Effect.gen(function* () {
      const { service } = yield* Instance.make({
        settings: { ...Settings.defaults, apiKey: "mfg_compression", store: { _tag: "Sqlite", path: ":memory:" } },
        write: () => {}
      })
      const { port } = yield* NodeServer.listen(service, { ...options, bodyBytes: 10_000, bodyMemoryBytes: 20_000 })
      const at = `http://127.0.0.1:${port}/rest/holiday`
      const send = (url: string, init: RequestInit = {}) =>
        Effect.promise(() =>
          fetch(url, {
            ...init,
            headers: {
              authorization: "Bearer mfg_compression",
              "content-type": "application/json",
              "accept-encoding": "gzip",
              ...init.headers
            }
          })
        )
      const body = JSON.stringify({ name: "n".repeat(2000), date: "2026-01-01", companyId: "demo" })
      const made = yield* send(at, { method: "POST", body })
      const row = `http://127.0.0.1:${port}${made.headers.get("location")}`
      const read = yield* send(row)
      const tag = read.headers.get("etag") ?? ""
      assert.match(tag, /-gzip"$/)
      const unchanged = yield* send(row, { headers: { "if-none-match": tag } })
      assert.deepStrictEqual([unchanged.status, unchanged.headers.get("etag")], [304, tag])
      const patch = () =>
        send(row, { method: "PATCH", headers: { "if-match": tag }, body: JSON.stringify({ year: 2027 }) })
      assert.strictEqual((yield* patch()).status, 200)
      assert.strictEqual((yield* patch()).status, 412)
      assert.strictEqual((yield* send(row, { headers: { "if-none-match": tag } })).status, 200)
    }).pipe(Effect.scoped)
  )
})
