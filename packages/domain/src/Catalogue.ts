/**
 * Lists the resources of the data service in the contract's order, and the references between them.
 */
import * as Column from "./Column.ts"
import * as Memo from "./Memo.ts"
import * as Resource from "./Resource.ts"
import { AssemblyInstructionStepSlide } from "./resources/AssemblyInstructionStepSlide.ts"
import { AssemblyInstructionStepTool } from "./resources/AssemblyInstructionStepTool.ts"
import { AssemblyPlanJob } from "./resources/AssemblyPlanJob.ts"
import { ChangeOrderRequiredAction } from "./resources/ChangeOrderRequiredAction.ts"
import { DocumentExtraction } from "./resources/DocumentExtraction.ts"
import { Fulfillment } from "./resources/Fulfillment.ts"
import { Holiday } from "./resources/Holiday.ts"
import { InboundInspection } from "./resources/InboundInspection.ts"
import { JobOperationStepRecord } from "./resources/JobOperationStepRecord.ts"
import { JournalLine } from "./resources/JournalLine.ts"
import { Kanban } from "./resources/Kanban.ts"
import { MaintenanceScheduleItem } from "./resources/MaintenanceScheduleItem.ts"
import { NonConformance } from "./resources/NonConformance.ts"
import { OauthClient } from "./resources/OauthClient.ts"
import { OauthCode } from "./resources/OauthCode.ts"
import { PaymentTerm } from "./resources/PaymentTerm.ts"
import { PurchaseOrderDelivery } from "./resources/PurchaseOrderDelivery.ts"
import { PurchaseOrderStatusHistory } from "./resources/PurchaseOrderStatusHistory.ts"
import { QualityDocumentStep } from "./resources/QualityDocumentStep.ts"
import { SalesOrderFavorite } from "./resources/SalesOrderFavorite.ts"
import { SalesOrderPayment } from "./resources/SalesOrderPayment.ts"
import { ShipmentFixedAssetLine } from "./resources/ShipmentFixedAssetLine.ts"
import { TrackedActivityOutput } from "./resources/TrackedActivityOutput.ts"
import { WarehouseTransfer } from "./resources/WarehouseTransfer.ts"
import { WarehouseTransferLine } from "./resources/WarehouseTransferLine.ts"
import { Webhook } from "./resources/Webhook.ts"
import { WebhookTable } from "./resources/WebhookTable.ts"
import { WorkCenterShift } from "./resources/WorkCenterShift.ts"
import { WorkflowTriggerEvent } from "./resources/WorkflowTriggerEvent.ts"

/** The 29 resources. */
export const resources = [
  OauthCode,
  OauthClient,
  AssemblyPlanJob,
  WorkCenterShift,
  Fulfillment,
  SalesOrderFavorite,
  InboundInspection,
  NonConformance,
  WarehouseTransferLine,
  WarehouseTransfer,
  PurchaseOrderDelivery,
  SalesOrderPayment,
  QualityDocumentStep,
  AssemblyInstructionStepTool,
  AssemblyInstructionStepSlide,
  ShipmentFixedAssetLine,
  DocumentExtraction,
  Kanban,
  JournalLine,
  TrackedActivityOutput,
  PaymentTerm,
  WorkflowTriggerEvent,
  ChangeOrderRequiredAction,
  MaintenanceScheduleItem,
  JobOperationStepRecord,
  PurchaseOrderStatusHistory,
  Holiday,
  Webhook,
  WebhookTable
] as const

/** The resources by name. */
export interface ByName extends Resource.ByName<typeof resources> {}

/** The name of a resource: its path without the slash. */
export type Name = keyof ByName

export const byName: ByName = Resource.byName(resources)

/** The resources of a service: those of the contract, or variants of them. */
export interface Resources {
  readonly resources: ReadonlyArray<Resource.Any>
  /** The resource with a name, or `undefined`. */
  readonly find: (name: string) => Resource.Any | undefined
}

const named = new Map<string, Resource.Any>(resources.map((resource) => [resource.resource, resource]))

/** The resource with a name, or `undefined`. */
export const find = (name: string): Resource.Any | undefined => named.get(name)

/** The resource with a path such as `/kanban`, or `undefined`. */
export const fromPath = (path: string): Resource.Any | undefined =>
  path.startsWith("/") ? named.get(path.slice(1)) : undefined

/** A column of a resource that holds a field of another resource. */
export interface Reference {
  readonly child: Resource.Any
  readonly column: string
  readonly parent: Resource.Any
  readonly field: string
}

/** All references between the resources. */
export const references: ReadonlyArray<Reference> = resources.flatMap((child: Resource.Any) =>
  Column.fromResource(child).flatMap(({ name, reference }) => {
    const parent = reference === undefined ? undefined : find(reference.resource)
    return reference === undefined || parent === undefined
      ? []
      : [{ child, column: name, parent, field: reference.field }]
  })
)

/** The references among the variants of resources that belong together. */
const referencesAmong = Memo.make((variantOf: Resource.VariantOf): ReadonlyArray<Reference> =>
  references
    .map((reference) => ({ ...reference, child: variantOf(reference.child), parent: variantOf(reference.parent) }))
    .filter(({ child, column }) => Column.byName(child).has(column))
)

/** The references between a resource and others, or between their variants. */
export const referencesOf = ({ variantOf }: Resource.Any): ReadonlyArray<Reference> =>
  variantOf === undefined ? references : referencesAmong(variantOf)

/** A relationship from one resource to another along a reference, in either direction. */
export interface Relation {
  /** The column of the source. */
  readonly column: string
  readonly target: Resource.Any
  /** The column of the target with the same value. */
  readonly field: string
  /** The number of rows of the target that belong to a row: where `one` matches several, it is the first by key. */
  readonly cardinality: "one" | "many"
  readonly reference: Reference
}

/** The relationships of a resource. */
export const relations = (resource: Resource.Any): ReadonlyArray<Relation> =>
  referencesOf(resource).flatMap((reference) => {
    const { child, column, field, parent } = reference
    const up: Relation = { column, target: parent, field, cardinality: "one", reference }
    const down: Relation = {
      column: field,
      target: child,
      field: column,
      cardinality: child.key === column ? "one" : "many",
      reference
    }
    return [...(child === resource ? [up] : []), ...(parent === resource ? [down] : [])]
  })

const parentsFirst = (): ReadonlyArray<Resource.Any> => {
  const order = new Set<Resource.Any>()
  const visit = (resource: Resource.Any): void => {
    for (const { child, parent } of references) if (child === resource && !order.has(parent)) visit(parent)
    order.add(resource)
  }
  for (const resource of resources) visit(resource)
  return [...order]
}

/** The resources with parents before their children: the order for writing rows. */
export const importOrder: ReadonlyArray<Resource.Any> = parentsFirst()

/** The resources with children before their parents: the order for deleting rows. */
export const deletionOrder: ReadonlyArray<Resource.Any> = importOrder.toReversed()
