/** Tests facts about columns, vocabularies and rules. */
import type * as Fact from "@mfgdata/domain/Fact"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Service from "./Service.ts"
import { given, layer as taught, TaughtService } from "./TaughtService.ts"

const seen = 1

const facts: ReadonlyArray<Fact.Fact> = [
  { fact: "type", resource: "nonConformance", column: "approvalRequirements", type: "array", seen },
  { fact: "column", resource: "holiday", column: "region", type: "text", write: "optional", seen },
  { fact: "column", resource: "holiday", column: "weight", type: "number", write: "optional", seen },
  { fact: "column", resource: "holiday", column: "source", type: "any", write: "required", seen },
  { fact: "column", resource: "holiday", column: "updatedAt", type: "timestamp", write: "never", seen },
  { fact: "absent", resource: "holiday", column: "customFields", seen },
  { fact: "required", resource: "holiday", column: "year", required: true, seen },
  { fact: "default", resource: "paymentTerm", column: "calculationMethod", value: "Net", seen },
  {
    fact: "vocabulary",
    resource: "paymentTerm",
    column: "calculationMethod",
    values: ["Net", "Later"],
    closed: "writes",
    seen
  },
  {
    fact: "vocabulary",
    resource: "nonConformance",
    column: "approvalRequirements",
    values: ["MRB"],
    closed: "writes",
    seen
  },
  { fact: "vocabulary", resource: "nonConformance", column: "status", values: ["Registered"], closed: "no", seen },
  { fact: "unique", resource: "holiday", columns: ["date"], seen },
  { fact: "check", resource: "fulfillment", check: "jobId_check", seen },
  { fact: "ownCompany", resource: "holiday", seen },
  { fact: "reference", resource: "warehouseTransferLine", column: "transferId", onDelete: "cascade", seen }
]

const holiday = { name: "Labour Day", date: "2026-05-01", year: 2026, source: { by: "law" } }
const term = { name: "Thirty", daysDue: 30, daysDiscount: 0, discountPercentage: 0, active: true }
const transfer = { transferId: "WT1", fromLocationId: "a", toLocationId: "b", status: "Draft" }
const line = {
  itemId: "i",
  quantity: 1,
  shippedQuantity: 0,
  receivedQuantity: 0,
  fromLocationId: "a",
  toLocationId: "b"
}
const issue = {
  nonConformanceId: "NC1",
  name: "Scratch",
  source: "Internal",
  status: "Registered",
  content: {},
  locationId: "l",
  nonConformanceTypeId: "t",
  openDate: "2026-01-01",
  quantity: 1
}

