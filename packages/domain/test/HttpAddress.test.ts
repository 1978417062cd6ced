import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as fc from "effect/FastCheck"
import * as Column from "../src/Column.ts"
import * as HttpAddress from "../src/HttpAddress.ts"
import { Webhook } from "../src/resources/Webhook.ts"

const refused: ReadonlyArray<readonly [text: string, flaw: string]> = [
  ["", "a text that is not an address"],
  ["hooks.example/in", "a text that is not an address"],
  ["http://", "a text that is not an address"],
  ["http://:80", "a text that is not an address"],
  ["ftp://hooks.example", "an address that begins with ftp:"],
  ["javascript:alert(1)", "an address that begins with javascript:"],
  ["file:///etc/passwd", "an address that begins with file:"],
  ["https://user:secret@hooks.example", "an address with credentials"],
  ["https://user@hooks.example", "an address with credentials"],
  [" https://hooks.example", "a text with blanks"],
  ["https://hooks.example/a\tb", "a text with blanks"],
  [`https://hooks.example/${"a".repeat(2048)}`, "a text of 2070 characters"]
]

describe("HttpAddress", () => {
  it("describes a flaw without the text", () => {
    for (const [text, flaw] of refused) assert.strictEqual(HttpAddress.flaw(text), flaw, text)
  })

  it("accepts http and https addresses of any host", () => {
    for (const text of [
      "https://hooks.example",
      "http://127.0.0.1:4999/in?key=1#x",
      "HTTPS://hooks.example",
      "http://[::1]/",
      "https://hooks.example/%20",
      "https://bücher.example/straße",
      `https://hooks.example/${"a".repeat(2026)}`
    ]) {
      assert.isUndefined(HttpAddress.flaw(text), text)
    }
    for (const text of fc.sample(Arbitrary.make(HttpAddress.HttpAddress), { numRuns: 100, seed: 1 })) {
      assert.isUndefined(HttpAddress.flaw(text), text)
    }
  })

  it("is the schema of a webhook's url", () => {
    const addresses = Column.fromResource(Webhook).filter(({ address }) => address)
    assert.deepStrictEqual(
      addresses.map(({ name, type }) => [name, type]),
      [["url", "text"]]
    )
  })
})
