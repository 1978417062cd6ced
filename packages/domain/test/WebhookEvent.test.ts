import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import * as JSONSchema from "effect/JSONSchema"
import * as Schema from "effect/Schema"
import * as Catalogue from "../src/Catalogue.ts"
import * as Column from "../src/Column.ts"
import type * as Resource from "../src/Resource.ts"
import { Holiday } from "../src/resources/Holiday.ts"
import { OauthCode } from "../src/resources/OauthCode.ts"
import { WarehouseTransfer } from "../src/resources/WarehouseTransfer.ts"
import * as WebhookEvent from "../src/WebhookEvent.ts"

const holiday = {
  id: "hol_1",
  createdBy: "u1",
  createdAt: "2026-01-01T00:00:00Z",
  updatedBy: null,
  name: "New Year",
  date: "2027-01-01",
  year: 2027,
  companyId: "co1",
  customFields: null,
  tags: null
}
const inserted = {
  type: "INSERT",
  table: "holiday",
  companyId: "co1",
  eventId: "e1",
  timestamp: "2026-05-01T12:00:00.000Z",
  record: holiday
}
const updated = { ...inserted, type: "UPDATE", old: { ...holiday, name: "New Year's Day" } }
const code = {
  id: "ocod_1",
  createdAt: "2026-01-01T00:00:00Z",
  code: null,
  clientId: "c1",
  userId: "u1",
  companyId: "co1",
  redirectUri: "https://example.com/back",
  expiresAt: "2026-01-01T00:10:00Z",
  codeChallenge: null,
  codeChallengeMethod: null,
  scope: null
}

const read = (body: unknown) => Either.getOrThrow(WebhookEvent.decode(body))
const refusal = (body: unknown) => Either.getOrThrow(Either.flip(WebhookEvent.decode(body))).message
const without = (body: Readonly<Record<string, unknown>>, key: string) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== key))

const resources: ReadonlyArray<Resource.Any> = Catalogue.resources

