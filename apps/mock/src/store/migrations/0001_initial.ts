/**
 * The first tables: the store's own metadata, companies, users and keys, the 29 resources with parents before their
 * children, attributes, events and idempotent requests. Times are microseconds since 1970 and booleans are 0 or 1; the
 * two times of a user are text, as in the contract. One file, because a migration is one script that stays as it was
 * released.
 */
export const sqlite = `
CREATE TABLE "_meta" ("key" TEXT NOT NULL PRIMARY KEY, "value" TEXT NOT NULL) STRICT;

CREATE TABLE "_company" ("id" TEXT NOT NULL PRIMARY KEY, "name" TEXT NOT NULL) STRICT;

CREATE TABLE "_user" (
  "id" TEXT NOT NULL PRIMARY KEY, "email" TEXT NOT NULL, "firstName" TEXT NOT NULL, "lastName" TEXT NOT NULL,
  "fullName" TEXT, "about" TEXT NOT NULL, "avatarUrl" TEXT, "phone" TEXT, "flags" TEXT NOT NULL, "active" INTEGER,
  "admin" INTEGER, "developer" INTEGER, "acknowledgedITAR" INTEGER NOT NULL, "isConsoleOperator" INTEGER NOT NULL,
  "createdAt" TEXT NOT NULL, "updatedAt" TEXT
) STRICT;

CREATE TABLE "_companyUser" (
  "companyId" TEXT NOT NULL REFERENCES "_company" ("id"), "userId" TEXT NOT NULL REFERENCES "_user" ("id"),
  PRIMARY KEY ("companyId", "userId")
) STRICT;
CREATE INDEX "_companyUser_userId" ON "_companyUser" ("userId");

CREATE TABLE "_apiKey" (
  "id" TEXT NOT NULL PRIMARY KEY, "companyId" TEXT NOT NULL, "userId" TEXT NOT NULL, "name" TEXT NOT NULL,
  "digest" TEXT NOT NULL UNIQUE, "preview" TEXT NOT NULL, "scopes" TEXT NOT NULL, "createdAt" INTEGER NOT NULL,
  "expiresAt" INTEGER, "lastUsedAt" INTEGER, "revokedAt" INTEGER,
  FOREIGN KEY ("companyId", "userId") REFERENCES "_companyUser" ("companyId", "userId")
) STRICT;
CREATE INDEX "_apiKey_companyId" ON "_apiKey" ("companyId", "userId");

CREATE TABLE "oauthClient" (
  "_sequence" INTEGER PRIMARY KEY, "_tenant" TEXT NOT NULL, "id" TEXT NOT NULL, "name" TEXT NOT NULL,
  "clientId" TEXT NOT NULL, "tokenEndpointAuthMethod" TEXT NOT NULL, "clientSecret" TEXT, "companyId" TEXT,
  "clientUri" TEXT, "logoUri" TEXT, "scope" TEXT, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL,
  UNIQUE ("_tenant", "id")
) STRICT;
CREATE INDEX "oauthClient_sequence" ON "oauthClient" ("_tenant");
CREATE INDEX "oauthClient_size" ON "oauthClient" (octet_length("_doc")) WHERE octet_length("_doc") > 16384;
CREATE INDEX "oauthClient_clientId" ON "oauthClient" ("_tenant", "clientId");

CREATE TABLE "oauthCode" (
  "_sequence" INTEGER PRIMARY KEY, "_tenant" TEXT NOT NULL, "id" TEXT NOT NULL, "createdAt" INTEGER NOT NULL,
  "code" TEXT NOT NULL, "clientId" TEXT NOT NULL, "userId" TEXT NOT NULL, "companyId" TEXT NOT NULL,
  "redirectUri" TEXT NOT NULL, "expiresAt" INTEGER NOT NULL, "codeChallenge" TEXT, "codeChallengeMethod" TEXT,
  "scope" TEXT, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL, UNIQUE ("_tenant", "id")
) STRICT;
CREATE INDEX "oauthCode_sequence" ON "oauthCode" ("_tenant");
CREATE INDEX "oauthCode_size" ON "oauthCode" (octet_length("_doc")) WHERE octet_length("_doc") > 16384;
CREATE INDEX "oauthCode_clientId" ON "oauthCode" ("_tenant", "clientId");

CREATE TABLE "assemblyPlanJob" (
  "_sequence" INTEGER PRIMARY KEY, "_tenant" TEXT NOT NULL, "id" TEXT NOT NULL, "createdBy" TEXT NOT NULL,
  "createdAt" INTEGER NOT NULL, "modelUploadId" TEXT NOT NULL, "kind" TEXT NOT NULL, "status" TEXT NOT NULL,
  "companyId" TEXT NOT NULL, "planPath" TEXT, "error" TEXT, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL,
  UNIQUE ("_tenant", "id")
) STRICT;
CREATE INDEX "assemblyPlanJob_sequence" ON "assemblyPlanJob" ("_tenant");
CREATE INDEX "assemblyPlanJob_size" ON "assemblyPlanJob" (octet_length("_doc")) WHERE octet_length("_doc") > 16384;

CREATE TABLE "workCenterShift" (
  "_sequence" INTEGER PRIMARY KEY, "_tenant" TEXT NOT NULL, "id" TEXT NOT NULL, "companyId" TEXT NOT NULL,
  "createdBy" TEXT NOT NULL, "createdAt" INTEGER NOT NULL, "updatedBy" TEXT, "updatedAt" INTEGER,
  "workCenterId" TEXT NOT NULL, "shiftId" TEXT NOT NULL, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL,
  UNIQUE ("_tenant", "id")
) STRICT;
CREATE INDEX "workCenterShift_sequence" ON "workCenterShift" ("_tenant");
CREATE INDEX "workCenterShift_size" ON "workCenterShift" (octet_length("_doc")) WHERE octet_length("_doc") > 16384;

CREATE TABLE "fulfillment" (
  "_sequence" INTEGER PRIMARY KEY, "_tenant" TEXT NOT NULL, "id" TEXT NOT NULL, "createdAt" INTEGER NOT NULL,
  "createdBy" TEXT NOT NULL, "salesOrderLineId" TEXT NOT NULL, "type" TEXT NOT NULL, "quantity" REAL NOT NULL,
  "companyId" TEXT NOT NULL, "jobId" TEXT, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL, UNIQUE ("_tenant", "id")
) STRICT;
CREATE INDEX "fulfillment_sequence" ON "fulfillment" ("_tenant");
CREATE INDEX "fulfillment_size" ON "fulfillment" (octet_length("_doc")) WHERE octet_length("_doc") > 16384;

CREATE TABLE "salesOrderFavorite" (
  "_sequence" INTEGER PRIMARY KEY, "_tenant" TEXT NOT NULL, "_user" TEXT NOT NULL, "userId" TEXT NOT NULL,
  "salesOrderId" TEXT NOT NULL, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL,
  UNIQUE ("_tenant", "_user", "salesOrderId")
) STRICT;
CREATE INDEX "salesOrderFavorite_sequence" ON "salesOrderFavorite" ("_tenant", "_user");
CREATE INDEX "salesOrderFavorite_size" ON "salesOrderFavorite" (octet_length("_doc")) WHERE octet_length("_doc") > 16384;

CREATE TABLE "inboundInspection" (
  "_sequence" INTEGER PRIMARY KEY, "_tenant" TEXT NOT NULL, "id" TEXT NOT NULL, "inboundInspectionId" TEXT NOT NULL,
  "receiptLineId" TEXT NOT NULL, "receiptId" TEXT NOT NULL, "itemId" TEXT NOT NULL, "lotSize" REAL NOT NULL,
  "samplingStandard" TEXT NOT NULL, "samplingPlanType" TEXT NOT NULL, "sampleSize" REAL NOT NULL,
  "acceptanceNumber" REAL NOT NULL, "rejectionNumber" REAL NOT NULL, "status" TEXT NOT NULL, "companyId" TEXT NOT NULL,
  "itemReadableId" TEXT, "supplierId" TEXT, "aql" REAL, "inspectionLevel" TEXT, "severity" TEXT, "codeLetter" TEXT,
  "notes" TEXT, "dispositionedBy" TEXT, "dispositionedAt" INTEGER, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL,
  UNIQUE ("_tenant", "id")
) STRICT;
CREATE INDEX "inboundInspection_sequence" ON "inboundInspection" ("_tenant");
CREATE INDEX "inboundInspection_size" ON "inboundInspection" (octet_length("_doc")) WHERE octet_length("_doc") > 16384;
CREATE INDEX "inboundInspection_itemId" ON "inboundInspection" ("_tenant", "itemId");

CREATE TABLE "nonConformance" (
  "_sequence" INTEGER PRIMARY KEY, "_tenant" TEXT NOT NULL, "id" TEXT NOT NULL, "nonConformanceId" TEXT NOT NULL,
  "name" TEXT NOT NULL, "source" TEXT NOT NULL, "status" TEXT NOT NULL, "locationId" TEXT NOT NULL,
  "nonConformanceTypeId" TEXT NOT NULL, "openDate" TEXT NOT NULL, "quantity" REAL NOT NULL, "description" TEXT,
  "priority" TEXT, "approvalRequirements" TEXT, "nonConformanceWorkflowId" TEXT, "dueDate" TEXT, "closeDate" TEXT,
  "assignee" TEXT, "companyId" TEXT, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL, UNIQUE ("_tenant", "id")
) STRICT;
CREATE INDEX "nonConformance_sequence" ON "nonConformance" ("_tenant");
CREATE INDEX "nonConformance_size" ON "nonConformance" (octet_length("_doc")) WHERE octet_length("_doc") > 16384;

CREATE TABLE "warehouseTransfer" (
  "_sequence" INTEGER PRIMARY KEY, "_tenant" TEXT NOT NULL, "id" TEXT NOT NULL, "createdBy" TEXT NOT NULL,
  "createdAt" INTEGER NOT NULL, "transferId" TEXT NOT NULL, "fromLocationId" TEXT NOT NULL,
  "toLocationId" TEXT NOT NULL, "status" TEXT NOT NULL, "companyId" TEXT NOT NULL, "transferDate" TEXT,
  "expectedReceiptDate" TEXT, "notes" TEXT, "reference" TEXT, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL,
  UNIQUE ("_tenant", "id")
) STRICT;
CREATE INDEX "warehouseTransfer_sequence" ON "warehouseTransfer" ("_tenant");
CREATE INDEX "warehouseTransfer_size" ON "warehouseTransfer" (octet_length("_doc")) WHERE octet_length("_doc") > 16384;

CREATE TABLE "warehouseTransferLine" (
  "_sequence" INTEGER PRIMARY KEY, "_tenant" TEXT NOT NULL, "id" TEXT NOT NULL, "transferId" TEXT NOT NULL,
  "itemId" TEXT NOT NULL, "quantity" REAL NOT NULL, "shippedQuantity" REAL NOT NULL, "receivedQuantity" REAL NOT NULL,
  "fromLocationId" TEXT NOT NULL, "toLocationId" TEXT NOT NULL, "companyId" TEXT NOT NULL, "fromStorageUnitId" TEXT,
  "toStorageUnitId" TEXT, "unitOfMeasureCode" TEXT, "notes" TEXT, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL,
  UNIQUE ("_tenant", "id")
) STRICT;
CREATE INDEX "warehouseTransferLine_sequence" ON "warehouseTransferLine" ("_tenant");
CREATE INDEX "warehouseTransferLine_size" ON "warehouseTransferLine" (octet_length("_doc")) WHERE octet_length("_doc") > 16384;
CREATE INDEX "warehouseTransferLine_transferId" ON "warehouseTransferLine" ("_tenant", "transferId");

CREATE TABLE "purchaseOrderDelivery" (
  "_sequence" INTEGER PRIMARY KEY, "_tenant" TEXT NOT NULL, "id" TEXT NOT NULL, "dropShipment" INTEGER NOT NULL,
  "companyId" TEXT NOT NULL, "supplierShippingCost" REAL NOT NULL, "locationId" TEXT, "shippingMethodId" TEXT,
  "shippingTermId" TEXT, "receiptRequestedDate" TEXT, "receiptPromisedDate" TEXT, "deliveryDate" TEXT, "notes" TEXT,
  "trackingNumber" TEXT, "customerId" TEXT, "customerLocationId" TEXT, "incoterm" TEXT, "incotermLocation" TEXT,
  "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL, UNIQUE ("_tenant", "id")
) STRICT;
CREATE INDEX "purchaseOrderDelivery_sequence" ON "purchaseOrderDelivery" ("_tenant");
CREATE INDEX "purchaseOrderDelivery_size" ON "purchaseOrderDelivery" (octet_length("_doc")) WHERE octet_length("_doc") > 16384;

CREATE TABLE "paymentTerm" (
  "_sequence" INTEGER PRIMARY KEY, "_tenant" TEXT NOT NULL, "id" TEXT NOT NULL, "name" TEXT NOT NULL,
  "daysDue" REAL NOT NULL, "daysDiscount" REAL NOT NULL, "discountPercentage" REAL NOT NULL,
  "calculationMethod" TEXT NOT NULL, "active" INTEGER NOT NULL, "companyId" TEXT NOT NULL, "_doc" TEXT NOT NULL,
  "_revision" INTEGER NOT NULL, UNIQUE ("_tenant", "id")
) STRICT;
CREATE INDEX "paymentTerm_sequence" ON "paymentTerm" ("_tenant");
CREATE INDEX "paymentTerm_size" ON "paymentTerm" (octet_length("_doc")) WHERE octet_length("_doc") > 16384;

CREATE TABLE "salesOrderPayment" (
  "_sequence" INTEGER PRIMARY KEY, "_tenant" TEXT NOT NULL, "id" TEXT NOT NULL, "updatedAt" INTEGER,
  "paymentComplete" INTEGER NOT NULL, "companyId" TEXT NOT NULL, "invoiceCustomerId" TEXT,
  "invoiceCustomerLocationId" TEXT, "invoiceCustomerContactId" TEXT, "paymentTermId" TEXT, "_doc" TEXT NOT NULL,
  "_revision" INTEGER NOT NULL, UNIQUE ("_tenant", "id")
) STRICT;
CREATE INDEX "salesOrderPayment_sequence" ON "salesOrderPayment" ("_tenant");
CREATE INDEX "salesOrderPayment_size" ON "salesOrderPayment" (octet_length("_doc")) WHERE octet_length("_doc") > 16384;
CREATE INDEX "salesOrderPayment_paymentTermId" ON "salesOrderPayment" ("_tenant", "paymentTermId");

CREATE TABLE "qualityDocumentStep" (
  "_sequence" INTEGER PRIMARY KEY, "_tenant" TEXT NOT NULL, "id" TEXT NOT NULL, "createdAt" INTEGER NOT NULL,
  "createdBy" TEXT NOT NULL, "qualityDocumentId" TEXT NOT NULL, "name" TEXT NOT NULL, "sortOrder" REAL NOT NULL,
  "type" TEXT NOT NULL, "description" TEXT, "required" INTEGER, "unitOfMeasureCode" TEXT, "minValue" REAL,
  "maxValue" REAL, "companyId" TEXT, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL, UNIQUE ("_tenant", "id")
) STRICT;
CREATE INDEX "qualityDocumentStep_sequence" ON "qualityDocumentStep" ("_tenant");
CREATE INDEX "qualityDocumentStep_size" ON "qualityDocumentStep" (octet_length("_doc")) WHERE octet_length("_doc") > 16384;

CREATE TABLE "assemblyInstructionStepTool" (
  "_sequence" INTEGER PRIMARY KEY, "_tenant" TEXT NOT NULL, "id" TEXT NOT NULL, "createdBy" TEXT NOT NULL,
  "createdAt" INTEGER NOT NULL, "stepId" TEXT NOT NULL, "itemId" TEXT NOT NULL, "quantity" REAL NOT NULL,
  "sortOrder" REAL NOT NULL, "companyId" TEXT NOT NULL, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL,
  UNIQUE ("_tenant", "id")
) STRICT;
CREATE INDEX "assemblyInstructionStepTool_sequence" ON "assemblyInstructionStepTool" ("_tenant");
CREATE INDEX "assemblyInstructionStepTool_size" ON "assemblyInstructionStepTool" (octet_length("_doc")) WHERE octet_length("_doc") > 16384;

CREATE TABLE "assemblyInstructionStepSlide" (
  "_sequence" INTEGER PRIMARY KEY, "_tenant" TEXT NOT NULL, "id" TEXT NOT NULL, "createdBy" TEXT NOT NULL,
  "createdAt" INTEGER NOT NULL, "stepId" TEXT NOT NULL, "sortOrder" REAL NOT NULL, "size" TEXT NOT NULL,
  "companyId" TEXT NOT NULL, "imagePath" TEXT, "modelUploadId" TEXT, "caption" TEXT, "_doc" TEXT NOT NULL,
  "_revision" INTEGER NOT NULL, UNIQUE ("_tenant", "id")
) STRICT;
CREATE INDEX "assemblyInstructionStepSlide_sequence" ON "assemblyInstructionStepSlide" ("_tenant");
CREATE INDEX "assemblyInstructionStepSlide_size" ON "assemblyInstructionStepSlide" (octet_length("_doc")) WHERE octet_length("_doc") > 16384;

CREATE TABLE "shipmentFixedAssetLine" (
  "_sequence" INTEGER PRIMARY KEY, "_tenant" TEXT NOT NULL, "id" TEXT NOT NULL, "createdBy" TEXT NOT NULL,
  "createdAt" INTEGER NOT NULL, "shipmentId" TEXT NOT NULL, "salesOrderLineId" TEXT NOT NULL,
  "shipped" INTEGER NOT NULL, "companyId" TEXT NOT NULL, "serialNumber" TEXT, "_doc" TEXT NOT NULL,
  "_revision" INTEGER NOT NULL, UNIQUE ("_tenant", "id")
) STRICT;
CREATE INDEX "shipmentFixedAssetLine_sequence" ON "shipmentFixedAssetLine" ("_tenant");
CREATE INDEX "shipmentFixedAssetLine_size" ON "shipmentFixedAssetLine" (octet_length("_doc")) WHERE octet_length("_doc") > 16384;

CREATE TABLE "documentExtraction" (
  "_sequence" INTEGER PRIMARY KEY, "_tenant" TEXT NOT NULL, "id" TEXT NOT NULL, "companyId" TEXT NOT NULL,
  "createdBy" TEXT NOT NULL, "createdAt" INTEGER NOT NULL, "sourceDocument" TEXT NOT NULL, "storagePath" TEXT NOT NULL,
  "documentType" TEXT NOT NULL, "status" TEXT NOT NULL, "sourceDocumentId" TEXT, "error" TEXT, "_doc" TEXT NOT NULL,
  "_revision" INTEGER NOT NULL, UNIQUE ("_tenant", "id")
) STRICT;
CREATE INDEX "documentExtraction_sequence" ON "documentExtraction" ("_tenant");
CREATE INDEX "documentExtraction_size" ON "documentExtraction" (octet_length("_doc")) WHERE octet_length("_doc") > 16384;

CREATE TABLE "kanban" (
  "_sequence" INTEGER PRIMARY KEY, "_tenant" TEXT NOT NULL, "id" TEXT NOT NULL, "companyId" TEXT NOT NULL,
  "itemId" TEXT NOT NULL, "replenishmentSystem" TEXT NOT NULL, "quantity" REAL NOT NULL, "locationId" TEXT NOT NULL,
  "conversionFactor" REAL NOT NULL, "autoRelease" INTEGER NOT NULL, "autoStartJob" INTEGER NOT NULL,
  "storageUnitId" TEXT, "supplierId" TEXT, "purchaseUnitOfMeasureCode" TEXT, "completedBarcodeOverride" TEXT,
  "jobId" TEXT, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL, UNIQUE ("_tenant", "id")
) STRICT;
CREATE INDEX "kanban_sequence" ON "kanban" ("_tenant");
CREATE INDEX "kanban_size" ON "kanban" (octet_length("_doc")) WHERE octet_length("_doc") > 16384;

CREATE TABLE "journalLine" (
  "_sequence" INTEGER PRIMARY KEY, "_tenant" TEXT NOT NULL, "id" TEXT NOT NULL, "createdAt" INTEGER NOT NULL,
  "journalId" TEXT NOT NULL, "amount" REAL NOT NULL, "quantity" REAL NOT NULL, "journalLineReference" TEXT NOT NULL,
  "accrual" INTEGER NOT NULL, "companyId" TEXT NOT NULL, "description" TEXT, "documentType" TEXT, "documentId" TEXT,
  "externalDocumentId" TEXT, "documentLineReference" TEXT, "accountId" TEXT, "intercompanyPartnerId" TEXT,
  "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL, UNIQUE ("_tenant", "id")
) STRICT;
CREATE INDEX "journalLine_sequence" ON "journalLine" ("_tenant");
CREATE INDEX "journalLine_size" ON "journalLine" (octet_length("_doc")) WHERE octet_length("_doc") > 16384;

CREATE TABLE "trackedActivityOutput" (
  "_sequence" INTEGER PRIMARY KEY, "_tenant" TEXT NOT NULL, "trackedActivityId" TEXT NOT NULL,
  "trackedEntityId" TEXT NOT NULL, "createdAt" INTEGER NOT NULL, "createdBy" TEXT NOT NULL, "updatedBy" TEXT,
  "quantity" REAL NOT NULL, "companyId" TEXT NOT NULL, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL,
  UNIQUE ("_tenant", "trackedActivityId")
) STRICT;
CREATE INDEX "trackedActivityOutput_sequence" ON "trackedActivityOutput" ("_tenant");
CREATE INDEX "trackedActivityOutput_size" ON "trackedActivityOutput" (octet_length("_doc")) WHERE octet_length("_doc") > 16384;

CREATE TABLE "workflowTriggerEvent" (
  "_sequence" INTEGER PRIMARY KEY, "_tenant" TEXT NOT NULL, "id" TEXT NOT NULL, "companyId" TEXT NOT NULL,
  "createdAt" INTEGER NOT NULL, "workflowId" TEXT NOT NULL, "workflowVersionId" TEXT NOT NULL, "eventId" TEXT NOT NULL,
  "origin" TEXT NOT NULL, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL, UNIQUE ("_tenant", "id")
) STRICT;
CREATE INDEX "workflowTriggerEvent_sequence" ON "workflowTriggerEvent" ("_tenant");
CREATE INDEX "workflowTriggerEvent_size" ON "workflowTriggerEvent" (octet_length("_doc")) WHERE octet_length("_doc") > 16384;

CREATE TABLE "changeOrderRequiredAction" (
  "_sequence" INTEGER PRIMARY KEY, "_tenant" TEXT NOT NULL, "id" TEXT NOT NULL, "companyId" TEXT NOT NULL,
  "createdBy" TEXT NOT NULL, "createdAt" INTEGER NOT NULL, "updatedBy" TEXT, "updatedAt" INTEGER, "name" TEXT NOT NULL,
  "active" INTEGER NOT NULL, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL, UNIQUE ("_tenant", "id")
) STRICT;
CREATE INDEX "changeOrderRequiredAction_sequence" ON "changeOrderRequiredAction" ("_tenant");
CREATE INDEX "changeOrderRequiredAction_size" ON "changeOrderRequiredAction" (octet_length("_doc")) WHERE octet_length("_doc") > 16384;

CREATE TABLE "maintenanceScheduleItem" (
  "_sequence" INTEGER PRIMARY KEY, "_tenant" TEXT NOT NULL, "id" TEXT NOT NULL, "createdBy" TEXT NOT NULL,
  "createdAt" INTEGER NOT NULL, "maintenanceScheduleId" TEXT NOT NULL, "itemId" TEXT NOT NULL, "quantity" REAL NOT NULL,
  "unitOfMeasureCode" TEXT NOT NULL, "companyId" TEXT NOT NULL, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL,
  UNIQUE ("_tenant", "id")
) STRICT;
CREATE INDEX "maintenanceScheduleItem_sequence" ON "maintenanceScheduleItem" ("_tenant");
CREATE INDEX "maintenanceScheduleItem_size" ON "maintenanceScheduleItem" (octet_length("_doc")) WHERE octet_length("_doc") > 16384;

CREATE TABLE "jobOperationStepRecord" (
  "_sequence" INTEGER PRIMARY KEY, "_tenant" TEXT NOT NULL, "id" TEXT NOT NULL, "createdAt" INTEGER NOT NULL,
  "createdBy" TEXT NOT NULL, "jobOperationStepId" TEXT NOT NULL, "companyId" TEXT NOT NULL, "index" REAL NOT NULL,
  "value" TEXT, "numericValue" REAL, "booleanValue" INTEGER, "userValue" TEXT, "_doc" TEXT NOT NULL,
  "_revision" INTEGER NOT NULL, UNIQUE ("_tenant", "id")
) STRICT;
CREATE INDEX "jobOperationStepRecord_sequence" ON "jobOperationStepRecord" ("_tenant");
CREATE INDEX "jobOperationStepRecord_size" ON "jobOperationStepRecord" (octet_length("_doc")) WHERE octet_length("_doc") > 16384;

CREATE TABLE "purchaseOrderStatusHistory" (
  "_sequence" INTEGER PRIMARY KEY, "_tenant" TEXT NOT NULL, "id" TEXT NOT NULL, "createdAt" INTEGER NOT NULL,
  "createdBy" TEXT NOT NULL, "updatedBy" TEXT, "purchaseOrderId" TEXT NOT NULL, "status" TEXT NOT NULL,
  "companyId" TEXT NOT NULL, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL, UNIQUE ("_tenant", "id")
) STRICT;
CREATE INDEX "purchaseOrderStatusHistory_sequence" ON "purchaseOrderStatusHistory" ("_tenant");
CREATE INDEX "purchaseOrderStatusHistory_size" ON "purchaseOrderStatusHistory" (octet_length("_doc")) WHERE octet_length("_doc") > 16384;

CREATE TABLE "holiday" (
  "_sequence" INTEGER PRIMARY KEY, "_tenant" TEXT NOT NULL, "id" TEXT NOT NULL, "createdBy" TEXT NOT NULL,
  "createdAt" INTEGER NOT NULL, "updatedBy" TEXT, "name" TEXT NOT NULL, "date" TEXT NOT NULL, "companyId" TEXT NOT NULL,
  "year" REAL, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL, UNIQUE ("_tenant", "id")
) STRICT;
CREATE INDEX "holiday_sequence" ON "holiday" ("_tenant");
CREATE INDEX "holiday_size" ON "holiday" (octet_length("_doc")) WHERE octet_length("_doc") > 16384;

CREATE TABLE "webhookTable" (
  "_sequence" INTEGER PRIMARY KEY, "_tenant" TEXT NOT NULL, "table" TEXT NOT NULL, "module" TEXT NOT NULL,
  "name" TEXT NOT NULL, "_doc" TEXT NOT NULL, "_revision" INTEGER NOT NULL, UNIQUE ("_tenant", "table")
) STRICT;
CREATE INDEX "webhookTable_sequence" ON "webhookTable" ("_tenant");
CREATE INDEX "webhookTable_size" ON "webhookTable" (octet_length("_doc")) WHERE octet_length("_doc") > 16384;

CREATE TABLE "webhook" (
  "_sequence" INTEGER PRIMARY KEY, "_tenant" TEXT NOT NULL, "id" TEXT NOT NULL, "name" TEXT NOT NULL,
  "table" TEXT NOT NULL, "url" TEXT NOT NULL, "active" INTEGER NOT NULL, "onInsert" INTEGER NOT NULL,
  "onUpdate" INTEGER NOT NULL, "onDelete" INTEGER NOT NULL, "successCount" REAL NOT NULL, "errorCount" REAL NOT NULL,
  "companyId" TEXT NOT NULL, "lastSuccess" INTEGER, "lastError" INTEGER, "_doc" TEXT NOT NULL,
  "_revision" INTEGER NOT NULL, UNIQUE ("_tenant", "id")
) STRICT;
CREATE INDEX "webhook_sequence" ON "webhook" ("_tenant");
CREATE INDEX "webhook_size" ON "webhook" (octet_length("_doc")) WHERE octet_length("_doc") > 16384;
CREATE INDEX "webhook_table" ON "webhook" ("_tenant", "table");

CREATE TABLE "_attributeCategory" (
  "id" TEXT NOT NULL PRIMARY KEY, "companyId" TEXT REFERENCES "_company" ("id"), "name" TEXT NOT NULL, "emoji" TEXT,
  "public" INTEGER NOT NULL, "active" INTEGER NOT NULL
) STRICT;
CREATE INDEX "_attributeCategory_companyId" ON "_attributeCategory" ("companyId");

CREATE TABLE "_attribute" (
  "id" TEXT NOT NULL PRIMARY KEY, "categoryId" TEXT NOT NULL REFERENCES "_attributeCategory" ("id"),
  "name" TEXT NOT NULL, "sortOrder" REAL NOT NULL, "type" TEXT NOT NULL, "listOptions" TEXT, "canSelfManage" INTEGER,
  "active" INTEGER NOT NULL
) STRICT;
CREATE INDEX "_attribute_categoryId" ON "_attribute" ("categoryId", "sortOrder");

CREATE TABLE "_attributeValue" (
  "id" TEXT NOT NULL PRIMARY KEY, "attributeId" TEXT NOT NULL REFERENCES "_attribute" ("id"),
  "userId" TEXT NOT NULL REFERENCES "_user" ("id"), "valueBoolean" INTEGER, "valueDate" TEXT, "valueNumeric" REAL,
  "valueText" TEXT, "valueUser" TEXT, "valueFile" TEXT, UNIQUE ("attributeId", "userId")
) STRICT;
CREATE INDEX "_attributeValue_userId" ON "_attributeValue" ("userId");

CREATE TABLE "_notificationPreference" (
  "companyId" TEXT NOT NULL, "userId" TEXT NOT NULL, "topic" TEXT NOT NULL, "channel" TEXT NOT NULL,
  "enabled" INTEGER NOT NULL, "updatedAt" INTEGER NOT NULL, PRIMARY KEY ("companyId", "userId", "topic", "channel"),
  FOREIGN KEY ("companyId", "userId") REFERENCES "_companyUser" ("companyId", "userId")
) STRICT;

CREATE TABLE "_outbox" (
  "sequence" INTEGER PRIMARY KEY AUTOINCREMENT, "change" TEXT NOT NULL, "companyId" TEXT NOT NULL,
  "table" TEXT NOT NULL, "key" TEXT NOT NULL, "type" TEXT NOT NULL, "record" TEXT NOT NULL, "old" TEXT,
  "at" INTEGER NOT NULL, "trace" TEXT
) STRICT;
CREATE INDEX "_outbox_change" ON "_outbox" ("change");
CREATE INDEX "_outbox_at" ON "_outbox" ("at", "sequence");

CREATE TABLE "_webhookSecret" (
  "companyId" TEXT NOT NULL, "webhookId" TEXT NOT NULL, "secret" TEXT NOT NULL, "createdAt" INTEGER NOT NULL,
  "expiresAt" INTEGER, "shownAt" INTEGER, PRIMARY KEY ("companyId", "webhookId", "secret")
) STRICT;

CREATE TABLE "_webhookFailure" (
  "companyId" TEXT NOT NULL, "webhookId" TEXT NOT NULL, "failingSince" INTEGER NOT NULL,
  PRIMARY KEY ("companyId", "webhookId")
) STRICT;

CREATE TABLE "_webhookCount" (
  "id" INTEGER PRIMARY KEY, "companyId" TEXT NOT NULL, "webhookId" TEXT NOT NULL, "isSuccess" INTEGER NOT NULL,
  "count" INTEGER NOT NULL, "first" INTEGER NOT NULL, "last" INTEGER NOT NULL, "moment" TEXT NOT NULL,
  "isFolding" INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE "_delivery" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT, "sequence" INTEGER NOT NULL REFERENCES "_outbox" ("sequence"),
  "companyId" TEXT NOT NULL, "webhookId" TEXT NOT NULL, "key" TEXT NOT NULL, "state" TEXT NOT NULL,
  "attempts" INTEGER NOT NULL, "dueAt" INTEGER, "leasedBy" TEXT, "createdAt" INTEGER NOT NULL, "settledAt" INTEGER
) STRICT;
CREATE INDEX "_delivery_sequence" ON "_delivery" ("sequence");
CREATE INDEX "_delivery_dueAt" ON "_delivery" ("companyId", "webhookId", "dueAt")
  WHERE "settledAt" IS NULL AND "dueAt" IS NOT NULL;
CREATE INDEX "_delivery_next" ON "_delivery" ("dueAt") WHERE "settledAt" IS NULL AND "dueAt" IS NOT NULL;
CREATE INDEX "_delivery_key" ON "_delivery" ("companyId", "webhookId", "key", "id") WHERE "settledAt" IS NULL;

CREATE TABLE "_deliveryAttempt" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT, "companyId" TEXT NOT NULL, "deliveryId" INTEGER NOT NULL REFERENCES "_delivery" ("id") ON DELETE CASCADE,
  "number" INTEGER NOT NULL, "at" INTEGER NOT NULL, "duration" INTEGER NOT NULL, "outcome" TEXT NOT NULL,
  "url" TEXT NOT NULL, "requestHeaders" TEXT NOT NULL, "status" INTEGER, "responseHeaders" TEXT,
  "responseBody" TEXT, "error" TEXT
) STRICT;
CREATE INDEX "_deliveryAttempt_deliveryId" ON "_deliveryAttempt" ("deliveryId", "number");

CREATE TABLE "_idempotency" (
  "companyId" TEXT NOT NULL, "userId" TEXT NOT NULL, "key" TEXT NOT NULL, "requestHash" TEXT NOT NULL,
  "status" INTEGER NOT NULL, "headers" TEXT NOT NULL, "body" TEXT NOT NULL, "createdAt" INTEGER NOT NULL,
  PRIMARY KEY ("companyId", "userId", "key")
) STRICT;
CREATE INDEX "_idempotency_createdAt" ON "_idempotency" ("createdAt");
`
