/**
 * The ids of all resources that the contract names, including those without a path.
 */
import * as Id from "./Id.ts"

export const AccountId = Id.make("account")
export type AccountId = typeof AccountId.Type

export const AssemblyInstructionStepId = Id.make("assemblyInstructionStep")
export type AssemblyInstructionStepId = typeof AssemblyInstructionStepId.Type

export const AssemblyInstructionStepSlideId = Id.make("assemblyInstructionStepSlide")
export type AssemblyInstructionStepSlideId = typeof AssemblyInstructionStepSlideId.Type

export const AssemblyInstructionStepToolId = Id.make("assemblyInstructionStepTool")
export type AssemblyInstructionStepToolId = typeof AssemblyInstructionStepToolId.Type

export const AssemblyPlanJobId = Id.make("assemblyPlanJob")
export type AssemblyPlanJobId = typeof AssemblyPlanJobId.Type

export const ChangeOrderRequiredActionId = Id.make("changeOrderRequiredAction")
export type ChangeOrderRequiredActionId = typeof ChangeOrderRequiredActionId.Type

export const CompanyId = Id.make("company")
export type CompanyId = typeof CompanyId.Type

export const CustomerContactId = Id.make("customerContact")
export type CustomerContactId = typeof CustomerContactId.Type

export const CustomerLocationId = Id.make("customerLocation")
export type CustomerLocationId = typeof CustomerLocationId.Type

export const DocumentExtractionId = Id.make("documentExtraction")
export type DocumentExtractionId = typeof DocumentExtractionId.Type

export const FulfillmentId = Id.make("fulfillment")
export type FulfillmentId = typeof FulfillmentId.Type

export const HolidayId = Id.make("holiday")
export type HolidayId = typeof HolidayId.Type

export const InboundInspectionId = Id.make("inboundInspection")
export type InboundInspectionId = typeof InboundInspectionId.Type

export const ItemId = Id.make("item")
export type ItemId = typeof ItemId.Type

export const JobId = Id.make("job")
export type JobId = typeof JobId.Type

export const JobOperationStepId = Id.make("jobOperationStep")
export type JobOperationStepId = typeof JobOperationStepId.Type

export const JobOperationStepRecordId = Id.make("jobOperationStepRecord")
export type JobOperationStepRecordId = typeof JobOperationStepRecordId.Type

export const JournalId = Id.make("journal")
export type JournalId = typeof JournalId.Type

export const JournalLineId = Id.make("journalLine")
export type JournalLineId = typeof JournalLineId.Type

export const KanbanId = Id.make("kanban")
export type KanbanId = typeof KanbanId.Type

export const LocationId = Id.make("location")
export type LocationId = typeof LocationId.Type

export const MaintenanceScheduleId = Id.make("maintenanceSchedule")
export type MaintenanceScheduleId = typeof MaintenanceScheduleId.Type

export const MaintenanceScheduleItemId = Id.make("maintenanceScheduleItem")
export type MaintenanceScheduleItemId = typeof MaintenanceScheduleItemId.Type

export const ModelUploadId = Id.make("modelUpload")
export type ModelUploadId = typeof ModelUploadId.Type

export const NonConformanceId = Id.make("nonConformance")
export type NonConformanceId = typeof NonConformanceId.Type

export const NonConformanceTypeId = Id.make("nonConformanceType")
export type NonConformanceTypeId = typeof NonConformanceTypeId.Type

export const NonConformanceWorkflowId = Id.make("nonConformanceWorkflow")
export type NonConformanceWorkflowId = typeof NonConformanceWorkflowId.Type

export const OauthClientId = Id.make("oauthClient")
export type OauthClientId = typeof OauthClientId.Type

export const OauthClientIdentifier = Id.make("oauthClient", "clientId")
export type OauthClientIdentifier = typeof OauthClientIdentifier.Type

export const OauthCodeId = Id.make("oauthCode")
export type OauthCodeId = typeof OauthCodeId.Type

export const PaymentTermId = Id.make("paymentTerm")
export type PaymentTermId = typeof PaymentTermId.Type

export const PurchaseOrderDeliveryId = Id.make("purchaseOrderDelivery")
export type PurchaseOrderDeliveryId = typeof PurchaseOrderDeliveryId.Type

export const PurchaseOrderId = Id.make("purchaseOrder")
export type PurchaseOrderId = typeof PurchaseOrderId.Type

export const PurchaseOrderStatusHistoryId = Id.make("purchaseOrderStatusHistory")
export type PurchaseOrderStatusHistoryId = typeof PurchaseOrderStatusHistoryId.Type

export const QualityDocumentId = Id.make("qualityDocument")
export type QualityDocumentId = typeof QualityDocumentId.Type

export const QualityDocumentStepId = Id.make("qualityDocumentStep")
export type QualityDocumentStepId = typeof QualityDocumentStepId.Type

export const ReceiptId = Id.make("receipt")
export type ReceiptId = typeof ReceiptId.Type

export const ReceiptLineId = Id.make("receiptLine")
export type ReceiptLineId = typeof ReceiptLineId.Type

export const SalesOrderId = Id.make("salesOrderFavorite", "salesOrderId")
export type SalesOrderId = typeof SalesOrderId.Type

export const SalesOrderLineId = Id.make("salesOrderLine")
export type SalesOrderLineId = typeof SalesOrderLineId.Type

export const SalesOrderPaymentId = Id.make("salesOrderPayment")
export type SalesOrderPaymentId = typeof SalesOrderPaymentId.Type

export const ShiftId = Id.make("shift")
export type ShiftId = typeof ShiftId.Type

export const ShipmentFixedAssetLineId = Id.make("shipmentFixedAssetLine")
export type ShipmentFixedAssetLineId = typeof ShipmentFixedAssetLineId.Type

export const ShipmentId = Id.make("shipment")
export type ShipmentId = typeof ShipmentId.Type

export const ShippingMethodId = Id.make("shippingMethod")
export type ShippingMethodId = typeof ShippingMethodId.Type

export const ShippingTermId = Id.make("shippingTerm")
export type ShippingTermId = typeof ShippingTermId.Type

export const StorageUnitId = Id.make("storageUnit")
export type StorageUnitId = typeof StorageUnitId.Type

export const SupplierId = Id.make("supplier")
export type SupplierId = typeof SupplierId.Type

export const TrackedActivityId = Id.make("trackedActivityOutput", "trackedActivityId")
export type TrackedActivityId = typeof TrackedActivityId.Type

export const TrackedEntityId = Id.make("trackedActivityOutput", "trackedEntityId")
export type TrackedEntityId = typeof TrackedEntityId.Type

export const UserId = Id.make("user")
export type UserId = typeof UserId.Type

export const WarehouseTransferId = Id.make("warehouseTransfer")
export type WarehouseTransferId = typeof WarehouseTransferId.Type

export const WarehouseTransferLineId = Id.make("warehouseTransferLine")
export type WarehouseTransferLineId = typeof WarehouseTransferLineId.Type

export const WebhookId = Id.make("webhook")
export type WebhookId = typeof WebhookId.Type

export const WebhookTableName = Id.make("webhookTable", "table")
export type WebhookTableName = typeof WebhookTableName.Type

export const WorkCenterId = Id.make("workCenter")
export type WorkCenterId = typeof WorkCenterId.Type

export const WorkCenterShiftId = Id.make("workCenterShift")
export type WorkCenterShiftId = typeof WorkCenterShiftId.Type

export const WorkflowTriggerEventId = Id.make("workflowTriggerEvent")
export type WorkflowTriggerEventId = typeof WorkflowTriggerEventId.Type
