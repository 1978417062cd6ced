import { assert, describe, it } from "@effect/vitest"
import * as Catalogue from "../src/Catalogue.ts"
import * as Column from "../src/Column.ts"
import type * as ResourceRules from "../src/ResourceRules.ts"
import type * as Resource from "../src/Resource.ts"

const resources: ReadonlyArray<Resource.Any> = Catalogue.resources
const facts = resources.map((resource) => ({ resource, name: resource.resource, ...resource.rules }))

const columnsOf = (check: ResourceRules.Check): ReadonlyArray<string> => {
  switch (check._tag) {
    case "OneOf":
      return [check.column]
    case "Required":
      return check.anyOf
    case "PresentWhen":
      return [check.column, check.when]
  }
}

const fillColumns = (fill: ResourceRules.Default): ReadonlyArray<string> => ("column" in fill ? [fill.column] : [])

describe("the rules of resources", () => {
  it("name columns of the resource", () => {
    for (const { resource, unique, checks, indexed, onParentDelete, defaults } of facts) {
      const named = [
        ...indexed,
        ...unique.flatMap(({ columns }) => columns),
        ...checks.flatMap(columnsOf),
        ...Object.keys(onParentDelete),
        ...Object.keys(defaults),
        ...Object.values(defaults).flatMap(fillColumns)
      ]
      for (const column of named) assert.isTrue(Column.byName(resource).has(column), `${resource.resource}.${column}`)
    }
  })

  it("name each check of a resource differently", () => {
    for (const { checks } of facts) {
      assert.strictEqual(new Set(checks.map(({ name }) => name)).size, checks.length)
    }
  })

  it("have the effect of deleting the parent of every reference", () => {
    const rules = facts.flatMap(({ name, onParentDelete }) =>
      Object.entries(onParentDelete).map(([column, deletion]) => `${name}.${column} ${deletion}`)
    )
    assert.sameMembers(rules, [
      "oauthCode.clientId cascade",
      "warehouseTransferLine.transferId cascade",
      "salesOrderPayment.paymentTermId restrict",
      "webhook.table restrict"
    ])
    assert.strictEqual(rules.length, Catalogue.references.length)
  })

  it("have defaults for every column that callers cannot write, and for no required one", () => {
    for (const { resource, name, defaults } of facts) {
      const filled = (write: Column.Column["write"]) =>
        Column.fromResource(resource)
          .filter((column) => column.write === write)
          .map((column) => column.name in defaults)
      assert.notInclude(filled("never"), false, name)
      assert.notInclude(filled("required"), true, name)
    }
  })

  it("have defaults for optional columns only of the company or the year", () => {
    const optional = facts.flatMap(({ resource, name, defaults }) =>
      Object.entries(defaults)
        .filter(([column]) => Column.byName(resource).get(column)?.write === "optional")
        .map(([column, fill]) => `${name}.${column} ${fill._tag}`)
    )
    assert.sameMembers(optional, [
      "oauthClient.companyId Company",
      "nonConformance.companyId Company",
      "qualityDocumentStep.companyId Company",
      "holiday.year YearOf"
    ])
  })

  it("hold what is unique in the public system, within a company", () => {
    const known = facts.flatMap(({ name, unique }) => unique.map(({ columns }) => `${name}(${columns.join()})`))
    assert.sameMembers(known, [
      "oauthClient(clientId)",
      "oauthCode(code)",
      "inboundInspection(inboundInspectionId)",
      "inboundInspection(receiptLineId)",
      "warehouseTransfer(transferId)",
      "assemblyInstructionStepTool(stepId,itemId)",
      "paymentTerm(name,active)",
      "workflowTriggerEvent(workflowId,eventId)",
      "changeOrderRequiredAction(name)",
      "jobOperationStepRecord(jobOperationStepId,index)",
      "holiday(date)",
      "webhook(name)",
      "webhookTable(name)"
    ])
  })

  it("have the checks of the public system", () => {
    const known = facts.flatMap(({ name, checks }) =>
      checks.map((check) => `${name} ${check._tag} ${columnsOf(check).join()}`)
    )
    assert.sameMembers(known, [
      "oauthCode OneOf codeChallengeMethod",
      "assemblyPlanJob OneOf kind",
      "fulfillment PresentWhen jobId,type",
      "purchaseOrderDelivery OneOf incoterm",
      "qualityDocumentStep PresentWhen unitOfMeasureCode,type",
      "assemblyInstructionStepSlide Required imagePath,modelUploadId",
      "assemblyInstructionStepSlide OneOf size",
      "workflowTriggerEvent OneOf origin",
      "webhookTable OneOf module"
    ])
  })

  it("have users as owners of favourites, and companies of all other rows", () => {
    assert.deepStrictEqual(
      facts.filter(({ owner }) => owner === "user").map(({ name }) => name),
      ["salesOrderFavorite"]
    )
  })
})
