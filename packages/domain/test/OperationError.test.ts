import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import * as JSONSchema from "effect/JSONSchema"
import * as Schema from "effect/Schema"
import * as OperationError from "../src/OperationError.ts"

const decode = Schema.decodeUnknownEither(OperationError.OperationError)
const codes = Object.keys(OperationError.statuses) as ReadonlyArray<OperationError.KnownCode>

describe("OperationError", () => {
  it("has a distinct status for every known code", () => {
    assert.strictEqual(OperationError.make("BAD_REQUEST", "Input validation failed").status, 400)
    assert.strictEqual(OperationError.make("TOO_MANY_REQUESTS", "Slow down").status, 429)
    const statuses = codes.map((code) => OperationError.make(code, "no").status)
    assert.strictEqual(new Set(statuses).size, codes.length)
    for (const status of statuses) assert.isTrue(status >= 400 && status < 600)
  })

  it("leaves out missing data", () => {
    assert.deepStrictEqual(OperationError.make("NOT_FOUND", "No such user"), {
      defined: false,
      code: "NOT_FOUND",
      status: 404,
      message: "No such user"
    })
    assert.deepStrictEqual(OperationError.make("CONFLICT", "Taken", null).data, null)
  })

  it("requires four keys that are not null", () => {
    const body = OperationError.make("FORBIDDEN", "No")
    for (const key of Object.keys(body)) {
      const fewer = Object.fromEntries(Object.entries(body).filter(([name]) => name !== key))
      assert.isTrue(Either.isLeft(decode(fewer)), `${key} absent`)
      assert.isTrue(Either.isLeft(decode({ ...body, [key]: null })), `${key} null`)
    }
  })

  it("accepts unknown codes", () => {
    const teapot = { defined: true, code: "TEAPOT", status: 418, message: "Short and stout" }
    assert.deepStrictEqual(Either.getOrThrow(decode(teapot)), teapot)
  })

  it("returns the issues of a BAD_REQUEST", () => {
    const issues = [
      { path: ["userAttributeId"], message: "is missing" },
      { path: ["rows", 3], message: "Expected string, actual 1" }
    ]
    const error = OperationError.make("BAD_REQUEST", "Input validation failed", { issues })
    assert.deepStrictEqual(OperationError.issues(Either.getOrThrow(decode(error))), issues)
  })

  it.each([undefined, null, "text", { issues: "many" }, { issues: [{ path: "id", message: "no" }] }, { supabase: {} }])(
    "finds no issues in %j",
    (data) => assert.deepStrictEqual(OperationError.issues(OperationError.make("BAD_REQUEST", "No", data)), [])
  )

  it("survives a round trip through JSON", () => {
    const through = Schema.parseJson(OperationError.OperationError)
    fc.assert(
      fc.property(Arbitrary.make(OperationError.OperationError), (error) => {
        assert.deepStrictEqual(Schema.decodeSync(through)(Schema.encodeSync(through)(error)), error)
      }),
      { numRuns: 30 }
    )
  })

  it("has a JSON Schema in which only data is optional", () => {
    const { required } = JSONSchema.make(OperationError.OperationError).$defs![
      "OperationError"
    ] as JSONSchema.JsonSchema7Object
    assert.deepStrictEqual(required, ["defined", "code", "status", "message"])
  })
})
