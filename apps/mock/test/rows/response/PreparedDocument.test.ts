import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as zlib from "node:zlib"
import type * as Exchange from "../../../src/Exchange.ts"
import * as PreparedDocument from "../../../src/rows/response/PreparedDocument.ts"

const body = "manufacturing ".repeat(1000)

const make = () => {
  let made = 0
  const handler = PreparedDocument.handler(async () => {
    made += 1
    await new Promise((resolve) => setImmediate(resolve))
    return { body, headers: { "Content-Type": "text/plain" }, vary: "Accept" }
  })
  const ask = (headers: Exchange.Headers = {}) => handler({ method: "GET", target: "/docs", headers, body: "" })
  return { ask, made: () => made }
}

const plain = (response: Exchange.Response): string => {
  const bytes = Buffer.from(response.body)
  switch (response.headers["Content-Encoding"]) {
    case "br":
      return zlib.brotliDecompressSync(bytes).toString()
    case "gzip":
      return zlib.gunzipSync(bytes).toString()
    default:
      return bytes.toString()
  }
}

describe("a prepared document", () => {
  it.effect("is made once, also when requests arrive while it is made", () =>
    Effect.gen(function* () {
      const { ask, made } = make()
      const responses = yield* Effect.all([ask(), ask(), ask({ "accept-encoding": "br" })], { concurrency: 3 })
      for (const response of responses) assert.strictEqual(plain(response), body)
      yield* ask()
      assert.strictEqual(made(), 1)
    })
  )

  it.effect("is compressed as the client accepts it, with an ETag of its own in each encoding", () =>
    Effect.gen(function* () {
      const { ask } = make()
      const tags = new Set<string | undefined>()
      for (const encoding of ["br", "gzip", undefined]) {
        const accepted = encoding === undefined ? {} : { "accept-encoding": encoding }
        const response = yield* ask(accepted)
        const { headers } = response
        assert.deepStrictEqual([response.status, headers["Content-Encoding"]], [200, encoding])
        assert.deepStrictEqual([headers["Vary"], headers["Content-Type"]], ["Accept, Accept-Encoding", "text/plain"])
        assert.strictEqual(plain(response), body)
        if (encoding !== undefined) assert.isBelow(response.body.length, body.length / 10)
        const tag = headers["ETag"] ?? ""
        tags.add(tag)
        for (const header of [tag, `"other", ${tag}`, `W/${tag}`, "*"]) {
          const again = yield* ask({ ...accepted, "if-none-match": header })
          assert.deepStrictEqual([again.status, again.body, again.headers["ETag"]], [304, "", tag])
          assert.deepStrictEqual(
            [again.headers["Vary"], again.headers["Content-Encoding"]],
            ["Accept, Accept-Encoding", undefined]
          )
        }
        assert.strictEqual((yield* ask({ ...accepted, "if-none-match": `"other"` })).status, 200)
      }
      assert.strictEqual(tags.size, 3)
    })
  )

  it.effect("is made again after a failure", () =>
    Effect.gen(function* () {
      let attempts = 0
      const handler = PreparedDocument.handler(() =>
        attempts++ === 0 ? Promise.reject(new Error("no")) : Promise.resolve({ body, headers: {} })
      )
      const request = { method: "GET", target: "/docs", headers: {}, body: "" }
      assert.strictEqual((yield* Effect.exit(handler(request)))._tag, "Failure")
      assert.strictEqual((yield* handler(request)).status, 200)
    })
  )
})
