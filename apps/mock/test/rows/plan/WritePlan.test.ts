import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import * as Decoder from "@mfgdata/domain/Decoder"
import * as Resource from "@mfgdata/domain/Resource"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as RowErrorBody from "../../../src/rows/RowErrorBody.ts"
import type { RowPlan } from "../../../src/rows/plan/RowPlan.ts"
import { type Asking, companyId, now, otherCompany, outcome, plan, userId } from "./plan.ts"

const holiday = { name: "May Day", date: "2026-05-01", companyId }
const upserting = (headers: { readonly [name: string]: string } = {}): Asking => ({
  shape: "postgrest",
  headers: { prefer: "resolution=merge-duplicates", ...headers }
})

const planned = <Tag extends RowPlan["_tag"]>(tag: Tag, method: string, target: string, asking: Asking) => {
  const plan_ = Either.getOrThrow(plan(method, target, asking))
  if (plan_._tag !== tag) throw new Error(`a plan to ${plan_._tag}`)
  // The comparison above establishes the tag.
  return plan_ as Extract<RowPlan, { readonly _tag: Tag }>
}

const inserted = (target: string, asking: Asking) => planned("Insert", "POST", target, asking).rows
const set = (target: string, asking: Asking) => planned("Update", "PATCH", target, asking).set

const refused = (method: string, target: string, asking: Asking) => {
  const refusal = plan(method, target, asking)
  if (Either.isRight(refusal)) throw new Error(`a plan to ${refusal.right._tag}`)
  return refusal.left
}

const code = (method: string, target: string, asking: Asking): string => {
  const refusal = plan(method, target, asking)
  return Either.isLeft(refusal) ? RowErrorBody.make(refusal.left).code : "none"
}

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

describe("values in PostgREST's shape, CSV and forms", () => {
  const postgrest: Asking = { shape: "postgrest" }
  const term = {
    name: 30,
    daysDue: "30",
    daysDiscount: " 1e1 ",
    discountPercentage: "0.5",
    calculationMethod: "Net",
    active: "yes",
    companyId
  }

  it("are parsed as PostgreSQL parses them", () => {
    const [row] = inserted("paymentTerm", {
      ...postgrest,
      body: { ...term, tags: '{a,"b c"}', customFields: { a: 1 } }
    })
    assert.deepInclude(row, {
      name: "30",
      daysDue: 30,
      daysDiscount: 10,
      discountPercentage: 0.5,
      active: true,
      tags: ["a", "b c"],
      customFields: { a: 1 }
    })
    const body = { ...term, active: 1, tags: [1, true] }
    const read = (rules: RuleSet) => inserted("paymentTerm", { ...postgrest, rules, body })[0]
    assert.deepInclude(read("contract"), { active: true, tags: [1, true] })
    assert.deepInclude(read("public"), { active: true, tags: ["1", "true"] })
  })

  it("take arrays as JSON under the contract rules only", () => {
    const asking = { ...postgrest, body: { ...term, tags: '[1,{"x":null}]' } }
    assert.deepInclude(inserted("paymentTerm", asking)[0], { tags: [1, { x: null }] })
    assert.deepInclude(refused("POST", "paymentTerm", { ...asking, rules: "public" }), {
      _tag: "TextMalformed",
      type: "text[]"
    })
  })

  it("are the same in CSV and forms, in either shape", () => {
    const csv = `name,daysDue,daysDiscount,discountPercentage,calculationMethod,active,companyId,tags,customFields\nNet 30,30,0,0,Net,t,${companyId},"{a,b}","{""a"":1}"\nNULL,30,0,0,Net,f,${companyId},NULL,NULL`
    const asking = { body: csv, headers: { "content-type": "text/csv" } }
    assert.deepInclude(refused("POST", "paymentTerm", asking), { _tag: "RequiredMissing", columns: ["name"] })
    const [row] = inserted("paymentTerm", { ...asking, body: csv.split("\n").slice(0, 2).join("\n") })
    assert.deepInclude(row, { name: "Net 30", daysDue: 30, active: true, tags: ["a", "b"], customFields: { a: 1 } })
    const body = new URLSearchParams({ ...term, name: "Net 30" }).toString()
    const form = { body, headers: { "content-type": "application/x-www-form-urlencoded" } }
    assert.deepInclude(inserted("paymentTerm", form)[0], { name: "Net 30", daysDue: 30, active: true })
  })

  for (const [name, values, expected] of [
    ["words for a number", { daysDue: "x" }, { _tag: "TextMalformed", type: "numeric", shown: '"x"' }],
    ["truth for a number", { daysDue: true }, { _tag: "TextMalformed", type: "numeric", shown: '"true"' }],
    ["nothing for a number", { daysDue: "" }, { _tag: "TextMalformed", type: "numeric", shown: '""' }],
    ["two for a truth", { active: 2 }, { _tag: "TextMalformed", type: "boolean", shown: '"2"' }],
    ["a word for a list", { tags: "a" }, { _tag: "TextMalformed", type: "text[]", shown: '"a"' }],
    ["an object for a list", { tags: { a: 1 } }, { _tag: "TextMalformed", type: "text[]" }],
    ["a list for an object", { customFields: [] }, { _tag: "TypeMismatch", column: "customFields" }],
    ["U+0000", { name: "\u0000" }, { _tag: "TextFlawed", column: "name" }]
  ] as const) {
    it(`refuses ${name}`, () =>
      assert.deepInclude(refused("POST", "paymentTerm", { ...postgrest, body: { ...term, ...values } }), expected))
  }

  it("accept a timestamp for a date and a date for a timestamp", () => {
    const body = { ...holiday, date: "2026-05-01T10:00:00Z" }
    assert.strictEqual(inserted("holiday", { ...postgrest, body })[0]?.["date"], "2026-05-01")
  })
})

