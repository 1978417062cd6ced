import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import * as formats from "ajv-formats"
import * as JSONSchema from "effect/JSONSchema"
import * as Schema from "effect/Schema"
import * as Catalogue from "../src/Catalogue.ts"
import * as Resource from "../src/Resource.ts"
import { Holiday } from "../src/resources/Holiday.ts"
import { sample } from "./fixtures/generated.ts"

const resources: ReadonlyArray<Resource.Any> = Catalogue.resources

const ajv = new Ajv2020({ strict: true, allErrors: true })
formats.default.default(ajv)

describe("every resource", () => {
  for (const resource of resources) {
    const schemas = [
      Resource.rowSchema(resource),
      Resource.createSchema(resource),
      Resource.updateSchema(resource)
    ] as const

    it(`${resource.resource}: decoding and encoding returns the same JSON`, () => {
      for (const schema of schemas) {
        for (const value of sample(schema, 20)) {
          const wire: unknown = JSON.parse(JSON.stringify(Schema.encodeSync(schema)(value)))
          assert.deepStrictEqual(Schema.decodeUnknownSync(schema)(wire), value)
        }
      }
    })

    it(`${resource.resource}: its JSON Schema is valid and accepts 200 rows`, () => {
      for (const schema of schemas) {
        const count = schema === schemas[0] ? 200 : 20
        const document = JSONSchema.make(schema, { target: "jsonSchema2020-12" })
        const validate = ajv.compile(document)
        for (const value of sample(schema, count)) assert.isTrue(validate(value), ajv.errorsText(validate.errors))
        assert.isFalse(validate([]))
        assert.isFalse(validate({ [resource.key]: 1 }))
      }
    })
  }
})

describe("Resource.make", () => {
  const fields = (schema: { readonly fields: object }): ReadonlyArray<string> => Object.keys(schema.fields)

  it("has every field in a row, and the writable ones in a create and an update", () => {
    const writable = ["name", "date", "companyId", "year", "customFields", "tags"]
    assert.deepStrictEqual(fields(Holiday.Row), ["id", "createdBy", "createdAt", "updatedBy", ...writable])
    assert.deepStrictEqual(fields(Holiday.Create), writable)
    assert.deepStrictEqual(fields(Holiday.Update), writable)
  })

  it("distinguishes absent from null: null clears an optional field, and is invalid for a required one", () => {
    const update = Schema.decodeUnknownEither(Holiday.Update)
    assert.deepStrictEqual(Schema.decodeUnknownSync(Holiday.Update)({}), {})
    assert.deepStrictEqual(Schema.decodeUnknownSync(Holiday.Update)({ tags: null }), { tags: null })
    assert.strictEqual(update({ name: null })._tag, "Left")
    assert.strictEqual(update({ tags: undefined })._tag, "Left")
  })

  it("has defaults for the common columns that a create can leave out", () => {
    assert.deepStrictEqual(Holiday.rules.defaults, {
      id: { _tag: "NewId" },
      createdBy: { _tag: "Creator" },
      createdAt: { _tag: "CreatedAt" },
      updatedBy: { _tag: "Updater" },
      year: { _tag: "YearOf", column: "date" }
    })
  })
})

describe("Resource.pick", () => {
  it("is the row with some of its columns", () => {
    const schema = Resource.pick(Holiday, ["id", "date"])
    assert.deepStrictEqual(Object.keys(Schema.decodeUnknownSync(schema)({ id: "1", date: "2026-01-01", name: 5 })), [
      "id",
      "date"
    ])
    assert.throws(() => Schema.decodeUnknownSync(schema)({ id: "1" }))
  })
})
