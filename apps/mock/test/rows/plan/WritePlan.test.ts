import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import * as Decoder from "@mfgdata/domain/Decoder"
import * as Resource from "@mfgdata/domain/Resource"
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as RowErrorBody from "../../../src/rows/RowErrorBody.ts"
import { type Asking, companyId, now, otherCompany, outcome, plan, userId } from "./plan.ts"
import { holiday, inserted, refused, code } from "./writes.ts"

describe("create", () => {
  it("fills all columns of a row, in their order", () => {
    const [row] = inserted("holiday", { body: holiday })
    assert.deepStrictEqual(row, {
      id: "id-1",
      createdBy: userId,
      createdAt: now,
      updatedBy: null,
      name: "May Day",
      date: "2026-05-01",
      companyId,
      year: null,
      customFields: null,
      tags: null
    })
    assert.deepStrictEqual(
      Object.keys(row ?? {}),
      Column.fromResource(Catalogue.byName.holiday).map(({ name }) => name)
    )
  })

  it("sets a company that is absent or empty, and under the public rules one that is null", () => {
    const client = {
      name: "a",
      clientId: "c",
      redirectUris: [],
      grantTypes: [],
      responseTypes: [],
      tokenEndpointAuthMethod: "none"
    }
    for (const body of [client, { ...client, companyId }]) {
      assert.strictEqual(inserted("oauthClient", { body })[0]?.["companyId"], companyId)
    }
    const body = { ...client, companyId: null }
    assert.isNull(inserted("oauthClient", { body })[0]?.["companyId"])
    assert.strictEqual(inserted("oauthClient", { body, rules: "public" })[0]?.["companyId"], companyId)
    assert.strictEqual(
      inserted("changeOrderRequiredAction", { body: { name: "a", active: true } })[0]?.["companyId"],
      companyId
    )
  })

  it("derives the year of a holiday under the public rules, unless the body has one", () => {
    assert.strictEqual(inserted("holiday", { body: holiday, rules: "public" })[0]?.["year"], 2026)
    assert.strictEqual(inserted("holiday", { body: { ...holiday, year: 1999 } })[0]?.["year"], 1999)
    assert.strictEqual(inserted("holiday", { body: { ...holiday, year: null } })[0]?.["year"], null)
  })

  it("sets both keys of a tracked output, and the user of a favourite", () => {
    const [output] = inserted("trackedActivityOutput", { body: { quantity: 1, companyId } })
    assert.deepStrictEqual([output?.["trackedActivityId"], output?.["trackedEntityId"]], ["id-1", "id-2"])
    const [favorite] = inserted("salesOrderFavorite", { body: { salesOrderId: "so-1" } })
    assert.deepStrictEqual(favorite, { userId, salesOrderId: "so-1" })
  })

  it("makes keys from names that differ from existing keys and from each other", () => {
    const body = ["Sales Order", "sales-order", "Öl & Gas 2", "!?"].map((name) => ({ module: "Sales", name }))
    const keys = inserted("webhookTable", { body, taken: new Set(["salesOrder2"]) }).map((row) => row["table"])
    assert.deepStrictEqual(keys, ["salesOrder", "salesOrder3", "ölGas2", "table"])
  })

  it("keeps timestamps as they were sent", () => {
    const body = {
      code: "c",
      clientId: "c",
      userId: "u",
      companyId,
      redirectUri: "r",
      expiresAt: "2026-01-01T02:00:00.500000+02:00"
    }
    assert.strictEqual(inserted("oauthCode", { body })[0]?.["expiresAt"], "2026-01-01T02:00:00.500000+02:00")
  })

  it("sets one timestamp and distinct ids for several rows", () => {
    const rows = inserted("holiday", { body: [holiday, holiday] })
    assert.deepStrictEqual(
      rows.map((row) => [row["id"], row["createdAt"]]),
      [
        ["id-1", now],
        ["id-2", now]
      ]
    )
  })

  it("takes the listed columns only, with the default or null for an absent one", () => {
    const body = [{ ...holiday, year: 1, bogus: true }, holiday]
    const years = (prefer?: string, rules: "contract" | "public" = "public") =>
      inserted("holiday?columns=name,date,companyId,year", {
        body,
        rules,
        ...(prefer === undefined ? {} : { headers: { prefer } })
      }).map((row) => row["year"])
    assert.deepStrictEqual(years(), [1, null])
    assert.deepStrictEqual(years("missing=null"), [1, null])
    assert.deepStrictEqual(years("missing=default", "contract"), [1, null])
    assert.deepStrictEqual(years("missing=default", "public"), [1, 2026])
  })

  for (const [name, body, expected] of [
    ["an unknown field", { ...holiday, colour: 1 }, { _tag: "FieldUnknown", field: "colour", nearest: undefined }],
    ["a field almost known", { ...holiday, nmae: 1 }, { _tag: "FieldUnknown", field: "nmae", nearest: "name" }],
    ["a prototype", '{"__proto__":{"name":"a"}}', { _tag: "FieldUnknown", field: "__proto__" }],
    ["a hidden column", { ...holiday, _tenant: "a" }, { _tag: "FieldUnknown", field: "_tenant" }],
    ["the key", { ...holiday, id: "a" }, { _tag: "FieldSetByService", column: "id", writing: "insert" }],
    ["who created it", { ...holiday, createdBy: "another" }, { _tag: "FieldSetByService", column: "createdBy" }],
    [
      "a number as text",
      { ...holiday, year: "2026" },
      { _tag: "TypeMismatch", column: "year", expected: "a number or null", actual: '"2026"' }
    ],
    ["a text as number", { ...holiday, name: 1 }, { _tag: "TypeMismatch", column: "name", actual: "1" }],
    ["a list as object", { ...holiday, customFields: [] }, { _tag: "TypeMismatch", column: "customFields" }],
    ["an object as list", { ...holiday, tags: {} }, { _tag: "TypeMismatch", column: "tags" }],
    ["a flaw in a list", { ...holiday, tags: ["a", "\u0000"] }, { _tag: "TextFlawed", column: "tags" }],
    ["no date", { ...holiday, date: "soon" }, { _tag: "TextMalformed", problem: "syntax", type: "date" }],
    ["an impossible date", { ...holiday, date: "2026-02-30" }, { _tag: "TextMalformed", problem: "range" }],
    ["a moment for a day", { ...holiday, date: "2026-02-01T00:00:00Z" }, { _tag: "TextMalformed" }],
    ["a number for a day", { ...holiday, date: 20260201 }, { _tag: "TypeMismatch", column: "date" }],
    ["U+0000", { ...holiday, name: "a\u0000" }, { _tag: "TextFlawed", column: "name", flaw: "U+0000" }],
    ["a lone surrogate", { ...holiday, name: "\ud800" }, { _tag: "TextFlawed", flaw: "a lone surrogate" }],
    ["U+0000 in a list", { ...holiday, tags: ["\u0000"] }, { _tag: "TextFlawed", column: "tags" }],
    [
      "U+0000 in an object",
      { ...holiday, customFields: { a: ["\u0000"] } },
      { _tag: "TextFlawed", column: "customFields" }
    ],
    ["U+0000 in a key", { ...holiday, customFields: { "\u0000": 1 } }, { _tag: "TextFlawed", column: "customFields" }],
    ["nothing", {}, { _tag: "RequiredMissing", columns: ["name", "date", "companyId"] }],
    ["null", { ...holiday, name: null, date: null }, { _tag: "RequiredMissing", columns: ["name", "date"] }],
    [
      "a second row that is not whole",
      [holiday, { ...holiday, name: null }],
      { _tag: "RequiredMissing", columns: ["name"] }
    ]
  ] as const) {
    it(`refuses ${name}`, () => assert.deepInclude(refused("POST", "holiday", { body }), expected))
  }

  it("refuses JSON that is nested too deeply", () => {
    const customFields = `${'{"a":'.repeat(2000)}1${"}".repeat(2000)}`
    const body = `{"name":"a","date":"2026-01-01","companyId":"${companyId}","customFields":${customFields}}`
    assert.strictEqual(code("POST", "holiday", { body }), "54000")
  })

  it("refuses a listed column that does not exist, and one that the service sets", () => {
    assert.strictEqual(code("POST", "holiday?columns=name,foo", { body: holiday }), "PGRST204")
    assert.strictEqual(code("POST", "holiday?columns=name,id", { body: holiday }), "428C9")
  })

  it("accepts any company as a counterparty", () => {
    const body = {
      journalId: "j",
      amount: 1,
      quantity: 1,
      journalLineReference: "r",
      accrual: false,
      companyId,
      intercompanyPartnerId: otherCompany
    }
    assert.strictEqual(inserted("journalLine", { body })[0]?.["intercompanyPartnerId"], otherCompany)
  })

  it("takes any company, and under the public rules only the caller's", () => {
    const body = { ...holiday, companyId: otherCompany }
    assert.strictEqual(inserted("holiday", { body })[0]?.["companyId"], otherCompany)
    assert.deepInclude(refused("POST", "holiday", { body, rules: "public" }), {
      _tag: "CompanyForeign",
      own: companyId
    })
  })

  it("closes vocabularies under the public rules", () => {
    const body = { salesOrderLineId: "l", type: "Gift", quantity: 1, companyId }
    assert.strictEqual(inserted("fulfillment", { body })[0]?.["type"], "Gift")
    assert.deepInclude(refused("POST", "fulfillment", { body, rules: "public" }), {
      _tag: "VocabularyValueUnknown",
      vocabulary: "fulfillmentType",
      known: ["Inventory", "Job"]
    })
  })

  it("requires the scope to create, and the scope to read for a returned row", () => {
    const scoped = (scopes: NonNullable<Asking["scopes"]>, prefer?: string) =>
      plan("POST", "holiday", { body: holiday, scopes, ...(prefer === undefined ? {} : { headers: { prefer } }) })
    assert.deepInclude(outcome(scoped(["holiday:read"])), { _tag: "ScopeMissing", action: "create" })
    assert.deepInclude(outcome(scoped(["holiday:create"])), { _tag: "ScopeMissing", action: "read" })
    assert.isTrue(Either.isRight(scoped(["holiday:create"], "return=minimal")))
    assert.deepInclude(outcome(scoped(["holiday:create", "holiday:read"], "resolution=merge-duplicates")), {
      _tag: "ScopeMissing",
      action: "update"
    })
  })

  it("keeps secrets out of error messages", () => {
    const client = { name: 1, clientSecret: 12345, clientId: "mfg_0123456789" }
    const messages = JSON.stringify(
      RowErrorBody.toResponse(refused("POST", "oauthClient", { body: { clientSecret: 12345 } }))
    )
    assert.notInclude(messages, "12345")
    assert.notInclude(
      JSON.stringify(RowErrorBody.toResponse(refused("POST", "oauthClient", { body: client }))),
      "12345"
    )
  })

  for (const resource of Catalogue.resources as ReadonlyArray<Resource.Any>) {
    it(`makes complete rows of ${resource.resource} from any valid body`, () => {
      const isRow = Decoder.row(resource)
      const company = "companyId" in resource.Create.fields ? { companyId } : {}
      FastCheck.assert(
        FastCheck.property(Arbitrary.make(Resource.createSchema(resource)), (given) => {
          const body = JSON.parse(JSON.stringify({ ...given, ...company }))
          const [row] = inserted(resource.resource, { body })
          assert.isTrue(Either.isRight(isRow(row)))
          for (const [name, value] of Object.entries(body)) {
            if (resource.columns[name] !== undefined && Column.byName(resource).get(name)?.type !== "timestamp") {
              assert.deepStrictEqual(row?.[name], value)
            }
          }
        }),
        { numRuns: 30 }
      )
    })

    it(`names every required field of ${resource.resource}`, () => {
      const required = Column.fromResource(resource).filter(({ write }) => write === "required")
      assert.deepInclude(refused("POST", resource.resource, { body: {} }), {
        _tag: "RequiredMissing",
        columns: required.map(({ name }) => name)
      })
    })

    it(`refuses each field of ${resource.resource} that the service sets`, () => {
      const set = Column.fromResource(resource).filter(({ write }) => write === "never")
      assert.deepStrictEqual(
        set.map(({ name }) => code("POST", resource.resource, { body: { [name]: "a" } })),
        set.map(() => "428C9")
      )
    })
  }
})