describe("WebhookEvent", () => {
  it("decodes an insert, an update with the old row, and a delete", () => {
    assert.deepStrictEqual<unknown>(read(inserted), { _tag: "Served", resource: Holiday, ...inserted })
    assert.deepStrictEqual<unknown>(read(updated), { _tag: "Served", resource: Holiday, ...updated })
    const deleted = { ...inserted, type: "DELETE" }
    assert.deepStrictEqual<unknown>(read(deleted), { _tag: "Served", resource: Holiday, ...deleted })
  })

  it.each(resources.map((resource) => [resource.resource, resource] as const))(
    "reads any change of %s",
    (table, resource) => {
      const row = Arbitrary.make(WebhookEvent.rowSchema(resource))
      fc.assert(
        fc.property(row, row, fc.constantFrom("INSERT", "UPDATE", "DELETE"), (record, old, type) => {
          const body = {
            type,
            table,
            companyId: "co1",
            eventId: "e1",
            timestamp: "2026-05-01T12:00:00.000Z",
            record,
            ...(type === "UPDATE" ? { old } : {})
          }
          const event = read(JSON.parse(JSON.stringify(body)))
          assert.deepStrictEqual<unknown>(event, { _tag: "Served", resource, ...body })
        }),
        { numRuns: 5 }
      )
    }
  )

  it("returns an event of another table unchanged", () => {
    const body = { ...updated, table: "purchaseOrder", record: { id: 1, lines: [{}] }, old: {} }
    assert.deepStrictEqual<unknown>(read(body), { _tag: "Unserved", ...body })
  })

  it.each(["constructor", "__proto__", "Holiday"])("does not find a resource for the table %s", (table) =>
    assert.strictEqual(read({ ...inserted, table })._tag, "Unserved")
  )

  it.each(["type", "table", "companyId", "eventId", "timestamp", "record", "old"])("requires %s", (key) => {
    assert.include(refusal(without(updated, key)), `WebhookEvent.${key}: expected`)
    assert.include(refusal({ ...updated, [key]: null }), `WebhookEvent.${key}: expected`)
  })

  it("has an old row only in updates", () => {
    assert.notProperty(read({ ...updated, type: "INSERT" }), "old")
    assert.notProperty(read({ ...updated, type: "DELETE" }), "old")
  })

  it("rejects other types, and values that are not objects", () => {
    assert.match(refusal({ ...inserted, type: "TRUNCATE" }), /^WebhookEvent\.type: expected "INSERT".*got "TRUNCATE"$/)
    assert.match(refusal({ ...inserted, record: [] }), /^WebhookEvent\.record: expected an object, got an array$/)
    assert.include(
      refusal({ ...inserted, table: "purchaseOrder", record: { a: ["\u0000"] } }),
      "WebhookEvent.record.a.0"
    )
    for (const body of [null, "text", 1]) assert.include(refusal(body), "WebhookEvent: expected")
    for (const body of [[], [inserted]]) assert.include(refusal(body), "got nothing")
  })

  it("names the resource and the field of an invalid row", () => {
    assert.include(refusal({ ...inserted, record: { ...holiday, date: "2027-02-30" } }), "holiday.date: expected")
    assert.include(refusal({ ...updated, old: without(holiday, "name") }), "holiday.name: expected")
  })

  it("removes unknown fields", () => {
    const event = read({ ...inserted, record: { ...holiday, colour: "red" }, attempt: 2 })
    assert.deepStrictEqual<unknown>(event, { _tag: "Served", resource: Holiday, ...inserted })
  })

  it("accepts null for exactly the sensitive columns, also where rows require them", () => {
    const widened = resources.flatMap((resource) =>
      Column.fromResource(resource).flatMap(({ name, nullable, sensitive }) => {
        const field = Schema.decodeUnknownEither(
          Schema.Struct({ [name]: fieldOf(WebhookEvent.rowSchema(resource), name) })
        )
        const mayBeNull = Either.isRight(field({ [name]: null }))
        assert.strictEqual(mayBeNull, nullable || sensitive, `${resource.resource}.${name}`)
        return mayBeNull && !nullable ? [`${resource.resource}.${name}`] : []
      })
    )
    assert.deepStrictEqual(widened, ["oauthCode.code"])
    const sensitive = resources.flatMap((resource) =>
      Column.fromResource(resource).flatMap(({ name, sensitive }) =>
        sensitive ? [`${resource.resource}.${name}`] : []
      )
    )
    assert.sameMembers(sensitive, ["oauthCode.code", "oauthClient.clientSecret"])
  })

  it("decodes a withheld code, and never prints a code", () => {
    const body = { ...inserted, table: "oauthCode", record: code }
    assert.deepStrictEqual<unknown>(read(body), { _tag: "Served", resource: OauthCode, ...body })
    assert.notInclude(refusal({ ...body, record: { ...code, code: { hidden: "s3cr3t" } } }), "s3cr3t")
    const flawed = refusal({ ...body, record: { ...code, code: "s3cr3t\u0000" } })
    assert.match(flawed, /^oauthCode\.code: expected text without U\+0000/)
    assert.notInclude(flawed, "s3cr3t")
  })

  it("narrows an event to its resource", () => {
    const event = read(updated)
    assert.isTrue(WebhookEvent.isOf(Holiday)(event))
    assert.isFalse(WebhookEvent.isOf(WarehouseTransfer)(event))
    assert.isFalse(WebhookEvent.isOf(Holiday)(read({ ...inserted, table: "purchaseOrder" })))
  })

  it("names the headers of Standard Webhooks", () => {
    assert.deepStrictEqual(Object.values(WebhookEvent.headers), [
      "webhook-id",
      "webhook-timestamp",
      "webhook-signature"
    ])
  })

  it("has a JSON Schema in which only updates require the old row", () => {
    const { anyOf } = JSONSchema.make(WebhookEvent.Body, { target: "jsonSchema2020-12" }).$defs![
      "WebhookEvent"
    ] as JSONSchema.JsonSchema7AnyOf
    const required = anyOf.map((body) => (body as JSONSchema.JsonSchema7Object).required)
    const always = ["type", "table", "companyId", "eventId", "timestamp", "record"]
    assert.deepStrictEqual(required, [always, [...always, "old"], always])
  })

  it("keeps an event whose row does not match its type, with the row as it came, for callers that ask for it", () => {
    const body = { ...updated, old: { ...holiday, year: "2027", shade: "red" } }
    const event = Either.getOrThrow(WebhookEvent.decodeAny(body))
    if (event._tag !== "Invalid" || event.type !== "UPDATE") return assert.fail(event._tag)
    assert.strictEqual(event.error.message, 'holiday.year: expected a number or null, got "2027"')
    assert.deepInclude(event.old, { year: "2027", shade: "red" })
    assert.strictEqual(event.table, "holiday")
    assert.deepStrictEqual(Either.flip(WebhookEvent.decode(body)), Either.right(event.error))
    assert.isTrue(Either.isLeft(WebhookEvent.decodeAny({ ...body, type: "TRUNCATE" })))
  })
})

/** The schema of one field of a struct. */
const fieldOf = (schema: Schema.Schema<unknown, unknown>, name: string) =>
  (
    schema as Schema.Schema<unknown, unknown> & {
      readonly fields: Readonly<Record<string, Schema.Schema.AnyNoContext>>
    }
  ).fields[name]!