describe("upsert", () => {
  const body = { id: "h-1", ...holiday }

  it("targets the key, overwrites the given columns, and sets who changed the row", () => {
    const upsert = planned("Upsert", "POST", "holiday", { ...upserting(), body })
    assert.deepInclude(upsert, {
      given: ["name", "date", "companyId"],
      target: ["id"],
      resolution: "merge",
      auditColumns: { updatedBy: userId }
    })
    assert.deepInclude(upsert.rows[0], { id: "h-1", updatedBy: null, createdAt: now, year: null })
  })

  it("is an insert for resources whose keys the service generates", () => {
    assert.strictEqual(inserted("holiday", { ...upserting(), body: holiday })[0]?.["id"], "id-1")
  })

  it("targets unique columns, with or without the company, under the rules that make them unique", () => {
    const target = (columns: string, rules: "contract" | "public") => {
      const asking: Asking = { ...upserting(), body: holiday, rules }
      return outcome(
        Either.map(
          plan("POST", `holiday?on_conflict=${columns}`, asking),
          (upsert) => upsert._tag === "Upsert" && upsert.target
        )
      )
    }
    assert.deepStrictEqual(target("date", "public"), ["date"])
    assert.deepStrictEqual(target("companyId,date", "public"), ["date"])
    assert.deepStrictEqual(target("date", "contract"), { _tag: "ConflictTargetUnknown" })
    assert.deepStrictEqual(target("name", "public"), { _tag: "ConflictTargetUnknown" })
    assert.deepInclude(target("foo", "public"), { _tag: "ColumnUnknown", column: "foo" })
  })

  it("refuses to merge a row twice, but ignores duplicates of one request", () => {
    const rows = [body, { ...body, name: "again" }]
    assert.deepStrictEqual(refused("POST", "holiday", { ...upserting(), body: rows }), { _tag: "ConflictRepeated" })
    const ignoring = upserting({ prefer: "resolution=ignore-duplicates" })
    assert.deepInclude(planned("Upsert", "POST", "holiday", { ...ignoring, body: rows }), { resolution: "ignore" })
  })

  it("takes keys of existing rows only, in the contract's shape", () => {
    const { expected } = planned("Upsert", "POST", "holiday", { ...upserting(), shape: "contract", body })
    assert.deepStrictEqual(
      expected.map(({ column, values }) => [column.name, values.map(({ isDefault, value }) => [value, isDefault])]),
      [["id", [["h-1", false]]]]
    )
  })
})

describe("put", () => {
  const asking: Asking = { shape: "postgrest", body: { id: "h-1", ...holiday } }

  it("replaces all columns of the row", () => {
    const upsert = planned("Upsert", "PUT", "holiday?id=eq.h-1", asking)
    assert.deepInclude(upsert, {
      resolution: "replace",
      target: ["id"],
      given: ["name", "date", "companyId", "year", "customFields", "tags"]
    })
    assert.deepInclude(upsert.rows[0], { id: "h-1", year: null, tags: null })
  })

  it("takes the key from the query in the contract's shape", () => {
    const upsert = planned("Upsert", "PUT", "holiday?id=eq.h-1", { body: holiday })
    assert.deepInclude(upsert.rows[0], { id: "h-1" })
  })

  for (const [target, body, tag] of [
    ["holiday", asking.body, "PutFiltered"],
    ["holiday?id=eq.h-1&name=eq.a", asking.body, "PutFiltered"],
    ["holiday?id=in.(h-1)", asking.body, "PutFiltered"],
    ["holiday?id=eq.h-1&limit=1", asking.body, "PutPaged"],
    ["holiday?id=eq.h-2", asking.body, "PutKeyDiffers"],
    ["holiday?id=eq.h-1", holiday, "PutKeyDiffers"],
    ["holiday?id=eq.h-1", [], "PutKeyDiffers"],
    ["holiday?id=eq.h-1", { id: "h-1" }, "RequiredMissing"],
    ["holiday?id=eq.", { ...holiday, id: 1 }, "PutKeyDiffers"]
  ] as const) {
    it(`of ${target} with ${JSON.stringify(body)} is ${tag}`, () =>
      assert.deepInclude(refused("PUT", target, { shape: "postgrest", body }), { _tag: tag }))
  }
})

