/**
 * The ids of all resources that the contract names, including those without a path.
 */
import type * as Brand from "effect/Brand"
import * as Id from "./Id.ts"

export const AccountId = /* @__PURE__ */ Id.make<AccountId>("account")
export type AccountId = string & Brand.Brand<"account.id">

export const AssemblyInstructionStepId = /* @__PURE__ */ Id.make<AssemblyInstructionStepId>("assemblyInstructionStep")
export type AssemblyInstructionStepId = string & Brand.Brand<"assemblyInstructionStep.id">

export const AssemblyInstructionStepSlideId =
  /* @__PURE__ */ Id.make<AssemblyInstructionStepSlideId>("assemblyInstructionStepSlide")
export type AssemblyInstructionStepSlideId = string & Brand.Brand<"assemblyInstructionStepSlide.id">

export const AssemblyInstructionStepToolId =
  /* @__PURE__ */ Id.make<AssemblyInstructionStepToolId>("assemblyInstructionStepTool")
export type AssemblyInstructionStepToolId = string & Brand.Brand<"assemblyInstructionStepTool.id">

export const AssemblyPlanJobId = /* @__PURE__ */ Id.make<AssemblyPlanJobId>("assemblyPlanJob")
export type AssemblyPlanJobId = string & Brand.Brand<"assemblyPlanJob.id">

export const ChangeOrderRequiredActionId =
  /* @__PURE__ */ Id.make<ChangeOrderRequiredActionId>("changeOrderRequiredAction")
export type ChangeOrderRequiredActionId = string & Brand.Brand<"changeOrderRequiredAction.id">

export const CompanyId = /* @__PURE__ */ Id.make<CompanyId>("company")
export type CompanyId = string & Brand.Brand<"company.id">

export const CustomerContactId = /* @__PURE__ */ Id.make<CustomerContactId>("customerContact")
export type CustomerContactId = string & Brand.Brand<"customerContact.id">

export const CustomerLocationId = /* @__PURE__ */ Id.make<CustomerLocationId>("customerLocation")
export type CustomerLocationId = string & Brand.Brand<"customerLocation.id">

export const DocumentExtractionId = /* @__PURE__ */ Id.make<DocumentExtractionId>("documentExtraction")
export type DocumentExtractionId = string & Brand.Brand<"documentExtraction.id">

export const FulfillmentId = /* @__PURE__ */ Id.make<FulfillmentId>("fulfillment")
export type FulfillmentId = string & Brand.Brand<"fulfillment.id">

export const HolidayId = /* @__PURE__ */ Id.make<HolidayId>("holiday")
export type HolidayId = string & Brand.Brand<"holiday.id">

export const InboundInspectionId = /* @__PURE__ */ Id.make<InboundInspectionId>("inboundInspection")
export type InboundInspectionId = string & Brand.Brand<"inboundInspection.id">

export const ItemId = /* @__PURE__ */ Id.make<ItemId>("item")
export type ItemId = string & Brand.Brand<"item.id">

export const JobId = /* @__PURE__ */ Id.make<JobId>("job")
export type JobId = string & Brand.Brand<"job.id">

export const JobOperationStepId = /* @__PURE__ */ Id.make<JobOperationStepId>("jobOperationStep")
export type JobOperationStepId = string & Brand.Brand<"jobOperationStep.id">

export const JobOperationStepRecordId = /* @__PURE__ */ Id.make<JobOperationStepRecordId>("jobOperationStepRecord")
export type JobOperationStepRecordId = string & Brand.Brand<"jobOperationStepRecord.id">

export const JournalId = /* @__PURE__ */ Id.make<JournalId>("journal")
export type JournalId = string & Brand.Brand<"journal.id">

export const JournalLineId = /* @__PURE__ */ Id.make<JournalLineId>("journalLine")
export type JournalLineId = string & Brand.Brand<"journalLine.id">

