import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { type Asking, companyId, now, otherCompany, outcome, plan, userId } from "./plan.ts"
import { holiday, upserting, planned, inserted, set, refused, code } from "./writes.ts"

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
