/**
 * The facts of the public system that the contract describes, as far as its sources show them. The number is that of the sources
 * that state a fact.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type * as Fact from "@mfgdata/domain/Fact"
import type { Json } from "@mfgdata/domain/Json"
import type { Facts } from "@mfgdata/domain/Facts"
import * as Arr from "effect/Array"

const seen = 1

/** The columns of enumerated types: the database refuses every other value. */
const vocabularies: ReadonlyArray<Fact.Fact> = Catalogue.resources.flatMap((resource) =>
  Column.fromResource(resource).flatMap(({ name: column, vocabulary }): ReadonlyArray<Fact.Fact> => {
    const values = vocabulary?.known ?? []
    return Arr.isNonEmptyReadonlyArray(values)
      ? [{ fact: "vocabulary", resource: resource.resource, column, values, closed: "always", seen }]
      : []
  })
)

/** The unique keys and checks of the tables. */
const rules: ReadonlyArray<Fact.Fact> = Catalogue.resources.flatMap(({ resource, rules }): ReadonlyArray<Fact.Fact> => [
  ...rules.unique.flatMap(({ columns }): ReadonlyArray<Fact.Fact> =>
    Arr.isNonEmptyReadonlyArray(columns) ? [{ fact: "unique", resource, columns, seen }] : []
  ),
  ...rules.checks.map(({ name }): Fact.Fact => ({ fact: "check", resource, check: name, seen }))
])

/** The foreign keys between the resources, with what deleting a parent does. */
const references: ReadonlyArray<Fact.Fact> = Catalogue.references.map(({ child, column }): Fact.Fact => ({
  fact: "reference",
  resource: child.resource,
  column,
  onDelete: child.rules.onParentDelete[column] ?? "restrict",
  seen
}))

/** A row of another company is refused. */
const companies: ReadonlyArray<Fact.Fact> = Catalogue.resources
  .filter((resource) => (Column.byName(resource).get("companyId")?.write ?? "never") !== "never")
  .map(({ resource }): Fact.Fact => ({ fact: "ownCompany", resource, seen }))

/** The defaults of columns that the contract requires, or leaves null. */
const defaultsOf: { readonly [R in Catalogue.Name]?: { readonly [column: string]: Json } } = {
  oauthClient: {
    redirectUris: [],
    grantTypes: ["authorization_code", "refresh_token"],
    responseTypes: ["code"],
    tokenEndpointAuthMethod: "client_secret_post"
  },
  assemblyPlanJob: { status: "Queued" },
  inboundInspection: { status: "Pending" },
  nonConformance: { status: "Registered", content: {}, quantity: 0, tags: [], requiredActionIds: [] },
  warehouseTransferLine: { quantity: 0, shippedQuantity: 0, receivedQuantity: 0 },
  warehouseTransfer: { status: "Draft" },
  purchaseOrderDelivery: { dropShipment: false, supplierShippingCost: 0 },
  salesOrderPayment: { paymentComplete: false },
  qualityDocumentStep: { required: false, sortOrder: 1 },
  assemblyInstructionStepTool: { quantity: 1, sortOrder: 1 },
  assemblyInstructionStepSlide: { sortOrder: 1, size: "medium" },
  shipmentFixedAssetLine: { shipped: true },
  documentExtraction: { status: "pending" },
  kanban: { replenishmentSystem: "Buy", conversionFactor: 1, autoRelease: false, autoStartJob: false },
  journalLine: { quantity: 1, accrual: false },
  paymentTerm: {
    daysDue: 0,
    daysDiscount: 0,
    discountPercentage: 0,
    calculationMethod: "Net",
    active: true,
    tags: []
  },
  workflowTriggerEvent: { origin: "Both" },
  changeOrderRequiredAction: { active: true },
  jobOperationStepRecord: { index: 0 },
  holiday: { tags: [] },
  webhook: { active: true, onInsert: false, onUpdate: false, onDelete: false, successCount: 0, errorCount: 0 }
}

const defaults: ReadonlyArray<Fact.Fact> = Object.entries(defaultsOf).flatMap(([resource, values]) =>
  Object.entries(values).map(([column, value]): Fact.Fact => ({ fact: "default", resource, column, value, seen }))
)

const auditTypes = { createdBy: "text", createdAt: "timestamp", updatedBy: "text", updatedAt: "timestamp" } as const

type AuditColumn = keyof typeof auditTypes

const created: ReadonlyArray<AuditColumn> = ["createdBy", "createdAt"]
const updated: ReadonlyArray<AuditColumn> = ["updatedBy", "updatedAt"]

/** The columns that rows have besides those of the contract. */
const columnsOf: { readonly [R in Catalogue.Name]?: ReadonlyArray<AuditColumn> } = {
  oauthClient: ["createdAt", "updatedAt"],
  assemblyPlanJob: ["updatedAt"],
  fulfillment: ["updatedBy"],
  inboundInspection: [...created, ...updated],
  nonConformance: [...created, ...updated],
  warehouseTransferLine: [...created, ...updated],
  warehouseTransfer: updated,
  purchaseOrderDelivery: updated,
  salesOrderPayment: ["updatedBy"],
  qualityDocumentStep: updated,
  assemblyInstructionStepTool: updated,
  assemblyInstructionStepSlide: updated,
  shipmentFixedAssetLine: updated,
  documentExtraction: updated,
  kanban: [...created, ...updated],
  journalLine: updated,
  paymentTerm: [...created, ...updated],
  maintenanceScheduleItem: updated,
  jobOperationStepRecord: updated,
  holiday: ["updatedAt"],
  webhook: [...created, ...updated]
}

const columns: ReadonlyArray<Fact.Fact> = Object.entries(columnsOf).flatMap(([resource, names]) =>
  names.map((column): Fact.Fact => ({
    fact: "column",
    resource,
    column,
    type: auditTypes[column],
    write: "never",
    seen
  }))
)

/** The forms of values in responses. */
const forms: ReadonlyArray<Fact.Fact> = [
  { fact: "timestamp", resource: "*", zone: "+00:00", digits: "trimmed", seen },
  { fact: "computed", resource: "holiday", column: "year", seen },
  { fact: "type", resource: "nonConformance", column: "approvalRequirements", type: "array", seen }
]

/** The facts of the public system. */
export const publicSystem: Facts = {
  service: "the public system",
  facts: [...forms, ...columns, ...vocabularies, ...rules, ...references, ...companies, ...defaults]
}
