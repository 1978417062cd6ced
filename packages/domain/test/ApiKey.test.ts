import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import * as JSONSchema from "effect/JSONSchema"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as ApiKey from "../src/ApiKey.ts"
import { crc32 } from "../src/internal/crc32.ts"

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const keys = fc.uint8Array({ minLength: 32, maxLength: 64 }).map(ApiKey.fromRandom)
const body = "0".repeat(32)

describe("crc32", () => {
  it.each([
    ["", 0],
    ["123456789", 0xcbf43926],
    ["a", 0xe8b7be43],
    ["The quick brown fox jumps over the lazy dog", 0x414fa339]
  ] as const)("of %j", (text, checksum) => assert.strictEqual(crc32(text), checksum))
})

describe("ApiKey", () => {
  it("is mfg_, 32 base62 characters, and their CRC-32 in 6 more", () => {
    fc.assert(
      fc.property(keys, (key) => {
        const [, body, checksum] = /^mfg_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/.exec(key)!
        const value = [...checksum!].reduce((sum, digit) => sum * 62 + base62.indexOf(digit), 0)
        assert.strictEqual(value, crc32(body!))
        assert.strictEqual(key.length, ApiKey.length)
      })
    )
  })

  it("pads with zeros, most significant digit first", () => {
    const padded = "0000000000000000000000000Body208"
    assert.deepStrictEqual(Either.map(ApiKey.make(padded), String), Either.right(`mfg_${padded}003n9s`))
    assert.strictEqual(ApiKey.fromRandom(new Uint8Array(32)), `mfg_${body}2wjyrI`)
    assert.strictEqual(ApiKey.fromRandom(Uint8Array.of(...new Uint8Array(31), 61)).slice(4, 36), "0".repeat(31) + "z")
    assert.strictEqual(ApiKey.fromRandom(Uint8Array.of(...new Uint8Array(31), 62)).slice(4, 36), "0".repeat(30) + "10")
  })

  it("accepts a key only with its own checksum", () => {
    fc.assert(
      fc.property(keys, fc.nat(ApiKey.length - 5), fc.constantFrom(...base62), (key, offset, character) => {
        assert.deepStrictEqual(ApiKey.check(key), Either.right(key))
        const index = 4 + offset
        fc.pre(key[index] !== character)
        const changed = key.slice(0, index) + character + key.slice(index + 1)
        assert.deepStrictEqual(ApiKey.check(changed), Either.left(ApiKey.Flaw.WrongChecksum()))
      }),
      { numRuns: 500 }
    )
  })

  it("detects any swap of two neighbours in the body", () => {
    fc.assert(
      fc.property(keys, fc.integer({ min: 4, max: 34 }), (key, index) => {
        fc.pre(key[index] !== key[index + 1])
        const swapped = key.slice(0, index) + key[index + 1] + key[index] + key.slice(index + 2)
        assert.deepStrictEqual(ApiKey.check(swapped), Either.left(ApiKey.Flaw.WrongChecksum()))
      })
    )
  })

  const good = Either.getOrThrow(ApiKey.make(body))

  it.each([
    ["", ApiKey.Flaw.WrongPrefix()],
    [`MFG_${good.slice(4)}`, ApiKey.Flaw.WrongPrefix()],
    [` ${good}`, ApiKey.Flaw.WrongPrefix()],
    ["mfg_", ApiKey.Flaw.WrongLength({ actual: 4 })],
    [good.slice(0, -1), ApiKey.Flaw.WrongLength({ actual: 41 })],
    [`${good}0`, ApiKey.Flaw.WrongLength({ actual: 43 })],
    [`mfg_-${good.slice(5)}`, ApiKey.Flaw.WrongCharacter({ index: 4 })],
    [`${good.slice(0, -1)}é`, ApiKey.Flaw.WrongCharacter({ index: 41 })],
    [`${good.slice(0, -1)}0`, ApiKey.Flaw.WrongChecksum()]
  ] as const)("refuses %j", (text, flaw) => assert.deepStrictEqual(ApiKey.check(text), Either.left(flaw)))

  it("makes a key from a body, or fails with the flaw of the body", () => {
    assert.deepStrictEqual(ApiKey.check(good), Either.right(good))
    assert.deepStrictEqual(ApiKey.make(`${body}0`), Either.left(ApiKey.Flaw.WrongLength({ actual: 43 })))
    assert.deepStrictEqual(ApiKey.make(`_${body.slice(1)}`), Either.left(ApiKey.Flaw.WrongCharacter({ index: 4 })))
  })

  it("rejects fewer than 32 random bytes", () => {
    assert.throws(() => ApiKey.fromRandom(new Uint8Array(31)), RangeError)
  })

  it("explains a decode error without repeating the text", () => {
    const decode = Schema.decodeUnknownEither(Schema.Struct({ key: ApiKey.ApiKey }))
    assert.isTrue(Either.isRight(decode({ key: good })))
    for (const text of ["secret", `mfg_${"s".repeat(38)}`, `mfg_${"s".repeat(37)}`, `mfg_${"s".repeat(37)}-`, 1]) {
      const error = Either.getOrThrow(Either.flip(decode({ key: text })))
      const message = ParseResult.TreeFormatter.formatErrorSync(error)
      assert.notInclude(message, "sss")
      assert.notInclude(message, "secret")
      assert.include(
        message,
        typeof text === "number"
          ? "Invalid API key: expected a string"
          : ApiKey.explain(Either.getOrThrow(Either.flip(ApiKey.check(text))))
      )
    }
  })

  it("generates valid keys", () => {
    fc.assert(fc.property(Arbitrary.make(ApiKey.ApiKey), (key) => assert.isTrue(Either.isRight(ApiKey.check(key)))))
  })

  it("has a JSON Schema with a pattern that keys match", () => {
    const { pattern } = JSONSchema.make(ApiKey.ApiKey).$defs!.ApiKey as JSONSchema.JsonSchema7String
    assert.match(good, new RegExp(pattern!))
    assert.notMatch(`${good}0`, new RegExp(pattern!))
  })
})