export const columnFacts = (fresh: Service.Fresh): void => {
  layer(taught(fresh, { facts: given(...facts) }))("facts about columns and rules", (it) => {
    it.effect("rows have an array in place of one value, which is written, read and filtered as one", () =>
      Effect.gen(function* () {
        const { ask } = yield* TaughtService
        const created = yield* ask("POST", "/rest/nonConformance", { ...issue, approvalRequirements: ["MRB"] })
        assert.strictEqual(created.status, 201, created.text)
        assert.deepStrictEqual(created.row["approvalRequirements"], ["MRB"])
        const found = yield* ask(
          "GET",
          "/rest/nonConformance?approvalRequirements=cs.{MRB}&select=name,approvalRequirements"
        )
        assert.deepStrictEqual(found.rows, [{ name: "Scratch", approvalRequirements: ["MRB"] }])
        const one = yield* ask("POST", "/rest/nonConformance", { ...issue, approvalRequirements: "MRB" })
        assert.deepStrictEqual(one.verdict, [400, "22P02"])
        const other = yield* ask("POST", "/rest/nonConformance", { ...issue, approvalRequirements: ["CEO"] })
        assert.deepStrictEqual(other.verdict, [400, "22P02"])
        assert.include(other.text, "CEO")
        const id = String(created.row["id"])
        const updated = yield* ask("PATCH", `/rest/nonConformance?id=eq.${id}`, { approvalRequirements: [] })
        assert.deepStrictEqual(updated.row["approvalRequirements"], [])
        yield* ask("DELETE", `/rest/nonConformance?id=eq.${id}`)
      })
    )

    it.effect("rows have further columns, which are written, read, filtered and sorted", () =>
      Effect.gen(function* () {
        const { ask, companyId } = yield* TaughtService
        const body = { ...holiday, companyId }
        const created = yield* ask("POST", "/rest/holiday", { ...body, region: "North", weight: 2.5 })
        assert.strictEqual(created.status, 201, created.text)
        assert.deepInclude(created.row, { region: "North", weight: 2.5, source: { by: "law" }, updatedAt: null })
        yield* ask("POST", "/rest/holiday", { ...body, date: "2026-12-25", name: "Christmas" })
        const rows = yield* ask("GET", "/rest/holiday?select=name,region,weight&order=region.desc.nullslast")
        assert.deepStrictEqual(rows.rows, [
          { name: "Labour Day", region: "North", weight: 2.5 },
          { name: "Christmas", region: null, weight: null }
        ])
        for (const filter of [
          "region=eq.North",
          "region=like.Nor*",
          "weight=eq.2.5",
          "weight=gt.1",
          "region=not.is.null",
          "source->>by=eq.law&region=in.(North,South)"
        ]) {
          const found = yield* ask("GET", `/rest/holiday?select=name&${filter}`)
          assert.deepStrictEqual([filter, found.rows], [filter, [{ name: "Labour Day" }]])
        }
        const id = String(created.row["id"])
        const updated = yield* ask("PATCH", `/rest/holiday?id=eq.${id}`, { region: "South" })
        assert.strictEqual(updated.row["region"], "South")
        assert.isString(updated.row["updatedAt"])
        const many = yield* ask("POST", "/rest/holiday", [
          { ...body, date: "2026-01-01", region: "East" },
          { ...body, date: "2026-01-02", region: null }
        ])
        assert.deepStrictEqual(
          many.rows.map(({ region }) => region),
          ["East", null]
        )
        const set = yield* ask("PATCH", "/rest/holiday?region=eq.East", { region: "West" })
        assert.deepStrictEqual(
          set.rows.map(({ region }) => region),
          ["West"]
        )
        assert.deepStrictEqual(
          (yield* ask("POST", "/rest/holiday", { ...body, date: "2026-02-02", region: 7 })).verdict,
          [400, "22P02"]
        )
        yield* ask("DELETE", "/rest/holiday?id=not.is.null")
      })
    )

    it.effect("lacks a column, requires others, and fills one that is omitted", () =>
      Effect.gen(function* () {
        const { ask, companyId } = yield* TaughtService
        const { source: _, year: __, ...body } = { ...holiday, companyId }
        const missing = yield* ask("POST", "/rest/holiday", body)
        assert.deepStrictEqual(missing.verdict, [400, "23502"])
        assert.include(missing.text, "year")
        assert.include(missing.text, "source")
        const unknown = yield* ask("POST", "/rest/holiday", { ...holiday, companyId, customFields: {} })
        assert.deepStrictEqual(unknown.verdict, [400, "PGRST204"])
        assert.deepStrictEqual((yield* ask("GET", "/rest/holiday?customFields=is.null")).verdict, [400, "42703"])
        const created = yield* ask("POST", "/rest/paymentTerm", { ...term, companyId })
        assert.strictEqual(created.status, 201, created.text)
        assert.strictEqual(created.row["calculationMethod"], "Net")
      })
    )

    it.effect("closes a vocabulary for writes, with the values seen and no others", () =>
      Effect.gen(function* () {
        const { ask, companyId } = yield* TaughtService
        const write = (calculationMethod: string) =>
          ask("POST", "/rest/paymentTerm", { ...term, companyId, calculationMethod })
        assert.deepStrictEqual((yield* write("Day of Month")).verdict, [400, "22P02"])
        assert.strictEqual((yield* write("Later")).status, 201)
        const open = yield* ask("POST", "/rest/nonConformance", { ...issue, status: "Reopened" })
        assert.strictEqual(open.status, 201, open.text)
      })
    )

    it.effect("enforces unique columns, checks, references and the own company", () =>
      Effect.gen(function* () {
        const { ask, companyId } = yield* TaughtService
        const body = { ...holiday, companyId, date: "2027-05-01" }
        assert.strictEqual((yield* ask("POST", "/rest/holiday", body)).status, 201)
        assert.deepStrictEqual((yield* ask("POST", "/rest/holiday", body)).verdict, [409, "23505"])
        const merged = yield* ask(
          "POST",
          "/rest/holiday?on_conflict=date",
          { ...body, name: "May Day" },
          "resolution=merge-duplicates"
        )
        assert.strictEqual(merged.row["name"], "May Day", merged.text)
        assert.deepStrictEqual((yield* ask("POST", "/rest/holiday", { ...body, companyId: "other" })).verdict, [
          403,
          "42501"
        ])
        const job = { salesOrderLineId: "s", type: "Job", quantity: 1, companyId }
        assert.deepStrictEqual((yield* ask("POST", "/rest/fulfillment", job)).verdict, [400, "23514"])
        const orphan = yield* ask("POST", "/rest/warehouseTransferLine", { ...line, companyId, transferId: "none" })
        assert.deepStrictEqual(orphan.verdict, [409, "23503"])
        const parent = yield* ask("POST", "/rest/warehouseTransfer", { ...transfer, companyId })
        const transferId = String(parent.row["id"])
        assert.strictEqual(
          (yield* ask("POST", "/rest/warehouseTransferLine", { ...line, companyId, transferId })).status,
          201
        )
        assert.strictEqual((yield* ask("DELETE", `/rest/warehouseTransfer?id=eq.${transferId}`)).status, 204)
        assert.deepStrictEqual((yield* ask("GET", "/rest/warehouseTransferLine")).rows, [])
        // Rules without a fact are not enforced.
        assert.strictEqual((yield* ask("POST", "/rest/paymentTerm", { ...term, companyId: "other" })).status, 201)
      })
    )

    it.effect("describes its columns, and lists the facts", () =>
      Effect.gen(function* () {
        const { ask } = yield* TaughtService
        const document = (yield* ask("GET", "/openapi.json")).row as {
          readonly "x-facts": ReadonlyArray<unknown>
          readonly components: {
            readonly schemas: Record<
              string,
              { readonly properties: Record<string, object>; readonly required: ReadonlyArray<string> }
            >
          }
        }
        const { Holiday, HolidayCreate, NonConformance } = document.components.schemas
        assert.containsAllKeys(Holiday?.properties, ["region", "weight", "source", "updatedAt"])
        assert.notProperty(Holiday?.properties, "customFields")
        assert.includeMembers([...(HolidayCreate?.required ?? [])], ["year", "source"])
        assert.include(JSON.stringify(NonConformance?.properties["approvalRequirements"]), '"array"')
        assert.lengthOf(document["x-facts"], facts.length)
      })
    )
  })
}

