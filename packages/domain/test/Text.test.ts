import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { NonEmpty, Text, TextArray, flaw } from "../src/Text.ts"
import { sample } from "./fixtures/generated.ts"

const refusal = <A, I>(schema: Schema.Schema<A, I>, value: unknown): string =>
  Either.match(Schema.decodeUnknownEither(schema)(value), { onLeft: String, onRight: () => "accepted" })

describe("Text", () => {
  it("is any text that both stores can keep", () => {
    for (const text of ["", "a", "ä漢🏭", "\u0001\n\t", "\ud83c\udfed", "\uffff"]) {
      assert.strictEqual(Schema.decodeUnknownSync(Text)(text), text)
    }
  })

  it("holds no U+0000 and no lone surrogate", () => {
    for (const [text, found] of [
      ["\u0000", "U+0000"],
      ["a\u0000b", "U+0000"],
      ["\ud83c", "a lone surrogate"],
      ["a\udfedb", "a lone surrogate"],
      ["\udfed\ud83c", "a lone surrogate"]
    ] as const) {
      assert.strictEqual(flaw(text), found)
      assert.include(refusal(Text, text), "Expected text without U+0000 or a lone surrogate")
      assert.include(refusal(NonEmpty, text), "Expected text without U+0000 or a lone surrogate")
      assert.notStrictEqual(refusal(TextArray, ["fine", text]), "accepted")
    }
  })

  it("is no other JSON value", () => {
    for (const value of [null, 1, true, {}, []]) assert.notStrictEqual(refusal(Text, value), "accepted")
  })

  it("generates more than ASCII, and nothing it refuses", () => {
    const texts = sample(Text, 500)
    assert.isTrue(texts.some((text) => (text.codePointAt(0) ?? 0) > 0xffff))
    assert.isTrue(texts.every((text) => flaw(text) === undefined))
  })
})

describe("NonEmpty", () => {
  it("has at least one character", () => {
    assert.include(refusal(NonEmpty, ""), "Expected non-empty text")
    assert.strictEqual(Schema.decodeUnknownSync(NonEmpty)(" "), " ")
  })
})
