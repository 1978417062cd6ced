/** Tests the rules of the public system, generated from lists of them. */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Sample from "../Sample.ts"
import * as Service from "../Service.ts"

const { companyId } = Service.members.operator

const resourceOf = (name: string): Resource.Any => {
  const resource = Catalogue.find(name)
  assert.isDefined(resource)
  return resource
}

/** The unique keys of the public system, besides the primary ones, within a company. */
const unique: ReadonlyArray<readonly [resource: string, ...columns: ReadonlyArray<string>]> = [
  ["oauthCode", "code"],
  ["oauthClient", "clientId"],
  ["inboundInspection", "inboundInspectionId"],
  ["inboundInspection", "receiptLineId"],
  ["warehouseTransfer", "transferId"],
  ["assemblyInstructionStepTool", "stepId", "itemId"],
  ["paymentTerm", "name", "active"],
  ["workflowTriggerEvent", "workflowId", "eventId"],
  ["changeOrderRequiredAction", "name"],
  ["jobOperationStepRecord", "jobOperationStepId", "index"],
  ["holiday", "date"],
  ["webhook", "name"],
  ["webhookTable", "name"]
]

/** The text columns of the public system with a fixed set of values. */
const sets: ReadonlyArray<readonly [resource: string, column: string, values: ReadonlyArray<string>]> = [
  ["assemblyPlanJob", "kind", ["convert", "plan"]],
  ["assemblyInstructionStepSlide", "size", ["small", "medium", "large"]],
  ["workflowTriggerEvent", "origin", ["Person", "Automation", "Both"]],
  ["oauthCode", "codeChallengeMethod", ["S256", "plain"]],
  ["purchaseOrderDelivery", "incoterm", ["EXW", "FCA", "FAS", "FOB", "CPT", "CIP", "CFR", "CIF", "DAP", "DPU", "DDP"]],
  ["webhookTable", "module", ["Accounting", "Inventory", "Items", "Sales", "Quality", "Workflows"]]
]

/** Rows that violate a check: each is refused. */
const dependent: ReadonlyArray<readonly [resource: string, change: JsonObject]> = [
  ["fulfillment", { type: "Job", jobId: null }],
  ["fulfillment", { type: "Inventory", jobId: "job" }],
  ["qualityDocumentStep", { type: "Measurement", unitOfMeasureCode: null }],
  ["qualityDocumentStep", { type: "Value", unitOfMeasureCode: "EA" }],
  ["assemblyInstructionStepSlide", { imagePath: null, modelUploadId: null }]
]

/** The references among the resources, and the effect of a parent's deletion on its children. */
const references: ReadonlyArray<
  readonly [child: string, column: string, parent: string, field: string, deletion: "cascade" | "restrict"]
> = [
  ["oauthCode", "clientId", "oauthClient", "clientId", "cascade"],
  ["warehouseTransferLine", "transferId", "warehouseTransfer", "id", "cascade"],
  ["salesOrderPayment", "paymentTermId", "paymentTerm", "id", "restrict"],
  ["webhook", "table", "webhookTable", "table", "restrict"]
]

/** An empty company with the parents of a resource, and bodies for it. */
const prepare = (resource: Resource.Any) =>
  Effect.gen(function* () {
    yield* Sample.clear("operator")
    const parents = yield* Sample.plant("operator", Sample.ancestors(resource))
    return (number: number, change: JsonObject = {}): JsonObject => ({
      ...Sample.body(resource, number, { companyId, parents }),
      ...change
    })
  })