export const KanbanId = /* @__PURE__ */ Id.make<KanbanId>("kanban")
export type KanbanId = string & Brand.Brand<"kanban.id">

export const LocationId = /* @__PURE__ */ Id.make<LocationId>("location")
export type LocationId = string & Brand.Brand<"location.id">

export const MaintenanceScheduleId = /* @__PURE__ */ Id.make<MaintenanceScheduleId>("maintenanceSchedule")
export type MaintenanceScheduleId = string & Brand.Brand<"maintenanceSchedule.id">

export const MaintenanceScheduleItemId = /* @__PURE__ */ Id.make<MaintenanceScheduleItemId>("maintenanceScheduleItem")
export type MaintenanceScheduleItemId = string & Brand.Brand<"maintenanceScheduleItem.id">

export const ModelUploadId = /* @__PURE__ */ Id.make<ModelUploadId>("modelUpload")
export type ModelUploadId = string & Brand.Brand<"modelUpload.id">

export const NonConformanceId = /* @__PURE__ */ Id.make<NonConformanceId>("nonConformance")
export type NonConformanceId = string & Brand.Brand<"nonConformance.id">

export const NonConformanceTypeId = /* @__PURE__ */ Id.make<NonConformanceTypeId>("nonConformanceType")
export type NonConformanceTypeId = string & Brand.Brand<"nonConformanceType.id">

export const NonConformanceWorkflowId = /* @__PURE__ */ Id.make<NonConformanceWorkflowId>("nonConformanceWorkflow")
export type NonConformanceWorkflowId = string & Brand.Brand<"nonConformanceWorkflow.id">

export const OauthClientId = /* @__PURE__ */ Id.make<OauthClientId>("oauthClient")
export type OauthClientId = string & Brand.Brand<"oauthClient.id">

export const OauthClientIdentifier = /* @__PURE__ */ Id.make<OauthClientIdentifier>("oauthClient", "clientId")
export type OauthClientIdentifier = string & Brand.Brand<"oauthClient.clientId">

export const OauthCodeId = /* @__PURE__ */ Id.make<OauthCodeId>("oauthCode")
export type OauthCodeId = string & Brand.Brand<"oauthCode.id">

export const PaymentTermId = /* @__PURE__ */ Id.make<PaymentTermId>("paymentTerm")
export type PaymentTermId = string & Brand.Brand<"paymentTerm.id">

export const PurchaseOrderDeliveryId = /* @__PURE__ */ Id.make<PurchaseOrderDeliveryId>("purchaseOrderDelivery")
export type PurchaseOrderDeliveryId = string & Brand.Brand<"purchaseOrderDelivery.id">

export const PurchaseOrderId = /* @__PURE__ */ Id.make<PurchaseOrderId>("purchaseOrder")
export type PurchaseOrderId = string & Brand.Brand<"purchaseOrder.id">

export const PurchaseOrderStatusHistoryId =
  /* @__PURE__ */ Id.make<PurchaseOrderStatusHistoryId>("purchaseOrderStatusHistory")
export type PurchaseOrderStatusHistoryId = string & Brand.Brand<"purchaseOrderStatusHistory.id">

export const QualityDocumentId = /* @__PURE__ */ Id.make<QualityDocumentId>("qualityDocument")
export type QualityDocumentId = string & Brand.Brand<"qualityDocument.id">

export const QualityDocumentStepId = /* @__PURE__ */ Id.make<QualityDocumentStepId>("qualityDocumentStep")
export type QualityDocumentStepId = string & Brand.Brand<"qualityDocumentStep.id">

export const ReceiptId = /* @__PURE__ */ Id.make<ReceiptId>("receipt")
export type ReceiptId = string & Brand.Brand<"receipt.id">

export const ReceiptLineId = /* @__PURE__ */ Id.make<ReceiptLineId>("receiptLine")
export type ReceiptLineId = string & Brand.Brand<"receiptLine.id">

