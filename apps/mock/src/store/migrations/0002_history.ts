/**
 * The history of the rows: the changes, the time since which they are kept, and for each resource the rows that a
 * change overwrote or deleted, without their sensitive values. One file, because a migration is one script that stays as
 * it was released.
 */
export const sqlite = `
CREATE TABLE "_historySpan" ("id" INTEGER PRIMARY KEY, "begins" INTEGER NOT NULL, "ended" INTEGER) STRICT;

CREATE TABLE "_history" (
  "sequence" INTEGER PRIMARY KEY, "at" INTEGER NOT NULL, "companyId" TEXT NOT NULL, "resource" TEXT NOT NULL,
  "key" TEXT NOT NULL, "ownerId" TEXT, "kind" TEXT NOT NULL, "revision" INTEGER NOT NULL, "hides" INTEGER NOT NULL,
  "requestId" TEXT, "request" TEXT, "apiKey" TEXT, "userId" TEXT
) STRICT;
CREATE INDEX "_history_key" ON "_history" ("companyId", "resource", "key", "at");
CREATE INDEX "_history_deleted" ON "_history" ("companyId", "resource", "key", "at") WHERE "kind" = 'DELETE';
CREATE INDEX "_history_hidden" ON "_history" ("companyId", "resource", "at") WHERE "hides" = 1;

CREATE TABLE "_past_oauthClient" (
  "_change" INTEGER PRIMARY KEY, "_sequence" INTEGER NOT NULL, "_tenant" TEXT NOT NULL, "id" TEXT, "name" TEXT,
  "clientId" TEXT, "tokenEndpointAuthMethod" TEXT, "clientSecret" TEXT, "companyId" TEXT, "clientUri" TEXT,
  "logoUri" TEXT, "scope" TEXT, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL
) STRICT;

CREATE TABLE "_past_oauthCode" (
  "_change" INTEGER PRIMARY KEY, "_sequence" INTEGER NOT NULL, "_tenant" TEXT NOT NULL, "id" TEXT,
  "createdAt" INTEGER, "code" TEXT, "clientId" TEXT, "userId" TEXT, "companyId" TEXT, "redirectUri" TEXT,
  "expiresAt" INTEGER, "codeChallenge" TEXT, "codeChallengeMethod" TEXT, "scope" TEXT, "_doc" TEXT NOT NULL,
  "_revision" INTEGER NOT NULL
) STRICT;

CREATE TABLE "_past_assemblyPlanJob" (
  "_change" INTEGER PRIMARY KEY, "_sequence" INTEGER NOT NULL, "_tenant" TEXT NOT NULL, "id" TEXT, "createdBy" TEXT,
  "createdAt" INTEGER, "modelUploadId" TEXT, "kind" TEXT, "status" TEXT, "companyId" TEXT, "planPath" TEXT,
  "error" TEXT, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL
) STRICT;

CREATE TABLE "_past_workCenterShift" (
  "_change" INTEGER PRIMARY KEY, "_sequence" INTEGER NOT NULL, "_tenant" TEXT NOT NULL, "id" TEXT, "companyId" TEXT,
  "createdBy" TEXT, "createdAt" INTEGER, "updatedBy" TEXT, "updatedAt" INTEGER, "workCenterId" TEXT, "shiftId" TEXT,
  "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL
) STRICT;

CREATE TABLE "_past_fulfillment" (
  "_change" INTEGER PRIMARY KEY, "_sequence" INTEGER NOT NULL, "_tenant" TEXT NOT NULL, "id" TEXT,
  "createdAt" INTEGER, "createdBy" TEXT, "salesOrderLineId" TEXT, "type" TEXT, "quantity" REAL, "companyId" TEXT,
  "jobId" TEXT, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL
) STRICT;

CREATE TABLE "_past_salesOrderFavorite" (
  "_change" INTEGER PRIMARY KEY, "_sequence" INTEGER NOT NULL, "_tenant" TEXT NOT NULL, "_user" TEXT NOT NULL,
  "userId" TEXT, "salesOrderId" TEXT, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL
) STRICT;

CREATE TABLE "_past_inboundInspection" (
  "_change" INTEGER PRIMARY KEY, "_sequence" INTEGER NOT NULL, "_tenant" TEXT NOT NULL, "id" TEXT,
  "inboundInspectionId" TEXT, "receiptLineId" TEXT, "receiptId" TEXT, "itemId" TEXT, "lotSize" REAL,
  "samplingStandard" TEXT, "samplingPlanType" TEXT, "sampleSize" REAL, "acceptanceNumber" REAL,
  "rejectionNumber" REAL, "status" TEXT, "companyId" TEXT, "itemReadableId" TEXT, "supplierId" TEXT, "aql" REAL,
  "inspectionLevel" TEXT, "severity" TEXT, "codeLetter" TEXT, "notes" TEXT, "dispositionedBy" TEXT,
  "dispositionedAt" INTEGER, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL
) STRICT;

CREATE TABLE "_past_nonConformance" (
  "_change" INTEGER PRIMARY KEY, "_sequence" INTEGER NOT NULL, "_tenant" TEXT NOT NULL, "id" TEXT,
  "nonConformanceId" TEXT, "name" TEXT, "source" TEXT, "status" TEXT, "locationId" TEXT, "nonConformanceTypeId" TEXT,
  "openDate" TEXT, "quantity" REAL, "description" TEXT, "priority" TEXT, "approvalRequirements" TEXT,
  "nonConformanceWorkflowId" TEXT, "dueDate" TEXT, "closeDate" TEXT, "assignee" TEXT, "companyId" TEXT,
  "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL
) STRICT;

CREATE TABLE "_past_warehouseTransfer" (
  "_change" INTEGER PRIMARY KEY, "_sequence" INTEGER NOT NULL, "_tenant" TEXT NOT NULL, "id" TEXT, "createdBy" TEXT,
  "createdAt" INTEGER, "transferId" TEXT, "fromLocationId" TEXT, "toLocationId" TEXT, "status" TEXT, "companyId" TEXT,
  "transferDate" TEXT, "expectedReceiptDate" TEXT, "notes" TEXT, "reference" TEXT, "_doc" TEXT NOT NULL,
  "_revision" INTEGER NOT NULL
) STRICT;

CREATE TABLE "_past_warehouseTransferLine" (
  "_change" INTEGER PRIMARY KEY, "_sequence" INTEGER NOT NULL, "_tenant" TEXT NOT NULL, "id" TEXT, "transferId" TEXT,
  "itemId" TEXT, "quantity" REAL, "shippedQuantity" REAL, "receivedQuantity" REAL, "fromLocationId" TEXT,
  "toLocationId" TEXT, "companyId" TEXT, "fromStorageUnitId" TEXT, "toStorageUnitId" TEXT, "unitOfMeasureCode" TEXT,
  "notes" TEXT, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL
) STRICT;

CREATE TABLE "_past_purchaseOrderDelivery" (
  "_change" INTEGER PRIMARY KEY, "_sequence" INTEGER NOT NULL, "_tenant" TEXT NOT NULL, "id" TEXT,
  "dropShipment" INTEGER, "companyId" TEXT, "supplierShippingCost" REAL, "locationId" TEXT, "shippingMethodId" TEXT,
  "shippingTermId" TEXT, "receiptRequestedDate" TEXT, "receiptPromisedDate" TEXT, "deliveryDate" TEXT, "notes" TEXT,
  "trackingNumber" TEXT, "customerId" TEXT, "customerLocationId" TEXT, "incoterm" TEXT, "incotermLocation" TEXT,
  "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL
) STRICT;

CREATE TABLE "_past_paymentTerm" (
  "_change" INTEGER PRIMARY KEY, "_sequence" INTEGER NOT NULL, "_tenant" TEXT NOT NULL, "id" TEXT, "name" TEXT,
  "daysDue" REAL, "daysDiscount" REAL, "discountPercentage" REAL, "calculationMethod" TEXT, "active" INTEGER,
  "companyId" TEXT, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL
) STRICT;

CREATE TABLE "_past_salesOrderPayment" (
  "_change" INTEGER PRIMARY KEY, "_sequence" INTEGER NOT NULL, "_tenant" TEXT NOT NULL, "id" TEXT,
  "updatedAt" INTEGER, "paymentComplete" INTEGER, "companyId" TEXT, "invoiceCustomerId" TEXT,
  "invoiceCustomerLocationId" TEXT, "invoiceCustomerContactId" TEXT, "paymentTermId" TEXT, "_doc" TEXT NOT NULL,
  "_revision" INTEGER NOT NULL
) STRICT;

CREATE TABLE "_past_qualityDocumentStep" (
  "_change" INTEGER PRIMARY KEY, "_sequence" INTEGER NOT NULL, "_tenant" TEXT NOT NULL, "id" TEXT,
  "createdAt" INTEGER, "createdBy" TEXT, "qualityDocumentId" TEXT, "name" TEXT, "sortOrder" REAL, "type" TEXT,
  "description" TEXT, "required" INTEGER, "unitOfMeasureCode" TEXT, "minValue" REAL, "maxValue" REAL,
  "companyId" TEXT, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL
) STRICT;

CREATE TABLE "_past_assemblyInstructionStepTool" (
  "_change" INTEGER PRIMARY KEY, "_sequence" INTEGER NOT NULL, "_tenant" TEXT NOT NULL, "id" TEXT, "createdBy" TEXT,
  "createdAt" INTEGER, "stepId" TEXT, "itemId" TEXT, "quantity" REAL, "sortOrder" REAL, "companyId" TEXT,
  "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL
) STRICT;

CREATE TABLE "_past_assemblyInstructionStepSlide" (
  "_change" INTEGER PRIMARY KEY, "_sequence" INTEGER NOT NULL, "_tenant" TEXT NOT NULL, "id" TEXT, "createdBy" TEXT,
  "createdAt" INTEGER, "stepId" TEXT, "sortOrder" REAL, "size" TEXT, "companyId" TEXT, "imagePath" TEXT,
  "modelUploadId" TEXT, "caption" TEXT, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL
) STRICT;

CREATE TABLE "_past_shipmentFixedAssetLine" (
  "_change" INTEGER PRIMARY KEY, "_sequence" INTEGER NOT NULL, "_tenant" TEXT NOT NULL, "id" TEXT, "createdBy" TEXT,
  "createdAt" INTEGER, "shipmentId" TEXT, "salesOrderLineId" TEXT, "shipped" INTEGER, "companyId" TEXT,
  "serialNumber" TEXT, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL
) STRICT;

CREATE TABLE "_past_documentExtraction" (
  "_change" INTEGER PRIMARY KEY, "_sequence" INTEGER NOT NULL, "_tenant" TEXT NOT NULL, "id" TEXT, "companyId" TEXT,
  "createdBy" TEXT, "createdAt" INTEGER, "sourceDocument" TEXT, "storagePath" TEXT, "documentType" TEXT,
  "status" TEXT, "sourceDocumentId" TEXT, "error" TEXT, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL
) STRICT;

CREATE TABLE "_past_kanban" (
  "_change" INTEGER PRIMARY KEY, "_sequence" INTEGER NOT NULL, "_tenant" TEXT NOT NULL, "id" TEXT, "companyId" TEXT,
  "itemId" TEXT, "replenishmentSystem" TEXT, "quantity" REAL, "locationId" TEXT, "conversionFactor" REAL,
  "autoRelease" INTEGER, "autoStartJob" INTEGER, "storageUnitId" TEXT, "supplierId" TEXT,
  "purchaseUnitOfMeasureCode" TEXT, "completedBarcodeOverride" TEXT, "jobId" TEXT, "_doc" TEXT NOT NULL,
  "_revision" INTEGER NOT NULL
) STRICT;

CREATE TABLE "_past_journalLine" (
  "_change" INTEGER PRIMARY KEY, "_sequence" INTEGER NOT NULL, "_tenant" TEXT NOT NULL, "id" TEXT,
  "createdAt" INTEGER, "journalId" TEXT, "amount" REAL, "quantity" REAL, "journalLineReference" TEXT,
  "accrual" INTEGER, "companyId" TEXT, "description" TEXT, "documentType" TEXT, "documentId" TEXT,
  "externalDocumentId" TEXT, "documentLineReference" TEXT, "accountId" TEXT, "intercompanyPartnerId" TEXT,
  "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL
) STRICT;

CREATE TABLE "_past_trackedActivityOutput" (
  "_change" INTEGER PRIMARY KEY, "_sequence" INTEGER NOT NULL, "_tenant" TEXT NOT NULL, "trackedActivityId" TEXT,
  "trackedEntityId" TEXT, "createdAt" INTEGER, "createdBy" TEXT, "updatedBy" TEXT, "quantity" REAL, "companyId" TEXT,
  "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL
) STRICT;

CREATE TABLE "_past_workflowTriggerEvent" (
  "_change" INTEGER PRIMARY KEY, "_sequence" INTEGER NOT NULL, "_tenant" TEXT NOT NULL, "id" TEXT, "companyId" TEXT,
  "createdAt" INTEGER, "workflowId" TEXT, "workflowVersionId" TEXT, "eventId" TEXT, "origin" TEXT,
  "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL
) STRICT;

CREATE TABLE "_past_changeOrderRequiredAction" (
  "_change" INTEGER PRIMARY KEY, "_sequence" INTEGER NOT NULL, "_tenant" TEXT NOT NULL, "id" TEXT, "companyId" TEXT,
  "createdBy" TEXT, "createdAt" INTEGER, "updatedBy" TEXT, "updatedAt" INTEGER, "name" TEXT, "active" INTEGER,
  "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL
) STRICT;

CREATE TABLE "_past_maintenanceScheduleItem" (
  "_change" INTEGER PRIMARY KEY, "_sequence" INTEGER NOT NULL, "_tenant" TEXT NOT NULL, "id" TEXT, "createdBy" TEXT,
  "createdAt" INTEGER, "maintenanceScheduleId" TEXT, "itemId" TEXT, "quantity" REAL, "unitOfMeasureCode" TEXT,
  "companyId" TEXT, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL
) STRICT;

CREATE TABLE "_past_jobOperationStepRecord" (
  "_change" INTEGER PRIMARY KEY, "_sequence" INTEGER NOT NULL, "_tenant" TEXT NOT NULL, "id" TEXT,
  "createdAt" INTEGER, "createdBy" TEXT, "jobOperationStepId" TEXT, "companyId" TEXT, "index" REAL, "value" TEXT,
  "numericValue" REAL, "booleanValue" INTEGER, "userValue" TEXT, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL
) STRICT;

CREATE TABLE "_past_purchaseOrderStatusHistory" (
  "_change" INTEGER PRIMARY KEY, "_sequence" INTEGER NOT NULL, "_tenant" TEXT NOT NULL, "id" TEXT,
  "createdAt" INTEGER, "createdBy" TEXT, "updatedBy" TEXT, "purchaseOrderId" TEXT, "status" TEXT, "companyId" TEXT,
  "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL
) STRICT;

CREATE TABLE "_past_holiday" (
  "_change" INTEGER PRIMARY KEY, "_sequence" INTEGER NOT NULL, "_tenant" TEXT NOT NULL, "id" TEXT, "createdBy" TEXT,
  "createdAt" INTEGER, "updatedBy" TEXT, "name" TEXT, "date" TEXT, "companyId" TEXT, "year" REAL,
  "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL
) STRICT;

CREATE TABLE "_past_webhookTable" (
  "_change" INTEGER PRIMARY KEY, "_sequence" INTEGER NOT NULL, "_tenant" TEXT NOT NULL, "table" TEXT, "module" TEXT,
  "name" TEXT, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL
) STRICT;

CREATE TABLE "_past_webhook" (
  "_change" INTEGER PRIMARY KEY, "_sequence" INTEGER NOT NULL, "_tenant" TEXT NOT NULL, "id" TEXT, "name" TEXT,
  "table" TEXT, "url" TEXT, "active" INTEGER, "onInsert" INTEGER, "onUpdate" INTEGER, "onDelete" INTEGER,
  "successCount" REAL, "errorCount" REAL, "companyId" TEXT, "lastSuccess" INTEGER, "lastError" INTEGER,
  "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL
) STRICT;
`
