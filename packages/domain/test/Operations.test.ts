import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import * as JSONSchema from "effect/JSONSchema"
import * as Schema from "effect/Schema"
import * as Account from "../src/Account.ts"
import * as Attribute from "../src/Attribute.ts"
import * as Operations from "../src/Operations.ts"
import { extensions, operations, samples, shapes } from "./fixtures/shapes.ts"

type Schemas = { readonly [Shape in keyof typeof shapes]: Schema.Schema.AnyNoContext & { readonly fields: object } }

const schemas: Schemas = {
  Category: Attribute.Category,
  UserAttribute: Attribute.UserAttribute,
  DataType: Attribute.DataType,
  AttributeValue: Attribute.AttributeValue,
  NotificationPreference: Account.NotificationPreference,
  Account: Account.Account,
  CurrentUser: Account.CurrentUser,
  NotificationPreferences: Operations.NotificationPreferences,
  Categories: Operations.Categories,
  AttributeValueReference: Operations.AttributeValueReference
}

/** One value of each JSON type; none of them is of a shape. */
const probes = { string: "x", number: 0, boolean: false, null: null, array: [0], object: {} }

const accepts = (schema: Schema.Schema.AnyNoContext, value: unknown) =>
  Either.isRight(Schema.decodeUnknownEither(schema)(value))

const without = (object: Readonly<Record<string, unknown>>, key: string) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== key))

/** Holds a schema to a transcription, key by key: which JSON types it takes there, and whether the key may be absent. */
const holds = (
  schema: Schema.Schema.AnyNoContext,
  transcription: Readonly<Record<string, string>>,
  sample: Readonly<Record<string, unknown>>
) => {
  assert.sameMembers(Object.keys(sample), Object.keys(transcription))
  assert.isTrue(accepts(schema, sample), "the sample itself")
  for (const [key, text] of Object.entries(transcription)) {
    const types = text.replace(/\?$/, "").split("|")
    assert.strictEqual(accepts(schema, without(sample, key)), text.endsWith("?"), `${key} absent`)
    for (const [type, probe] of Object.entries(probes)) {
      const expected = types.includes("any") || types.includes(type)
      assert.strictEqual(accepts(schema, { ...sample, [key]: probe }), expected, `${key}: ${JSON.stringify(probe)}`)
    }
    if (types.some((type) => type.startsWith("["))) {
      assert.isTrue(accepts(schema, { ...sample, [key]: [] }), `${key}: []`)
      assert.isFalse(accepts(schema, { ...sample, [key]: [null] }), `${key}: [null]`)
    }
  }
}

const names = Object.keys(shapes) as ReadonlyArray<keyof typeof shapes>

describe("the schemas of the operation interface", () => {
  it.each(names)("%s has the keys of the contract", (name) => {
    assert.sameMembers(Object.keys(schemas[name].fields), Object.keys(shapes[name]))
    holds(schemas[name], shapes[name], samples[name] as Readonly<Record<string, unknown>>)
  })

  it.each(names)("%s decodes absent keys as null, and encodes every key", (name) => {
    const optional = Object.entries(shapes[name]).flatMap(([key, text]) => (text.endsWith("?") ? [key] : []))
    const sparse = optional.reduce(without, samples[name] as Readonly<Record<string, unknown>>)
    const read = Schema.decodeUnknownSync(schemas[name])(sparse)
    assert.deepStrictEqual(read, { ...sparse, ...Object.fromEntries(optional.map((key) => [key, null])) })
    assert.sameMembers(Object.keys(Schema.encodeSync(schemas[name])(read)), Object.keys(shapes[name]))
  })

  it("removes unknown fields", () => {
    const read = Schema.decodeUnknownSync(Account.CurrentUser)({ ...(samples.CurrentUser as object), shoeSize: 43 })
    assert.deepStrictEqual(read, samples.CurrentUser as Account.CurrentUser)
  })

  it("accepts any JSON value for flags", () => {
    for (const flags of ["a", 1, true, { a: [null] }, [1, "b"], null]) {
      assert.isTrue(accepts(Account.Account, { ...(samples.Account as object), flags }))
    }
  })

  it("accepts unknown channels and topics in responses, and only known channels in requests", () => {
    const preference = { topic: "shipping", channel: "pager", enabled: true }
    assert.isTrue(accepts(Account.NotificationPreference, preference))
    const { request } = Operations.account.upsertNotificationPreference
    assert.isFalse(accepts(request, preference))
    for (const channel of Account.NotificationChannel.known) {
      assert.isTrue(accepts(request, { ...preference, channel }), channel)
    }
    assert.sameMembers([...Account.NotificationChannel.known], ["email", "slack"])
  })
})

const sampleOf = (name: string, text: string): unknown =>
  ({ channel: "email", type: "text", avatarUrl: "https://pictures.example/o.png" })[name] ??
  probes[text.split(/[|?]/)[0] as keyof typeof probes]

