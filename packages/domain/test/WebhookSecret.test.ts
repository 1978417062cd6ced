import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import * as JSONSchema from "effect/JSONSchema"
import * as Schema from "effect/Schema"
import * as Decoder from "../src/Decoder.ts"
import * as WebhookSecret from "../src/WebhookSecret.ts"

const bytes = fc.uint8Array({ minLength: 24, maxLength: 64 })
const decode = Schema.decodeUnknownEither(WebhookSecret.WebhookSecret)
const base64 = (length: number) => Buffer.alloc(length, 0xa5).toString("base64")

describe("WebhookSecret", () => {
  it("is whsec_ and the base64 of its bytes", () => {
    fc.assert(
      fc.property(bytes, (bytes) => {
        const secret = WebhookSecret.fromRandom(bytes)
        assert.strictEqual(secret, `whsec_${Buffer.from(bytes).toString("base64")}`)
        assert.deepStrictEqual(decode(secret), Either.right(secret))
        assert.deepStrictEqual(WebhookSecret.toBytes(secret), bytes)
      })
    )
  })

  it.each([
    ["nothing", ""],
    ["no prefix", base64(32)],
    ["another prefix", `whpk_${base64(32)}`],
    ["too few bytes", `whsec_${base64(23)}`],
    ["too many bytes", `whsec_${base64(65)}`],
    ["no base64", `whsec_${"!".repeat(32)}`],
    ["no padding", `whsec_${base64(32).replace("=", "")}`],
    ["a line break", `whsec_${base64(24)}\n`],
    ["stray bits", `whsec_${base64(32).replace(/.=$/, "V=")}`],
    ["a number", 7]
  ])("refuses %s, and does not repeat it", (_, value) => {
    const error = Either.getOrThrow(Either.flip(decode(value)))
    assert.include(error.message, "Expected a webhook secret: whsec_ and the base64 of 24 to 64 bytes")
    assert.notMatch(error.message, /paWl|!!/)
    const malformed = Decoder.make("secret", Schema.Struct({ secret: WebhookSecret.WebhookSecret }))({ secret: value })
    assert.notMatch(Either.getOrThrow(Either.flip(malformed)).message, /paWl|!!|7/)
  })

  it("accepts 24 to 64 random bytes", () => {
    assert.throws(() => WebhookSecret.fromRandom(new Uint8Array(23)), RangeError)
    assert.throws(() => WebhookSecret.fromRandom(new Uint8Array(65)), RangeError)
  })

  it("generates valid secrets", () => {
    fc.assert(
      fc.property(Arbitrary.make(WebhookSecret.WebhookSecret), (secret) =>
        assert.isTrue(Either.isRight(decode(secret)))
      )
    )
  })

  it("has a JSON Schema with a pattern that secrets match", () => {
    const { pattern } = JSONSchema.make(WebhookSecret.WebhookSecret).$defs![
      "WebhookSecret"
    ] as JSONSchema.JsonSchema7String
    fc.assert(fc.property(bytes, (bytes) => new RegExp(pattern!).test(WebhookSecret.fromRandom(bytes))))
    assert.notMatch(`whsec_${base64(20)}`, new RegExp(pattern!))
  })
})
