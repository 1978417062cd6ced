/**
 * The ids of all resources that the contract names, including those without a path.
 */
import type * as Brand from "effect/Brand"
import * as Id from "./Id.ts"

export const AccountId = Id.make<AccountId>("account")
export type AccountId = string & Brand.Brand<"account.id">

export const AssemblyInstructionStepId = Id.make<AssemblyInstructionStepId>("assemblyInstructionStep")
export type AssemblyInstructionStepId = string & Brand.Brand<"assemblyInstructionStep.id">

export const AssemblyInstructionStepSlideId = Id.make<AssemblyInstructionStepSlideId>("assemblyInstructionStepSlide")
export type AssemblyInstructionStepSlideId = string & Brand.Brand<"assemblyInstructionStepSlide.id">

export const AssemblyInstructionStepToolId = Id.make<AssemblyInstructionStepToolId>("assemblyInstructionStepTool")
export type AssemblyInstructionStepToolId = string & Brand.Brand<"assemblyInstructionStepTool.id">

export const AssemblyPlanJobId = Id.make<AssemblyPlanJobId>("assemblyPlanJob")
export type AssemblyPlanJobId = string & Brand.Brand<"assemblyPlanJob.id">

export const ChangeOrderRequiredActionId = Id.make<ChangeOrderRequiredActionId>("changeOrderRequiredAction")
export type ChangeOrderRequiredActionId = string & Brand.Brand<"changeOrderRequiredAction.id">

export const CompanyId = Id.make<CompanyId>("company")
export type CompanyId = string & Brand.Brand<"company.id">

export const CustomerContactId = Id.make<CustomerContactId>("customerContact")
export type CustomerContactId = string & Brand.Brand<"customerContact.id">

export const CustomerLocationId = Id.make<CustomerLocationId>("customerLocation")
export type CustomerLocationId = string & Brand.Brand<"customerLocation.id">

export const DocumentExtractionId = Id.make<DocumentExtractionId>("documentExtraction")
export type DocumentExtractionId = string & Brand.Brand<"documentExtraction.id">

export const FulfillmentId = Id.make<FulfillmentId>("fulfillment")
export type FulfillmentId = string & Brand.Brand<"fulfillment.id">

export const HolidayId = Id.make<HolidayId>("holiday")
export type HolidayId = string & Brand.Brand<"holiday.id">

export const InboundInspectionId = Id.make<InboundInspectionId>("inboundInspection")
export type InboundInspectionId = string & Brand.Brand<"inboundInspection.id">

export const ItemId = Id.make<ItemId>("item")
export type ItemId = string & Brand.Brand<"item.id">

export const JobId = Id.make<JobId>("job")
export type JobId = string & Brand.Brand<"job.id">

export const JobOperationStepId = Id.make<JobOperationStepId>("jobOperationStep")
export type JobOperationStepId = string & Brand.Brand<"jobOperationStep.id">

export const JobOperationStepRecordId = Id.make<JobOperationStepRecordId>("jobOperationStepRecord")
export type JobOperationStepRecordId = string & Brand.Brand<"jobOperationStepRecord.id">

export const JournalId = Id.make<JournalId>("journal")
export type JournalId = string & Brand.Brand<"journal.id">

export const JournalLineId = Id.make<JournalLineId>("journalLine")
export type JournalLineId = string & Brand.Brand<"journalLine.id">

export const KanbanId = Id.make<KanbanId>("kanban")
export type KanbanId = string & Brand.Brand<"kanban.id">

export const LocationId = Id.make<LocationId>("location")
export type LocationId = string & Brand.Brand<"location.id">

export const MaintenanceScheduleId = Id.make<MaintenanceScheduleId>("maintenanceSchedule")
export type MaintenanceScheduleId = string & Brand.Brand<"maintenanceSchedule.id">

export const MaintenanceScheduleItemId = Id.make<MaintenanceScheduleItemId>("maintenanceScheduleItem")
export type MaintenanceScheduleItemId = string & Brand.Brand<"maintenanceScheduleItem.id">

export const ModelUploadId = Id.make<ModelUploadId>("modelUpload")
export type ModelUploadId = string & Brand.Brand<"modelUpload.id">

export const NonConformanceId = Id.make<NonConformanceId>("nonConformance")
export type NonConformanceId = string & Brand.Brand<"nonConformance.id">

export const NonConformanceTypeId = Id.make<NonConformanceTypeId>("nonConformanceType")
export type NonConformanceTypeId = string & Brand.Brand<"nonConformanceType.id">

export const NonConformanceWorkflowId = Id.make<NonConformanceWorkflowId>("nonConformanceWorkflow")
export type NonConformanceWorkflowId = string & Brand.Brand<"nonConformanceWorkflow.id">

export const OauthClientId = Id.make<OauthClientId>("oauthClient")
export type OauthClientId = string & Brand.Brand<"oauthClient.id">

export const OauthClientIdentifier = Id.make<OauthClientIdentifier>("oauthClient", "clientId")
export type OauthClientIdentifier = string & Brand.Brand<"oauthClient.clientId">