const openFacts: ReadonlyArray<Fact.Fact> = [
  { fact: "nullable", resource: "holiday", column: "name", nullable: true, seen },
  { fact: "required", resource: "holiday", column: "name", required: false, seen },
  { fact: "absent", resource: "paymentTerm", column: "active", seen },
  { fact: "type", resource: "warehouseTransfer", column: "status", type: "object", seen },
  { fact: "computed", resource: "holiday", column: "year", seen }
]

export const openColumns = (fresh: Service.Fresh): void => {
  layer(taught(fresh, { facts: given(...openFacts) }))("facts about columns that the contract requires", (it) => {
    it.effect("rows have null, another type, or no such column", () =>
      Effect.gen(function* () {
        const { ask, companyId } = yield* TaughtService
        const created = yield* ask("POST", "/rest/holiday", { date: "2026-05-01", companyId })
        assert.deepInclude(created.row, { name: null, year: 2026 })
        const found = yield* ask("GET", "/rest/holiday?name=is.null&select=name,date")
        assert.deepStrictEqual(found.rows, [{ name: null, date: "2026-05-01" }])
        const { active: _, ...lesser } = { ...term, calculationMethod: "Net", companyId }
        assert.notProperty((yield* ask("POST", "/rest/paymentTerm", lesser)).row, "active")
        const typed = yield* ask("POST", "/rest/warehouseTransfer", { ...transfer, companyId, status: { code: 1 } })
        assert.deepStrictEqual(typed.row["status"], { code: 1 })
        const many = yield* ask("POST", "/rest/holiday", [
          { date: "2026-05-02", companyId, name: "B" },
          { date: "2026-05-03", companyId, name: null }
        ])
        assert.deepStrictEqual(
          many.rows.map(({ name }) => name),
          ["B", null]
        )
      })
    )
  })
}
