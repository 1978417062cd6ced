import { assert, describe, it } from "@effect/vitest"
import * as Credentials from "../../src/access/Credentials.ts"

const cases = [
  [{}, undefined],
  [{ authorization: "Bearer mfg_1" }, "mfg_1"],
  [{ authorization: "bearer   mfg_1 " }, "mfg_1"],
  [{ authorization: "BEARER mfg_1" }, "mfg_1"],
  [{ authorization: "Bearer" }, ""],
  [{ authorization: "Bearer " }, ""],
  [{ authorization: "Basic bWZnOg==" }, undefined],
  [{ authorization: "Bearermfg_1" }, undefined],
  [{ authorization: "mfg_1" }, undefined],
  [{ apikey: "mfg_2" }, "mfg_2"],
  [{ authorization: "Bearer mfg_1", apikey: "mfg_2" }, "mfg_1"],
  [{ authorization: "Basic bWZnOg==", apikey: "mfg_2" }, undefined]
] as const

describe("Credentials", () => {
  for (const [headers, key] of cases) {
    it(`takes ${JSON.stringify(key)} from ${JSON.stringify(headers)}`, () => {
      assert.strictEqual(Credentials.fromHeaders(headers), key)
    })
  }
})