export const SalesOrderId = /* @__PURE__ */ Id.make<SalesOrderId>("salesOrderFavorite", "salesOrderId")
export type SalesOrderId = string & Brand.Brand<"salesOrderFavorite.salesOrderId">

export const SalesOrderLineId = /* @__PURE__ */ Id.make<SalesOrderLineId>("salesOrderLine")
export type SalesOrderLineId = string & Brand.Brand<"salesOrderLine.id">

export const SalesOrderPaymentId = /* @__PURE__ */ Id.make<SalesOrderPaymentId>("salesOrderPayment")
export type SalesOrderPaymentId = string & Brand.Brand<"salesOrderPayment.id">

export const ShiftId = /* @__PURE__ */ Id.make<ShiftId>("shift")
export type ShiftId = string & Brand.Brand<"shift.id">

export const ShipmentFixedAssetLineId = /* @__PURE__ */ Id.make<ShipmentFixedAssetLineId>("shipmentFixedAssetLine")
export type ShipmentFixedAssetLineId = string & Brand.Brand<"shipmentFixedAssetLine.id">

export const ShipmentId = /* @__PURE__ */ Id.make<ShipmentId>("shipment")
export type ShipmentId = string & Brand.Brand<"shipment.id">

export const ShippingMethodId = /* @__PURE__ */ Id.make<ShippingMethodId>("shippingMethod")
export type ShippingMethodId = string & Brand.Brand<"shippingMethod.id">

export const ShippingTermId = /* @__PURE__ */ Id.make<ShippingTermId>("shippingTerm")
export type ShippingTermId = string & Brand.Brand<"shippingTerm.id">

export const StorageUnitId = /* @__PURE__ */ Id.make<StorageUnitId>("storageUnit")
export type StorageUnitId = string & Brand.Brand<"storageUnit.id">

export const SupplierId = /* @__PURE__ */ Id.make<SupplierId>("supplier")
export type SupplierId = string & Brand.Brand<"supplier.id">

export const TrackedActivityId = /* @__PURE__ */ Id.make<TrackedActivityId>(
  "trackedActivityOutput",
  "trackedActivityId"
)
export type TrackedActivityId = string & Brand.Brand<"trackedActivityOutput.trackedActivityId">

export const TrackedEntityId = /* @__PURE__ */ Id.make<TrackedEntityId>("trackedActivityOutput", "trackedEntityId")
export type TrackedEntityId = string & Brand.Brand<"trackedActivityOutput.trackedEntityId">

export const UserId = /* @__PURE__ */ Id.make<UserId>("user")
export type UserId = string & Brand.Brand<"user.id">

export const WarehouseTransferId = /* @__PURE__ */ Id.make<WarehouseTransferId>("warehouseTransfer")
export type WarehouseTransferId = string & Brand.Brand<"warehouseTransfer.id">

export const WarehouseTransferLineId = /* @__PURE__ */ Id.make<WarehouseTransferLineId>("warehouseTransferLine")
export type WarehouseTransferLineId = string & Brand.Brand<"warehouseTransferLine.id">

export const WebhookId = /* @__PURE__ */ Id.make<WebhookId>("webhook")
export type WebhookId = string & Brand.Brand<"webhook.id">

export const WebhookTableName = /* @__PURE__ */ Id.make<WebhookTableName>("webhookTable", "table")
export type WebhookTableName = string & Brand.Brand<"webhookTable.table">

export const WorkCenterId = /* @__PURE__ */ Id.make<WorkCenterId>("workCenter")
export type WorkCenterId = string & Brand.Brand<"workCenter.id">

export const WorkCenterShiftId = /* @__PURE__ */ Id.make<WorkCenterShiftId>("workCenterShift")
export type WorkCenterShiftId = string & Brand.Brand<"workCenterShift.id">

export const WorkflowTriggerEventId = /* @__PURE__ */ Id.make<WorkflowTriggerEventId>("workflowTriggerEvent")
export type WorkflowTriggerEventId = string & Brand.Brand<"workflowTriggerEvent.id">
