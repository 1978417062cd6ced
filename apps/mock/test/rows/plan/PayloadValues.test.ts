import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import { assert, describe, it } from "@effect/vitest"
import { type Asking, companyId } from "./plan.ts"
import { holiday, inserted, refused } from "./writes.ts"

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
