import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Vocabularies from "../src/Vocabularies.ts"
import * as Vocabulary from "../src/Vocabulary.ts"
import { contract, writable } from "@mfgdata/testing-contract"
import { sample } from "./fixtures/generated.ts"

const Colour = Vocabulary.make("colour", ["Red", "Dark Green"])
const decode = Schema.decodeUnknownEither(Colour)

describe("a vocabulary", () => {
  it("accepts its known words and any other text", () => {
    for (const text of ["Red", "Dark Green", "red", "Ultraviolet"])
      assert.deepStrictEqual(decode(text), Either.right(text))
  })

  it("rejects values that are not non-empty text", () => {
    for (const value of ["", "Red\u0000", 1, null, ["Red"]]) assert.isTrue(Either.isLeft(decode(value)))
  })

  it("has a closed schema of its known words", () => {
    const closed = Schema.decodeUnknownEither(Colour.Known)
    assert.deepStrictEqual(closed("Dark Green"), Either.right("Dark Green"))
    for (const value of ["red", "", null]) assert.isTrue(Either.isLeft(closed(value)))
  })

  it("generates known words and other text", () => {
    const values = sample(Colour, 200)
    assert.includeMembers([...values], ["Red", "Dark Green"])
    assert.isTrue(values.some((value) => !["Red", "Dark Green"].includes(value)))
  })
})

describe("Vocabularies", () => {
  it("are the nineteen of the contract", () => {
    const named = contract.flatMap(writable).flatMap(({ type }) => (type.startsWith("E:") ? [type.slice(2)] : []))
    const vocabularies = Object.values(Vocabularies)
    assert.lengthOf(vocabularies, 19)
    assert.sameMembers(
      vocabularies.map(({ vocabulary }) => vocabulary),
      [...new Set(named)]
    )
  })

  it("are exported under their names, without duplicate words", () => {
    for (const [name, { vocabulary, known }] of Object.entries(Vocabularies)) {
      assert.strictEqual(name, `${vocabulary.charAt(0).toUpperCase()}${vocabulary.slice(1)}`)
      assert.isNotEmpty(known)
      assert.strictEqual(new Set<string>(known).size, known.length)
    }
  })

  it("list the statuses of a warehouse transfer in order", () => {
    assert.deepStrictEqual(Vocabularies.WarehouseTransferStatus.known, [
      "Draft",
      "To Ship and Receive",
      "To Ship",
      "To Receive",
      "Completed",
      "Cancelled"
    ])
  })
})