describe("update", () => {
  it("sets the given columns, and who changed the row and when", () => {
    assert.deepStrictEqual(set("holiday?id=eq.a", { body: { name: "b", tags: null } }), {
      name: "b",
      tags: null,
      updatedBy: userId
    })
    assert.deepStrictEqual(set("workCenterShift?id=eq.a", { body: { shiftId: "s" } }), {
      shiftId: "s",
      updatedBy: userId,
      updatedAt: now
    })
  })

  it("keeps the company of a row under the public rules", () => {
    const body = { companyId: null }
    assert.deepStrictEqual(set("oauthClient?id=eq.a", { body }), { companyId: null })
    assert.deepStrictEqual(set("oauthClient?id=eq.a", { body, rules: "public" }), { companyId })
    assert.strictEqual(
      code("PATCH", "oauthClient?id=eq.a", { body: { companyId: otherCompany }, rules: "public" }),
      "42501"
    )
  })

  it("reads the row if it changes no column", () => {
    for (const body of [{}, { id: "a" }]) {
      assert.deepInclude(planned("Read", "PATCH", "holiday?id=eq.a", { body }), { limit: undefined, counted: false })
    }
    assert.deepInclude(planned("Read", "PATCH", "holiday?id=eq.a", { shape: "postgrest", body: [] }), { limit: 0 })
  })

  it("changes a key that is writable", () => {
    assert.deepStrictEqual(set("salesOrderFavorite?salesOrderId=eq.a", { body: { salesOrderId: "b" } }), {
      salesOrderId: "b"
    })
  })

  it("enforces max-affected when handling is strict", () => {
    const asking = (prefer: string): Asking => ({ body: { name: "b" }, headers: { prefer } })
    const most = (prefer: string) => planned("Update", "PATCH", "holiday?year=eq.1", asking(prefer)).maxAffected
    assert.strictEqual(most("handling=strict, max-affected=2"), 2)
    assert.isUndefined(most("max-affected=2"))
  })

  it("rolls back on request", () => {
    const asking: Asking = { body: { name: "b" }, headers: { prefer: "tx=rollback" } }
    assert.isTrue(planned("Update", "PATCH", "holiday?id=eq.a", asking).rollback)
    assert.isFalse(planned("Update", "PATCH", "holiday?id=eq.a", { body: { name: "b" } }).rollback)
  })

  for (const [target, body, expected] of [
    ["holiday", { name: "b" }, { _tag: "FilterMissing", statement: "UPDATE" }],
    ["holiday?limit=1", { name: "b" }, { _tag: "FilterMissing" }],
    ["holiday?id=eq.a", { id: "b" }, { _tag: "FieldSetByService", column: "id", writing: "update" }],
    ["holiday?name=eq.a", { id: 1 }, { _tag: "FieldSetByService", column: "id" }],
    ["holiday?id=eq.a", { createdAt: "soon" }, { _tag: "FieldSetByService", column: "createdAt" }],
    ["holiday?id=eq.a", { foo: 1 }, { _tag: "FieldUnknown", field: "foo" }],
    ["holiday?id=eq.a", { name: null }, { _tag: "RequiredMissing", columns: ["name"] }],
    ["holiday?id=eq.a", { year: "1" }, { _tag: "TypeMismatch", column: "year" }],
    ["holiday?id=eq.a", [{ name: "b" }], { _tag: "BodyMalformed" }],
    ["holiday?foo=eq.a", { name: "b" }, { _tag: "ColumnUnknown" }],
    ["webhookTable?table=eq.a", { table: "b" }, { _tag: "FieldSetByService", column: "table" }]
  ] as const) {
    it(`of ${target} with ${JSON.stringify(body)} is ${expected._tag}`, () =>
      assert.deepInclude(refused("PATCH", target, { body }), expected))
  }
})

describe("delete", () => {
  it("requires a filter", () => {
    assert.deepInclude(refused("DELETE", "holiday", {}), { _tag: "FilterMissing", statement: "DELETE" })
    assert.lengthOf(planned("Delete", "DELETE", "holiday?year=eq.1&name=eq.a", {}).where, 2)
  })

  it("requires the scope to read for returned rows and for filters of other columns", () => {
    const scoped = (target: string, headers: { readonly [name: string]: string } = {}) =>
      plan("DELETE", target, { scopes: ["holiday:delete"], headers })
    assert.isTrue(Either.isRight(scoped("holiday?id=eq.1")))
    for (const refused of [
      scoped("holiday?year=eq.1"),
      scoped("holiday?id=eq.1", { "content-profile": "public", prefer: "return=representation" })
    ]) {
      assert.deepInclude(outcome(refused), { _tag: "ScopeMissing", action: "read" })
    }
  })
})