describe("Operations", () => {
  it("are the nine of the contract and four extensions, under /account/<operation>", () => {
    assert.deepStrictEqual(
      Operations.all.map(({ id, path, name, extension }) => ({ id, path, name, extension })),
      [...operations, ...extensions].map((transcribed) => {
        const name = transcribed.id.slice("account.".length)
        return { id: transcribed.id, path: `/account/${name}`, name, extension: extensions.includes(transcribed) }
      })
    )
  })

  const both = [...operations, ...extensions].map((transcribed) => {
    const operation = Operations.all.find(({ id }) => id === transcribed.id)!
    return [transcribed.id, operation, transcribed] as const
  })

  it.each(both)("%s requires its parameters", (_, operation, { parameters }) => {
    assert.sameMembers(Object.keys(operation.parameters), Object.keys(parameters))
    const sample = Object.fromEntries(Object.entries(parameters).map(([name, text]) => [name, sampleOf(name, text)]))
    assert.isTrue(accepts(operation.request, sample))
    assert.isTrue(accepts(operation.request, { ...sample, unknownKey: 1 }), "an unknown key has no effect")
    for (const value of [null, "", 0, true, [], [sample]]) assert.isFalse(accepts(operation.request, value))
    for (const [name, text] of Object.entries(parameters)) {
      const types = text.replace(/\?$/, "").split("|")
      assert.strictEqual(accepts(operation.request, without(sample, name)), text.endsWith("?"), `${name} absent`)
      for (const [type, probe] of Object.entries(probes)) {
        const closed = type === "string" && ["channel", "type", "avatarUrl"].includes(name)
        const expected = types.includes(type) && !closed
        assert.strictEqual(accepts(operation.request, { ...sample, [name]: probe }), expected, `${name}: ${type}`)
      }
    }
  })

  it.each(both)("%s has the response of the contract", (_, operation, { response }) => {
    assert.strictEqual<unknown>(operation.response, response === "null" ? Schema.Null : schemas[response])
  })

  it("encode and decode every request and response as JSON", () => {
    for (const schema of new Set(Operations.all.flatMap(({ request, response }) => [request, response]))) {
      const through = Schema.parseJson(schema)
      fc.assert(
        fc.property(Arbitrary.make(schema), (value) => {
          assert.deepStrictEqual(Schema.decodeSync(through)(Schema.encodeSync(through)(value)), value)
        }),
        { numRuns: 30 }
      )
    }
  })

  it.each(both)("%s has JSON Schemas, with an object for its request", (_, operation, { parameters, response }) => {
    const request = JSONSchema.make(operation.request, { target: "jsonSchema2020-12" })
    const object = Object.values(request.$defs ?? { request })[0] as JSONSchema.JsonSchema7Object
    assert.strictEqual(object.type, "object")
    assert.sameMembers(Object.keys(object.properties), Object.keys(parameters))
    assert.sameMembers(
      object.required ?? [],
      Object.keys(parameters).filter((name) => !parameters[name]!.endsWith("?"))
    )
    const answer = JSONSchema.make(operation.response, { target: "jsonSchema2020-12" })
    if (response === "null") assert.include(answer, { type: "null" })
    else assert.containsAllKeys(answer.$defs, [response])
  })

  it("adds the error codes of an operation to those of all", () => {
    const own = Operations.all.filter(({ errorCodes }) => errorCodes.includes("NOT_FOUND")).map(({ name }) => name)
    assert.sameMembers(own, [
      "getAccount",
      "getAttributeCategoryWithValues",
      "updatePublicAccount",
      "upsertUserAttributeValue"
    ])
    for (const { errorCodes } of Operations.all) assert.includeMembers([...errorCodes], ["BAD_REQUEST", "UNAUTHORIZED"])
  })

  it("has the schema and the column of every type of value", () => {
    assert.sameMembers(
      Object.entries(Attribute.valueTypes).map(([type, { column }]) => `${type} ${column}`),
      [
        "boolean valueBoolean",
        "date valueDate",
        "list valueText",
        "numeric valueNumeric",
        "text valueText",
        "user valueUser",
        "customer valueText",
        "supplier valueText",
        "file valueFile"
      ]
    )
    for (const [type, { column, value }] of Object.entries(Attribute.valueTypes)) {
      assert.isTrue(accepts(Attribute.ValueType, type))
      const sample = (samples.AttributeValue as Readonly<Record<string, unknown>>)[column]
      assert.isTrue(accepts(value, sample), type)
      assert.isFalse(accepts(value, null), type)
    }
    assert.isFalse(accepts(Attribute.ValueType, "colour"))
    assert.isFalse(accepts(Attribute.valueTypes.date.value, "2026-02-30"))
  })
})
