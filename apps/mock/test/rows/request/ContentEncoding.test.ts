import { assert, describe, it } from "@effect/vitest"
import * as ContentEncoding from "../../../src/rows/request/ContentEncoding.ts"

describe("the encoding of a response", () => {
  const cases: ReadonlyArray<readonly [accept: string | undefined, encoding: string]> = [
    [undefined, "identity"],
    ["", "identity"],
    ["gzip, deflate, br", "br"],
    ["gzip", "gzip"],
    ["x-gzip", "gzip"],
    ["GZIP;q=0.5", "gzip"],
    ["br;q=0.5, gzip;q=0.8", "gzip"],
    ["br;q=0, zstd;q=0, *", "gzip"],
    ["*", "zstd"],
    ["br;q=0, gzip;q=0", "identity"],
    ["gzip;q=0.2, identity", "identity"],
    ["deflate, compress", "identity"],
    ["zstd, br, gzip", "zstd"],
    ["br;q=x", "identity"]
  ]
  for (const [accept, encoding] of cases) {
    it(`is ${encoding} for ${JSON.stringify(accept)}`, () => {
      assert.strictEqual(ContentEncoding.select(accept, ["zstd", "br", "gzip"]), encoding)
    })
  }
})
