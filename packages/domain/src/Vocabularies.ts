/**
 * Declares the vocabularies of the contract, with their known words in the public system.
 */
import * as Vocabulary from "./Vocabulary.ts"

export const ModelProcessingStatus = Vocabulary.make("modelProcessingStatus", [
  "Idle",
  "Queued",
  "Processing",
  "Success",
  "Failed"
])
export type ModelProcessingStatus = typeof ModelProcessingStatus.Type

export const FulfillmentType = Vocabulary.make("fulfillmentType", ["Inventory", "Job"])
export type FulfillmentType = typeof FulfillmentType.Type

export const SamplingStandard = Vocabulary.make("samplingStandard", ["ANSI_Z1_4", "ISO_2859_1"])
export type SamplingStandard = typeof SamplingStandard.Type

export const SamplingPlanType = Vocabulary.make("samplingPlanType", ["All", "First", "Percentage", "AQL"])
export type SamplingPlanType = typeof SamplingPlanType.Type

export const InspectionLevel = Vocabulary.make("inspectionLevel", ["I", "II", "III", "S1", "S2", "S3", "S4"])
export type InspectionLevel = typeof InspectionLevel.Type

export const InspectionSeverity = Vocabulary.make("inspectionSeverity", ["Normal", "Tightened", "Reduced"])
export type InspectionSeverity = typeof InspectionSeverity.Type

export const InboundInspectionStatus = Vocabulary.make("inboundInspectionStatus", [
  "Pending",
  "In Progress",
  "Passed",
  "Failed",
  "Partial"
])
export type InboundInspectionStatus = typeof InboundInspectionStatus.Type

export const NonConformanceSource = Vocabulary.make("nonConformanceSource", ["Internal", "External"])
export type NonConformanceSource = typeof NonConformanceSource.Type

export const NonConformanceStatus = Vocabulary.make("nonConformanceStatus", ["Registered", "In Progress", "Closed"])
export type NonConformanceStatus = typeof NonConformanceStatus.Type

export const NonConformancePriority = Vocabulary.make("nonConformancePriority", ["Low", "Medium", "High", "Critical"])
export type NonConformancePriority = typeof NonConformancePriority.Type

export const NonConformanceApproval = Vocabulary.make("nonConformanceApproval", ["MRB"])
export type NonConformanceApproval = typeof NonConformanceApproval.Type

export const WarehouseTransferStatus = Vocabulary.make("warehouseTransferStatus", [
  "Draft",
  "To Ship and Receive",
  "To Ship",
  "To Receive",
  "Completed",
  "Cancelled"
])
export type WarehouseTransferStatus = typeof WarehouseTransferStatus.Type

export const ProcedureStepType = Vocabulary.make("procedureStepType", [
  "Value",
  "Measurement",
  "Checkbox",
  "Timestamp",
  "Person",
  "List",
  "File",
  "Task",
  "Inspection"
])
export type ProcedureStepType = typeof ProcedureStepType.Type

export const DocumentExtractionType = Vocabulary.make("documentExtractionType", ["purchaseInvoice", "salesRfq"])
export type DocumentExtractionType = typeof DocumentExtractionType.Type

export const DocumentExtractionStatus = Vocabulary.make("documentExtractionStatus", [
  "pending",
  "processing",
  "completed",
  "failed"
])
export type DocumentExtractionStatus = typeof DocumentExtractionStatus.Type

export const ItemReplenishmentSystem = Vocabulary.make("itemReplenishmentSystem", ["Buy", "Make", "Buy and Make"])
export type ItemReplenishmentSystem = typeof ItemReplenishmentSystem.Type

export const JournalLineDocumentType = Vocabulary.make("journalLineDocumentType", [
  "Receipt",
  "Invoice",
  "Credit Memo",
  "Blanket Order",
  "Return Order",
  "Sales Shipment",
  "Transfer Shipment",
  "Purchase Receipt",
  "Purchase Invoice",
  "Job Consumption",
  "Job Receipt",
  "Batch Split",
  "Maintenance Consumption",
  "Production Event",
  "Job Close",
  "Payment",
  "Memo",
  "Inventory Adjustment",
  "Inventory Count",
  "Non-Conformance",
  "Inbound Inspection",
  "Scrap"
])
export type JournalLineDocumentType = typeof JournalLineDocumentType.Type

export const PaymentTermCalculationMethod = Vocabulary.make("paymentTermCalculationMethod", [
  "Net",
  "End of Month",
  "Day of Month"
])
export type PaymentTermCalculationMethod = typeof PaymentTermCalculationMethod.Type

export const PurchaseOrderStatus = Vocabulary.make("purchaseOrderStatus", [
  "Draft",
  "To Review",
  "Rejected",
  "To Receive",
  "To Receive and Invoice",
  "To Invoice",
  "Completed",
  "Closed",
  "Planned",
  "Needs Approval"
])
export type PurchaseOrderStatus = typeof PurchaseOrderStatus.Type