/** Sends a change as a create, an update and a replacement, and expects the same refusal of each. */
const refuse = (
  resource: Resource.Any,
  change: JsonObject,
  body: (number: number, change?: JsonObject) => JsonObject,
  [status, code]: readonly [status: number, code: string]
) =>
  Effect.gen(function* () {
    const { ask, done } = yield* Service.Service
    const path = `/rest/${resource.resource}`
    const { row } = yield* done("POST", path, { body: body(3) })
    const address = Sample.address(resource, row)
    const before = yield* done("GET", path)
    const replies: Array<Service.Reply> = []
    for (const [method, target, sent] of [
      ["POST", path, body(4, change)],
      ["POST", path, [body(4), body(5, change)]],
      ["PATCH", address, change],
      ["PUT", address, body(3, change)]
    ] as const) {
      const reply = yield* ask(method, target, { body: sent })
      const place = `${method} ${resource.resource} with ${JSON.stringify(change).slice(0, 120)}: ${reply.text}`
      assert.deepStrictEqual(reply.verdict, [status, code], place)
      replies.push(reply)
    }
    assert.strictEqual((yield* done("GET", path)).text, before.text, `${resource.resource} after refusals`)
    yield* done("DELETE", address)
    return replies
  })

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  for (const resource of Catalogue.resources as ReadonlyArray<Resource.Any>) {
    const columns = Column.fromResource(resource).filter(({ write }) => write !== "never")
    const path = `/rest/${resource.resource}`

    it.effect(`${resource.resource}: vocabularies are closed, arrays hold text, the company is the key's own`, () =>
      Effect.gen(function* () {
        const { done } = yield* Service.Service
        const body = yield* prepare(resource)
        for (const { name, type, vocabulary } of columns) {
          if (vocabulary !== undefined) {
            for (const reply of yield* refuse(resource, { [name]: "no such value" }, body, [400, "22P02"])) {
              assert.include(reply.text, name)
              for (const known of vocabulary.known) assert.include(String(reply.row["hint"]), known, name)
            }
          }
          if (type === "array") {
            for (const item of [1, true, null, {}, ["a"]]) {
              yield* refuse(resource, { [name]: ["a", item] }, body, [400, "22P02"])
            }
          }
          if (name === "companyId") yield* refuse(resource, { companyId: "rival" }, body, [403, "42501"])
        }
        const known = columns.flatMap(({ name, vocabulary }) => (vocabulary ? [{ name, words: vocabulary.known }] : []))
        for (const { name, words } of known) {
          for (const [number, word] of words.entries()) {
            const sent = body(number % 5, { [name]: word })
            // A check of several columns decides about these.
            if (dependent.some(([of, change]) => of === resource.resource && name in change)) continue
            const { row } = yield* done("POST", path, { body: sent })
            assert.strictEqual(row[name], word, `${resource.resource}.${name}`)
            yield* done("DELETE", Sample.address(resource, row))
          }
        }
      })
    )
  }

  for (const [name, ...columns] of unique) {
    it.effect(`${name}: ${columns.join(" and ")} are unique within a company`, () =>
      Effect.gen(function* () {
        const { ask, done } = yield* Service.Service
        const resource = resourceOf(name)
        const body = yield* prepare(resource)
        yield* Sample.clear("rival")
        const path = `/rest/${name}`
        const first = yield* done("POST", path, { body: body(1) })
        const same = Object.fromEntries(columns.map((column): [string, Json] => [column, first.row[column] ?? null]))
        const second = yield* done("POST", path, { body: body(2) })
        const address = Sample.address(resource, second.row)
        for (const [method, target, sent] of [
          ["POST", path, body(3, same)],
          ["POST", path, [body(3, same)]],
          ["PATCH", address, same],
          ["PUT", address, body(2, same)]
        ] as const) {
          const reply = yield* ask(method, target, { body: sent })
          assert.deepStrictEqual(reply.verdict, [409, "23505"], `${method} ${name}: ${reply.text}`)
          assert.include(reply.text, columns[0] ?? "")
        }
        assert.lengthOf((yield* done("GET", path)).rows, 2)
        for (const column of columns.length > 1 ? columns : []) {
          const rest = Object.fromEntries(Object.entries(same).filter(([other]) => other !== column))
          const { row } = yield* done("POST", path, { body: body(4, rest) })
          yield* done("DELETE", Sample.address(resource, row))
        }
        const parents = yield* Sample.plant("rival", Sample.ancestors(resource))
        const foreign = { ...Sample.body(resource, 1, { companyId: "rival", parents }), ...same }
        yield* done("POST", path, { as: "rival", body: foreign })
        yield* Sample.clear("rival")
      })
    )
  }

  for (const [name, column] of unique.filter(([, ...columns]) => columns.length === 1)) {
    const resource = resourceOf(name)
    if (column === undefined || Column.byName(resource).get(column)?.type !== "text" || name === "webhookTable")
      continue
    it.effect(`${name}.${column}: a long text is unique by all of its characters`, () =>
      Effect.gen(function* () {
        const { ask, done } = yield* Service.Service
        const body = yield* prepare(resource)
        const text = Array.from({ length: 20_000 }, (_, index) => `${index}é`).join("")
        const path = `/rest/${name}`
        const { row } = yield* done("POST", path, { body: body(1, { [column]: text }) })
        assert.strictEqual(row[column], text)
        yield* done("POST", path, { body: body(2, { [column]: `${text}.` }) })
        const again = yield* ask("POST", path, { body: body(3, { [column]: text }) })
        assert.deepStrictEqual(again.verdict, [409, "23505"])
      })
    )
  }

  for (const [name, column, values] of sets) {
    it.effect(`${name}.${column} is one of a fixed set`, () =>
      Effect.gen(function* () {
        const { done } = yield* Service.Service
        const resource = resourceOf(name)
        const body = yield* prepare(resource)
        for (const wrong of ["no such value", "", values[0]?.toLowerCase() === values[0] ? "PLAN" : "sales"]) {
          for (const reply of yield* refuse(resource, { [column]: wrong }, body, [400, "23514"])) {
            assert.include(reply.text, column)
          }
        }
        for (const value of values) {
          const { row } = yield* done("POST", `/rest/${name}`, { body: body(1, { [column]: value }) })
          assert.strictEqual(row[column], value)
          yield* done("DELETE", Sample.address(resource, row))
        }
      })
    )
  }

  for (const [name, change] of dependent) {
    it.effect(`refuses ${name} with ${JSON.stringify(change)}`, () =>
      Effect.gen(function* () {
        const resource = resourceOf(name)
        yield* refuse(resource, change, yield* prepare(resource), [400, "23514"])
      })
    )
  }

  for (const [childName, column, parentName, field, deletion] of references) {
    it.effect(`${childName}.${column} names a ${parentName}, whose deletion is a ${deletion}`, () =>
      Effect.gen(function* () {
        const { ask, done } = yield* Service.Service
        const [child, parent] = [resourceOf(childName), resourceOf(parentName)]
        const body = yield* prepare(child)
        for (const dangling of ["nobody", "n".repeat(100_000)]) {
          for (const reply of yield* refuse(child, { [column]: dangling }, body, [409, "23503"])) {
            assert.include(reply.text, column)
            assert.include(reply.text, parentName)
          }
        }
        const [first] = (yield* done("GET", `/rest/${parentName}`)).rows
        const other = yield* done("POST", `/rest/${parentName}`, {
          body: Sample.body(parent, 2, { companyId, parents: new Map() })
        })
        const children = [body(1), body(2), body(3, { [column]: other.row[field] ?? null })]
        const rows: Array<JsonObject> = []
        for (const sent of children) rows.push((yield* done("POST", `/rest/${childName}`, { body: sent })).row)
        const removed = yield* ask("DELETE", Sample.address(parent, first))
        const left = (yield* done("GET", `/rest/${childName}`)).rows
        if (deletion === "cascade") {
          assert.deepStrictEqual([removed.status, removed.text], [204, ""])
          assert.deepStrictEqual(left, rows.slice(2))
          return
        }
        assert.deepStrictEqual(removed.verdict, [409, "23503"])
        assert.include(removed.text, childName)
        assert.deepStrictEqual(left, rows)
        for (const row of rows.slice(0, 2)) yield* done("DELETE", Sample.address(child, row))
        assert.strictEqual((yield* ask("DELETE", Sample.address(parent, first))).status, 204)
      })
    )
  }

  it.effect("the declared rules are the known ones", () =>
    Effect.sync(() => {
      const resources: ReadonlyArray<Resource.Any> = Catalogue.resources
      assert.sameDeepMembers(
        resources.flatMap(({ resource, rules }) => rules.unique.map(({ columns }) => [resource, ...columns])),
        unique.map((entry) => [...entry])
      )
      assert.sameDeepMembers(
        resources.flatMap(({ resource, rules }) =>
          Object.entries(rules.onParentDelete).map(([column, deletion]) => [resource, column, deletion])
        ),
        references.map(([child, column, , , deletion]) => [child, column, deletion])
      )
      assert.sameMembers(
        resources.flatMap(({ resource, rules }) => rules.checks.map(({ name }) => `${resource}.${name}`)),
        [
          ...sets.map(([resource, column]) => `${resource}.${column}_check`),
          "fulfillment.jobId_check",
          "qualityDocumentStep.unitOfMeasureCode_check",
          "assemblyInstructionStepSlide.imagePath_modelUploadId_check"
        ]
      )
    })
  )

  it.effect("sets a holiday's year from its date when it is absent", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* Sample.clear("operator")
      const body = { name: "New Year", date: "2031-01-01", companyId }
      const { row } = yield* done("POST", "/rest/holiday", { body })
      assert.strictEqual(row["year"], 2031)
    })
  )
}
