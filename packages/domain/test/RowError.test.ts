import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import * as JSONSchema from "effect/JSONSchema"
import * as Schema from "effect/Schema"
import * as RowError from "../src/RowError.ts"

const body = {
  code: "23505",
  message: "duplicate key value violates unique constraint",
  details: "Key (id)=(t1) already exists.",
  hint: null
}
const decode = Schema.decodeUnknownEither(RowError.RowError)

describe("RowError", () => {
  it("requires all four keys", () => {
    assert.deepStrictEqual(Either.getOrThrow(decode(body)), body)
    for (const key of Object.keys(body)) {
      const fewer = Object.fromEntries(Object.entries(body).filter(([name]) => name !== key))
      assert.isTrue(Either.isLeft(decode(fewer)), key)
    }
  })

  it("accepts null for details and hint", () => {
    const nullable = Object.keys(body).filter((key) => Either.isRight(decode({ ...body, [key]: null })))
    assert.deepStrictEqual(nullable, ["details", "hint"])
  })

  it("accepts the candidates of PGRST201 as details", () => {
    const details = [{ cardinality: "many-to-one", embedding: "a with b", relationship: "a_b_fkey" }]
    assert.deepStrictEqual(Either.getOrThrow(decode({ ...body, code: "PGRST201", details })).details, details)
  })

  it("accepts unknown codes", () => {
    assert.strictEqual(Either.getOrThrow(decode({ ...body, code: "PGRST999" })).code, "PGRST999")
    assert.isTrue(Either.isLeft(decode({ ...body, code: "" })))
  })

  it("lists the codes of PostgREST and PostgreSQL with their meanings", () => {
    assert.deepStrictEqual([...RowError.Code.known], Object.keys(RowError.meanings))
    for (const [code, meaning] of Object.entries(RowError.meanings)) {
      assert.match(code, /^(PGRST\d{3}|[0-9A-Z]{5})$/)
      assert.match(meaning, /^[A-Za-z].+[^.]$/, code)
    }
    const unique: keyof typeof RowError.meanings = "23505"
    // @ts-expect-error -- not a known code
    const unknown: keyof typeof RowError.meanings = "23500"
    assert.isTrue(unique in RowError.meanings && !(unknown in RowError.meanings))
  })

  it("survives a round trip through JSON", () => {
    const through = Schema.parseJson(RowError.RowError)
    fc.assert(
      fc.property(Arbitrary.make(RowError.RowError), (error) => {
        assert.deepStrictEqual(Schema.decodeSync(through)(Schema.encodeSync(through)(error)), error)
      }),
      { numRuns: 30 }
    )
  })

  it("has a JSON Schema that requires the four keys", () => {
    const { required } = JSONSchema.make(RowError.RowError).$defs!["RowError"] as JSONSchema.JsonSchema7Object
    assert.deepStrictEqual(required, ["code", "message", "details", "hint"])
  })
})