export const OauthCodeId = Id.make<OauthCodeId>("oauthCode")
export type OauthCodeId = string & Brand.Brand<"oauthCode.id">

export const PaymentTermId = Id.make<PaymentTermId>("paymentTerm")
export type PaymentTermId = string & Brand.Brand<"paymentTerm.id">

export const PurchaseOrderDeliveryId = Id.make<PurchaseOrderDeliveryId>("purchaseOrderDelivery")
export type PurchaseOrderDeliveryId = string & Brand.Brand<"purchaseOrderDelivery.id">

export const PurchaseOrderId = Id.make<PurchaseOrderId>("purchaseOrder")
export type PurchaseOrderId = string & Brand.Brand<"purchaseOrder.id">

export const PurchaseOrderStatusHistoryId = Id.make<PurchaseOrderStatusHistoryId>("purchaseOrderStatusHistory")
export type PurchaseOrderStatusHistoryId = string & Brand.Brand<"purchaseOrderStatusHistory.id">

export const QualityDocumentId = Id.make<QualityDocumentId>("qualityDocument")
export type QualityDocumentId = string & Brand.Brand<"qualityDocument.id">

export const QualityDocumentStepId = Id.make<QualityDocumentStepId>("qualityDocumentStep")
export type QualityDocumentStepId = string & Brand.Brand<"qualityDocumentStep.id">

export const ReceiptId = Id.make<ReceiptId>("receipt")
export type ReceiptId = string & Brand.Brand<"receipt.id">

export const ReceiptLineId = Id.make<ReceiptLineId>("receiptLine")
export type ReceiptLineId = string & Brand.Brand<"receiptLine.id">

export const SalesOrderId = Id.make<SalesOrderId>("salesOrderFavorite", "salesOrderId")
export type SalesOrderId = string & Brand.Brand<"salesOrderFavorite.salesOrderId">

export const SalesOrderLineId = Id.make<SalesOrderLineId>("salesOrderLine")
export type SalesOrderLineId = string & Brand.Brand<"salesOrderLine.id">

export const SalesOrderPaymentId = Id.make<SalesOrderPaymentId>("salesOrderPayment")
export type SalesOrderPaymentId = string & Brand.Brand<"salesOrderPayment.id">

export const ShiftId = Id.make<ShiftId>("shift")
export type ShiftId = string & Brand.Brand<"shift.id">

export const ShipmentFixedAssetLineId = Id.make<ShipmentFixedAssetLineId>("shipmentFixedAssetLine")
export type ShipmentFixedAssetLineId = string & Brand.Brand<"shipmentFixedAssetLine.id">

export const ShipmentId = Id.make<ShipmentId>("shipment")
export type ShipmentId = string & Brand.Brand<"shipment.id">

export const ShippingMethodId = Id.make<ShippingMethodId>("shippingMethod")
export type ShippingMethodId = string & Brand.Brand<"shippingMethod.id">

export const ShippingTermId = Id.make<ShippingTermId>("shippingTerm")
export type ShippingTermId = string & Brand.Brand<"shippingTerm.id">

export const StorageUnitId = Id.make<StorageUnitId>("storageUnit")
export type StorageUnitId = string & Brand.Brand<"storageUnit.id">

export const SupplierId = Id.make<SupplierId>("supplier")
export type SupplierId = string & Brand.Brand<"supplier.id">

export const TrackedActivityId = Id.make<TrackedActivityId>("trackedActivityOutput", "trackedActivityId")
export type TrackedActivityId = string & Brand.Brand<"trackedActivityOutput.trackedActivityId">

export const TrackedEntityId = Id.make<TrackedEntityId>("trackedActivityOutput", "trackedEntityId")
export type TrackedEntityId = string & Brand.Brand<"trackedActivityOutput.trackedEntityId">

export const UserId = Id.make<UserId>("user")
export type UserId = string & Brand.Brand<"user.id">

export const WarehouseTransferId = Id.make<WarehouseTransferId>("warehouseTransfer")
export type WarehouseTransferId = string & Brand.Brand<"warehouseTransfer.id">

export const WarehouseTransferLineId = Id.make<WarehouseTransferLineId>("warehouseTransferLine")
export type WarehouseTransferLineId = string & Brand.Brand<"warehouseTransferLine.id">

export const WebhookId = Id.make<WebhookId>("webhook")
export type WebhookId = string & Brand.Brand<"webhook.id">

export const WebhookTableName = Id.make<WebhookTableName>("webhookTable", "table")
export type WebhookTableName = string & Brand.Brand<"webhookTable.table">

export const WorkCenterId = Id.make<WorkCenterId>("workCenter")
export type WorkCenterId = string & Brand.Brand<"workCenter.id">

export const WorkCenterShiftId = Id.make<WorkCenterShiftId>("workCenterShift")
export type WorkCenterShiftId = string & Brand.Brand<"workCenterShift.id">

export const WorkflowTriggerEventId = Id.make<WorkflowTriggerEventId>("workflowTriggerEvent")
export type WorkflowTriggerEventId = string & Brand.Brand<"workflowTriggerEvent.id">
