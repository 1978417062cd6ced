/**
 * The first tables on PostgreSQL: those of SQLite with PostgreSQL's types, and the functions and triggers that only a
 * server needs: a function that ends a statement whose guard found a row, one that parses JSON or returns null, and
 * triggers that notify every instance of changed keys, companies and rules. One file, because a migration is one
 * script that stays as it was released.
 */
export const postgres = `
CREATE TABLE "_meta" ("key" text COLLATE "C" NOT NULL PRIMARY KEY, "value" text COLLATE "C" NOT NULL);

CREATE TABLE "_company" ("id" text COLLATE "C" NOT NULL PRIMARY KEY, "name" text COLLATE "C" NOT NULL);

CREATE TABLE "_user" (
  "id" text COLLATE "C" NOT NULL PRIMARY KEY, "email" text COLLATE "C" NOT NULL,
  "firstName" text COLLATE "C" NOT NULL, "lastName" text COLLATE "C" NOT NULL, "fullName" text COLLATE "C",
  "about" text COLLATE "C" NOT NULL, "avatarUrl" text COLLATE "C", "phone" text COLLATE "C",
  "flags" text COLLATE "C" NOT NULL, "active" bigint, "admin" bigint, "developer" bigint,
  "acknowledgedITAR" bigint NOT NULL, "isConsoleOperator" bigint NOT NULL, "createdAt" text COLLATE "C" NOT NULL,
  "updatedAt" text COLLATE "C"
);

CREATE TABLE "_companyUser" (
  "companyId" text COLLATE "C" NOT NULL REFERENCES "_company" ("id") DEFERRABLE,
  "userId" text COLLATE "C" NOT NULL REFERENCES "_user" ("id") DEFERRABLE, PRIMARY KEY ("companyId", "userId")
);
CREATE INDEX "_companyUser_userId" ON "_companyUser" ("userId");

CREATE TABLE "_apiKey" (
  "id" text COLLATE "C" NOT NULL PRIMARY KEY, "companyId" text COLLATE "C" NOT NULL,
  "userId" text COLLATE "C" NOT NULL, "name" text COLLATE "C" NOT NULL, "digest" text COLLATE "C" NOT NULL UNIQUE,
  "preview" text COLLATE "C" NOT NULL, "scopes" text COLLATE "C" NOT NULL, "createdAt" bigint NOT NULL,
  "expiresAt" bigint, "lastUsedAt" bigint, "revokedAt" bigint,
  FOREIGN KEY ("companyId", "userId") REFERENCES "_companyUser" ("companyId", "userId") DEFERRABLE
);
CREATE INDEX "_apiKey_companyId" ON "_apiKey" ("companyId", "userId");

CREATE TABLE "oauthClient" (
  "_tenant" text COLLATE "C" NOT NULL, "id" text COLLATE "C" NOT NULL, "name" text COLLATE "C" NOT NULL,
  "clientId" text COLLATE "C" NOT NULL, "tokenEndpointAuthMethod" text COLLATE "C" NOT NULL,
  "clientSecret" text COLLATE "C", "companyId" text COLLATE "C", "clientUri" text COLLATE "C",
  "logoUri" text COLLATE "C", "scope" text COLLATE "C", "_doc" json NOT NULL, "_revision" bigint NOT NULL,
  PRIMARY KEY ("_tenant", "id")
);
CREATE INDEX "oauthClient_clientId" ON "oauthClient" USING hash ("clientId");

CREATE TABLE "oauthCode" (
  "_tenant" text COLLATE "C" NOT NULL, "id" text COLLATE "C" NOT NULL, "createdAt" timestamp with time zone NOT NULL,
  "code" text COLLATE "C" NOT NULL, "clientId" text COLLATE "C" NOT NULL, "userId" text COLLATE "C" NOT NULL,
  "companyId" text COLLATE "C" NOT NULL, "redirectUri" text COLLATE "C" NOT NULL,
  "expiresAt" timestamp with time zone NOT NULL, "codeChallenge" text COLLATE "C",
  "codeChallengeMethod" text COLLATE "C", "scope" text COLLATE "C", "_doc" json NOT NULL, "_revision" bigint NOT NULL,
  PRIMARY KEY ("_tenant", "id")
);
CREATE INDEX "oauthCode_clientId" ON "oauthCode" USING hash ("clientId");

CREATE TABLE "assemblyPlanJob" (
  "_tenant" text COLLATE "C" NOT NULL, "id" text COLLATE "C" NOT NULL, "createdBy" text COLLATE "C" NOT NULL,
  "createdAt" timestamp with time zone NOT NULL, "modelUploadId" text COLLATE "C" NOT NULL,
  "kind" text COLLATE "C" NOT NULL, "status" text COLLATE "C" NOT NULL, "companyId" text COLLATE "C" NOT NULL,
  "planPath" text COLLATE "C", "error" text COLLATE "C", "_doc" json NOT NULL, "_revision" bigint NOT NULL,
  PRIMARY KEY ("_tenant", "id")
);

CREATE TABLE "workCenterShift" (
  "_tenant" text COLLATE "C" NOT NULL, "id" text COLLATE "C" NOT NULL, "companyId" text COLLATE "C" NOT NULL,
  "createdBy" text COLLATE "C" NOT NULL, "createdAt" timestamp with time zone NOT NULL, "updatedBy" text COLLATE "C",
  "updatedAt" timestamp with time zone, "workCenterId" text COLLATE "C" NOT NULL, "shiftId" text COLLATE "C" NOT NULL,
  "_doc" json NOT NULL, "_revision" bigint NOT NULL, PRIMARY KEY ("_tenant", "id")
);

CREATE TABLE "fulfillment" (
  "_tenant" text COLLATE "C" NOT NULL, "id" text COLLATE "C" NOT NULL, "createdAt" timestamp with time zone NOT NULL,
  "createdBy" text COLLATE "C" NOT NULL, "salesOrderLineId" text COLLATE "C" NOT NULL,
  "type" text COLLATE "C" NOT NULL, "quantity" double precision NOT NULL, "companyId" text COLLATE "C" NOT NULL,
  "jobId" text COLLATE "C", "_doc" json NOT NULL, "_revision" bigint NOT NULL, PRIMARY KEY ("_tenant", "id")
);

CREATE TABLE "salesOrderFavorite" (
  "_tenant" text COLLATE "C" NOT NULL, "_user" text COLLATE "C" NOT NULL, "userId" text COLLATE "C" NOT NULL,
  "salesOrderId" text COLLATE "C" NOT NULL, "_doc" json NOT NULL, "_revision" bigint NOT NULL,
  PRIMARY KEY ("_tenant", "_user", "salesOrderId")
);

CREATE TABLE "inboundInspection" (
  "_tenant" text COLLATE "C" NOT NULL, "id" text COLLATE "C" NOT NULL, "inboundInspectionId" text COLLATE "C" NOT NULL,
  "receiptLineId" text COLLATE "C" NOT NULL, "receiptId" text COLLATE "C" NOT NULL, "itemId" text COLLATE "C" NOT NULL,
  "lotSize" double precision NOT NULL, "samplingStandard" text COLLATE "C" NOT NULL,
  "samplingPlanType" text COLLATE "C" NOT NULL, "sampleSize" double precision NOT NULL,
  "acceptanceNumber" double precision NOT NULL, "rejectionNumber" double precision NOT NULL,
  "status" text COLLATE "C" NOT NULL, "companyId" text COLLATE "C" NOT NULL, "itemReadableId" text COLLATE "C",
  "supplierId" text COLLATE "C", "aql" double precision, "inspectionLevel" text COLLATE "C",
  "severity" text COLLATE "C", "codeLetter" text COLLATE "C", "notes" text COLLATE "C",
  "dispositionedBy" text COLLATE "C", "dispositionedAt" timestamp with time zone, "_doc" json NOT NULL,
  "_revision" bigint NOT NULL, PRIMARY KEY ("_tenant", "id")
);
CREATE INDEX "inboundInspection_itemId" ON "inboundInspection" USING hash ("itemId");

CREATE TABLE "nonConformance" (
  "_tenant" text COLLATE "C" NOT NULL, "id" text COLLATE "C" NOT NULL, "nonConformanceId" text COLLATE "C" NOT NULL,
  "name" text COLLATE "C" NOT NULL, "source" text COLLATE "C" NOT NULL, "status" text COLLATE "C" NOT NULL,
  "locationId" text COLLATE "C" NOT NULL, "nonConformanceTypeId" text COLLATE "C" NOT NULL, "openDate" date NOT NULL,
  "quantity" double precision NOT NULL, "description" text COLLATE "C", "priority" text COLLATE "C",
  "approvalRequirements" text COLLATE "C", "nonConformanceWorkflowId" text COLLATE "C", "dueDate" date,
  "closeDate" date, "assignee" text COLLATE "C", "companyId" text COLLATE "C", "_doc" json NOT NULL,
  "_revision" bigint NOT NULL, PRIMARY KEY ("_tenant", "id")
);

CREATE TABLE "warehouseTransfer" (
  "_tenant" text COLLATE "C" NOT NULL, "id" text COLLATE "C" NOT NULL, "createdBy" text COLLATE "C" NOT NULL,
  "createdAt" timestamp with time zone NOT NULL, "transferId" text COLLATE "C" NOT NULL,
  "fromLocationId" text COLLATE "C" NOT NULL, "toLocationId" text COLLATE "C" NOT NULL,
  "status" text COLLATE "C" NOT NULL, "companyId" text COLLATE "C" NOT NULL, "transferDate" date,
  "expectedReceiptDate" date, "notes" text COLLATE "C", "reference" text COLLATE "C", "_doc" json NOT NULL,
  "_revision" bigint NOT NULL, PRIMARY KEY ("_tenant", "id")
);

CREATE TABLE "warehouseTransferLine" (
  "_tenant" text COLLATE "C" NOT NULL, "id" text COLLATE "C" NOT NULL, "transferId" text COLLATE "C" NOT NULL,
  "itemId" text COLLATE "C" NOT NULL, "quantity" double precision NOT NULL,
  "shippedQuantity" double precision NOT NULL, "receivedQuantity" double precision NOT NULL,
  "fromLocationId" text COLLATE "C" NOT NULL, "toLocationId" text COLLATE "C" NOT NULL,
  "companyId" text COLLATE "C" NOT NULL, "fromStorageUnitId" text COLLATE "C", "toStorageUnitId" text COLLATE "C",
  "unitOfMeasureCode" text COLLATE "C", "notes" text COLLATE "C", "_doc" json NOT NULL, "_revision" bigint NOT NULL,
  PRIMARY KEY ("_tenant", "id")
);
CREATE INDEX "warehouseTransferLine_transferId" ON "warehouseTransferLine" USING hash ("transferId");

CREATE TABLE "purchaseOrderDelivery" (
  "_tenant" text COLLATE "C" NOT NULL, "id" text COLLATE "C" NOT NULL, "dropShipment" boolean NOT NULL,
  "companyId" text COLLATE "C" NOT NULL, "supplierShippingCost" double precision NOT NULL,
  "locationId" text COLLATE "C", "shippingMethodId" text COLLATE "C", "shippingTermId" text COLLATE "C",
  "receiptRequestedDate" date, "receiptPromisedDate" date, "deliveryDate" date, "notes" text COLLATE "C",
  "trackingNumber" text COLLATE "C", "customerId" text COLLATE "C", "customerLocationId" text COLLATE "C",
  "incoterm" text COLLATE "C", "incotermLocation" text COLLATE "C", "_doc" json NOT NULL, "_revision" bigint NOT NULL,
  PRIMARY KEY ("_tenant", "id")
);

CREATE TABLE "paymentTerm" (
  "_tenant" text COLLATE "C" NOT NULL, "id" text COLLATE "C" NOT NULL, "name" text COLLATE "C" NOT NULL,
  "daysDue" double precision NOT NULL, "daysDiscount" double precision NOT NULL,
  "discountPercentage" double precision NOT NULL, "calculationMethod" text COLLATE "C" NOT NULL,
  "active" boolean NOT NULL, "companyId" text COLLATE "C" NOT NULL, "_doc" json NOT NULL, "_revision" bigint NOT NULL,
  PRIMARY KEY ("_tenant", "id")
);

CREATE TABLE "salesOrderPayment" (
  "_tenant" text COLLATE "C" NOT NULL, "id" text COLLATE "C" NOT NULL, "updatedAt" timestamp with time zone,
  "paymentComplete" boolean NOT NULL, "companyId" text COLLATE "C" NOT NULL, "invoiceCustomerId" text COLLATE "C",
  "invoiceCustomerLocationId" text COLLATE "C", "invoiceCustomerContactId" text COLLATE "C",
  "paymentTermId" text COLLATE "C", "_doc" json NOT NULL, "_revision" bigint NOT NULL, PRIMARY KEY ("_tenant", "id")
);
CREATE INDEX "salesOrderPayment_paymentTermId" ON "salesOrderPayment" USING hash ("paymentTermId");

CREATE TABLE "qualityDocumentStep" (
  "_tenant" text COLLATE "C" NOT NULL, "id" text COLLATE "C" NOT NULL, "createdAt" timestamp with time zone NOT NULL,
  "createdBy" text COLLATE "C" NOT NULL, "qualityDocumentId" text COLLATE "C" NOT NULL,
  "name" text COLLATE "C" NOT NULL, "sortOrder" double precision NOT NULL, "type" text COLLATE "C" NOT NULL,
  "description" text COLLATE "C", "required" boolean, "unitOfMeasureCode" text COLLATE "C",
  "minValue" double precision, "maxValue" double precision, "companyId" text COLLATE "C", "_doc" json NOT NULL,
  "_revision" bigint NOT NULL, PRIMARY KEY ("_tenant", "id")
);

CREATE TABLE "assemblyInstructionStepTool" (
  "_tenant" text COLLATE "C" NOT NULL, "id" text COLLATE "C" NOT NULL, "createdBy" text COLLATE "C" NOT NULL,
  "createdAt" timestamp with time zone NOT NULL, "stepId" text COLLATE "C" NOT NULL,
  "itemId" text COLLATE "C" NOT NULL, "quantity" double precision NOT NULL, "sortOrder" double precision NOT NULL,
  "companyId" text COLLATE "C" NOT NULL, "_doc" json NOT NULL, "_revision" bigint NOT NULL,
  PRIMARY KEY ("_tenant", "id")
);

CREATE TABLE "assemblyInstructionStepSlide" (
  "_tenant" text COLLATE "C" NOT NULL, "id" text COLLATE "C" NOT NULL, "createdBy" text COLLATE "C" NOT NULL,
  "createdAt" timestamp with time zone NOT NULL, "stepId" text COLLATE "C" NOT NULL,
  "sortOrder" double precision NOT NULL, "size" text COLLATE "C" NOT NULL, "companyId" text COLLATE "C" NOT NULL,
  "imagePath" text COLLATE "C", "modelUploadId" text COLLATE "C", "caption" text COLLATE "C", "_doc" json NOT NULL,
  "_revision" bigint NOT NULL, PRIMARY KEY ("_tenant", "id")
);

CREATE TABLE "shipmentFixedAssetLine" (
  "_tenant" text COLLATE "C" NOT NULL, "id" text COLLATE "C" NOT NULL, "createdBy" text COLLATE "C" NOT NULL,
  "createdAt" timestamp with time zone NOT NULL, "shipmentId" text COLLATE "C" NOT NULL,
  "salesOrderLineId" text COLLATE "C" NOT NULL, "shipped" boolean NOT NULL, "companyId" text COLLATE "C" NOT NULL,
  "serialNumber" text COLLATE "C", "_doc" json NOT NULL, "_revision" bigint NOT NULL, PRIMARY KEY ("_tenant", "id")
);

CREATE TABLE "documentExtraction" (
  "_tenant" text COLLATE "C" NOT NULL, "id" text COLLATE "C" NOT NULL, "companyId" text COLLATE "C" NOT NULL,
  "createdBy" text COLLATE "C" NOT NULL, "createdAt" timestamp with time zone NOT NULL,
  "sourceDocument" text COLLATE "C" NOT NULL, "storagePath" text COLLATE "C" NOT NULL,
  "documentType" text COLLATE "C" NOT NULL, "status" text COLLATE "C" NOT NULL, "sourceDocumentId" text COLLATE "C",
  "error" text COLLATE "C", "_doc" json NOT NULL, "_revision" bigint NOT NULL, PRIMARY KEY ("_tenant", "id")
);

CREATE TABLE "kanban" (
  "_tenant" text COLLATE "C" NOT NULL, "id" text COLLATE "C" NOT NULL, "companyId" text COLLATE "C" NOT NULL,
  "itemId" text COLLATE "C" NOT NULL, "replenishmentSystem" text COLLATE "C" NOT NULL,
  "quantity" double precision NOT NULL, "locationId" text COLLATE "C" NOT NULL,
  "conversionFactor" double precision NOT NULL, "autoRelease" boolean NOT NULL, "autoStartJob" boolean NOT NULL,
  "storageUnitId" text COLLATE "C", "supplierId" text COLLATE "C", "purchaseUnitOfMeasureCode" text COLLATE "C",
  "completedBarcodeOverride" text COLLATE "C", "jobId" text COLLATE "C", "_doc" json NOT NULL,
  "_revision" bigint NOT NULL, PRIMARY KEY ("_tenant", "id")
);

CREATE TABLE "journalLine" (
  "_tenant" text COLLATE "C" NOT NULL, "id" text COLLATE "C" NOT NULL, "createdAt" timestamp with time zone NOT NULL,
  "journalId" text COLLATE "C" NOT NULL, "amount" double precision NOT NULL, "quantity" double precision NOT NULL,
  "journalLineReference" text COLLATE "C" NOT NULL, "accrual" boolean NOT NULL, "companyId" text COLLATE "C" NOT NULL,
  "description" text COLLATE "C", "documentType" text COLLATE "C", "documentId" text COLLATE "C",
  "externalDocumentId" text COLLATE "C", "documentLineReference" text COLLATE "C", "accountId" text COLLATE "C",
  "intercompanyPartnerId" text COLLATE "C", "_doc" json NOT NULL, "_revision" bigint NOT NULL,
  PRIMARY KEY ("_tenant", "id")
);

CREATE TABLE "trackedActivityOutput" (
  "_tenant" text COLLATE "C" NOT NULL, "trackedActivityId" text COLLATE "C" NOT NULL,
  "trackedEntityId" text COLLATE "C" NOT NULL, "createdAt" timestamp with time zone NOT NULL,
  "createdBy" text COLLATE "C" NOT NULL, "updatedBy" text COLLATE "C", "quantity" double precision NOT NULL,
  "companyId" text COLLATE "C" NOT NULL, "_doc" json NOT NULL, "_revision" bigint NOT NULL,
  PRIMARY KEY ("_tenant", "trackedActivityId")
);

CREATE TABLE "workflowTriggerEvent" (
  "_tenant" text COLLATE "C" NOT NULL, "id" text COLLATE "C" NOT NULL, "companyId" text COLLATE "C" NOT NULL,
  "createdAt" timestamp with time zone NOT NULL, "workflowId" text COLLATE "C" NOT NULL,
  "workflowVersionId" text COLLATE "C" NOT NULL, "eventId" text COLLATE "C" NOT NULL,
  "origin" text COLLATE "C" NOT NULL, "_doc" json NOT NULL, "_revision" bigint NOT NULL, PRIMARY KEY ("_tenant", "id")
);

CREATE TABLE "changeOrderRequiredAction" (
  "_tenant" text COLLATE "C" NOT NULL, "id" text COLLATE "C" NOT NULL, "companyId" text COLLATE "C" NOT NULL,
  "createdBy" text COLLATE "C" NOT NULL, "createdAt" timestamp with time zone NOT NULL, "updatedBy" text COLLATE "C",
  "updatedAt" timestamp with time zone, "name" text COLLATE "C" NOT NULL, "active" boolean NOT NULL,
  "_doc" json NOT NULL, "_revision" bigint NOT NULL, PRIMARY KEY ("_tenant", "id")
);

CREATE TABLE "maintenanceScheduleItem" (
  "_tenant" text COLLATE "C" NOT NULL, "id" text COLLATE "C" NOT NULL, "createdBy" text COLLATE "C" NOT NULL,
  "createdAt" timestamp with time zone NOT NULL, "maintenanceScheduleId" text COLLATE "C" NOT NULL,
  "itemId" text COLLATE "C" NOT NULL, "quantity" double precision NOT NULL,
  "unitOfMeasureCode" text COLLATE "C" NOT NULL, "companyId" text COLLATE "C" NOT NULL, "_doc" json NOT NULL,
  "_revision" bigint NOT NULL, PRIMARY KEY ("_tenant", "id")
);

CREATE TABLE "jobOperationStepRecord" (
  "_tenant" text COLLATE "C" NOT NULL, "id" text COLLATE "C" NOT NULL, "createdAt" timestamp with time zone NOT NULL,
  "createdBy" text COLLATE "C" NOT NULL, "jobOperationStepId" text COLLATE "C" NOT NULL,
  "companyId" text COLLATE "C" NOT NULL, "index" double precision NOT NULL, "value" text COLLATE "C",
  "numericValue" double precision, "booleanValue" boolean, "userValue" text COLLATE "C", "_doc" json NOT NULL,
  "_revision" bigint NOT NULL, PRIMARY KEY ("_tenant", "id")
);

CREATE TABLE "purchaseOrderStatusHistory" (
  "_tenant" text COLLATE "C" NOT NULL, "id" text COLLATE "C" NOT NULL, "createdAt" timestamp with time zone NOT NULL,
  "createdBy" text COLLATE "C" NOT NULL, "updatedBy" text COLLATE "C", "purchaseOrderId" text COLLATE "C" NOT NULL,
  "status" text COLLATE "C" NOT NULL, "companyId" text COLLATE "C" NOT NULL, "_doc" json NOT NULL,
  "_revision" bigint NOT NULL, PRIMARY KEY ("_tenant", "id")
);

CREATE TABLE "holiday" (
  "_tenant" text COLLATE "C" NOT NULL, "id" text COLLATE "C" NOT NULL, "createdBy" text COLLATE "C" NOT NULL,
  "createdAt" timestamp with time zone NOT NULL, "updatedBy" text COLLATE "C", "name" text COLLATE "C" NOT NULL,
  "date" date NOT NULL, "companyId" text COLLATE "C" NOT NULL, "year" double precision, "_doc" json NOT NULL,
  "_revision" bigint NOT NULL, PRIMARY KEY ("_tenant", "id")
);

CREATE TABLE "webhookTable" (
  "_tenant" text COLLATE "C" NOT NULL, "table" text COLLATE "C" NOT NULL, "module" text COLLATE "C" NOT NULL,
  "name" text COLLATE "C" NOT NULL, "_doc" json NOT NULL, "_revision" bigint NOT NULL, PRIMARY KEY ("_tenant", "table")
);

CREATE TABLE "webhook" (
  "_tenant" text COLLATE "C" NOT NULL, "id" text COLLATE "C" NOT NULL, "name" text COLLATE "C" NOT NULL,
  "table" text COLLATE "C" NOT NULL, "url" text COLLATE "C" NOT NULL, "active" boolean NOT NULL,
  "onInsert" boolean NOT NULL, "onUpdate" boolean NOT NULL, "onDelete" boolean NOT NULL,
  "successCount" double precision NOT NULL, "errorCount" double precision NOT NULL,
  "companyId" text COLLATE "C" NOT NULL, "lastSuccess" timestamp with time zone, "lastError" timestamp with time zone,
  "_doc" json NOT NULL, "_revision" bigint NOT NULL, PRIMARY KEY ("_tenant", "id")
);
CREATE INDEX "webhook_table" ON "webhook" USING hash ("table");

CREATE TABLE "_attributeCategory" (
  "id" text COLLATE "C" NOT NULL PRIMARY KEY, "companyId" text COLLATE "C" REFERENCES "_company" ("id") DEFERRABLE,
  "name" text COLLATE "C" NOT NULL, "emoji" text COLLATE "C", "public" bigint NOT NULL, "active" bigint NOT NULL
);
CREATE INDEX "_attributeCategory_companyId" ON "_attributeCategory" ("companyId");

CREATE TABLE "_attribute" (
  "id" text COLLATE "C" NOT NULL PRIMARY KEY,
  "categoryId" text COLLATE "C" NOT NULL REFERENCES "_attributeCategory" ("id") DEFERRABLE,
  "name" text COLLATE "C" NOT NULL, "sortOrder" double precision NOT NULL, "type" text COLLATE "C" NOT NULL,
  "listOptions" text COLLATE "C", "canSelfManage" bigint, "active" bigint NOT NULL
);
CREATE INDEX "_attribute_categoryId" ON "_attribute" ("categoryId", "sortOrder");

CREATE TABLE "_attributeValue" (
  "id" text COLLATE "C" NOT NULL PRIMARY KEY,
  "attributeId" text COLLATE "C" NOT NULL REFERENCES "_attribute" ("id") DEFERRABLE,
  "userId" text COLLATE "C" NOT NULL REFERENCES "_user" ("id") DEFERRABLE, "valueBoolean" bigint,
  "valueDate" text COLLATE "C", "valueNumeric" double precision, "valueText" text COLLATE "C",
  "valueUser" text COLLATE "C", "valueFile" text COLLATE "C", UNIQUE ("attributeId", "userId")
);
CREATE INDEX "_attributeValue_userId" ON "_attributeValue" ("userId");

CREATE TABLE "_notificationPreference" (
  "companyId" text COLLATE "C" NOT NULL, "userId" text COLLATE "C" NOT NULL, "topic" text COLLATE "C" NOT NULL,
  "channel" text COLLATE "C" NOT NULL, "enabled" bigint NOT NULL, "updatedAt" bigint NOT NULL,
  PRIMARY KEY ("companyId", "userId", "topic", "channel"),
  FOREIGN KEY ("companyId", "userId") REFERENCES "_companyUser" ("companyId", "userId") DEFERRABLE
);

CREATE TABLE "_outbox" (
  "sequence" bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, "change" text COLLATE "C" NOT NULL,
  "companyId" text COLLATE "C" NOT NULL, "table" text COLLATE "C" NOT NULL, "key" text COLLATE "C" NOT NULL,
  "type" text COLLATE "C" NOT NULL, "record" text COLLATE "C" NOT NULL, "old" text COLLATE "C", "at" bigint NOT NULL
);
CREATE INDEX "_outbox_change" ON "_outbox" ("change");
CREATE INDEX "_outbox_at" ON "_outbox" ("at");

CREATE TABLE "_webhookSecret" (
  "companyId" text COLLATE "C" NOT NULL, "webhookId" text COLLATE "C" NOT NULL, "secret" text COLLATE "C" NOT NULL,
  "createdAt" bigint NOT NULL, "expiresAt" bigint, "shownAt" bigint, PRIMARY KEY ("companyId", "webhookId", "secret")
);

CREATE TABLE "_webhookFailure" (
  "companyId" text COLLATE "C" NOT NULL, "webhookId" text COLLATE "C" NOT NULL, "failingSince" bigint NOT NULL,
  PRIMARY KEY ("companyId", "webhookId")
);

CREATE TABLE "_delivery" (
  "id" bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  "sequence" bigint NOT NULL REFERENCES "_outbox" ("sequence") DEFERRABLE, "companyId" text COLLATE "C" NOT NULL,
  "webhookId" text COLLATE "C" NOT NULL, "key" text COLLATE "C" NOT NULL, "state" text COLLATE "C" NOT NULL,
  "attempts" bigint NOT NULL, "dueAt" bigint, "leasedBy" text COLLATE "C", "createdAt" bigint NOT NULL,
  "settledAt" bigint
);
CREATE INDEX "_delivery_sequence" ON "_delivery" ("sequence");
CREATE INDEX "_delivery_createdAt" ON "_delivery" ("createdAt");
CREATE INDEX "_delivery_dueAt" ON "_delivery" ("companyId", "webhookId", "dueAt") WHERE "settledAt" IS NULL AND "dueAt" IS NOT NULL;
CREATE INDEX "_delivery_key" ON "_delivery" ("companyId", "webhookId", "key", "id") WHERE "settledAt" IS NULL;

CREATE TABLE "_deliveryAttempt" (
  "id" bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  "deliveryId" bigint NOT NULL REFERENCES "_delivery" ("id") DEFERRABLE, "number" bigint NOT NULL,
  "at" bigint NOT NULL, "duration" bigint NOT NULL, "outcome" text COLLATE "C" NOT NULL,
  "url" text COLLATE "C" NOT NULL, "requestHeaders" text COLLATE "C" NOT NULL, "status" bigint,
  "responseHeaders" text COLLATE "C", "responseBody" text COLLATE "C", "error" text COLLATE "C"
);
CREATE INDEX "_deliveryAttempt_deliveryId" ON "_deliveryAttempt" ("deliveryId", "number");

CREATE TABLE "_idempotency" (
  "companyId" text COLLATE "C" NOT NULL, "userId" text COLLATE "C" NOT NULL, "key" text COLLATE "C" NOT NULL,
  "requestHash" text COLLATE "C" NOT NULL, "status" bigint NOT NULL, "headers" text COLLATE "C" NOT NULL,
  "body" text COLLATE "C" NOT NULL, "createdAt" bigint NOT NULL, PRIMARY KEY ("companyId", "userId", "key")
);
CREATE INDEX "_idempotency_createdAt" ON "_idempotency" ("createdAt");

CREATE FUNCTION "_refuse" (guard integer) RETURNS integer LANGUAGE plpgsql STABLE STRICT AS $body$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'MFG01', MESSAGE = guard::text;
END
$body$;

CREATE FUNCTION "_json" (value text) RETURNS json LANGUAGE plpgsql IMMUTABLE STRICT AS $body$
BEGIN
  RETURN value::json;
EXCEPTION WHEN data_exception THEN
  RETURN NULL;
END
$body$;

CREATE FUNCTION "_hash" (value text) RETURNS bytea LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $body$
BEGIN
  RETURN sha256(convert_to(value, 'UTF8'));
END
$body$;

CREATE FUNCTION "_tell" () RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  PERFORM pg_notify('mfgdata', TG_ARGV[0] || ' ' || TG_TABLE_SCHEMA);
  RETURN NULL;
END
$body$;

CREATE TRIGGER "_tell" AFTER UPDATE OF "scopes", "expiresAt", "revokedAt" ON "_apiKey"
  FOR EACH STATEMENT EXECUTE FUNCTION "_tell" ('keys');
CREATE TRIGGER "_tell_removed" AFTER DELETE OR TRUNCATE ON "_apiKey"
  FOR EACH STATEMENT EXECUTE FUNCTION "_tell" ('keys');
CREATE TRIGGER "_tell" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "_company"
  FOR EACH STATEMENT EXECUTE FUNCTION "_tell" ('world');
CREATE TRIGGER "_tell" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "_companyUser"
  FOR EACH STATEMENT EXECUTE FUNCTION "_tell" ('world');
CREATE TRIGGER "_tell" AFTER INSERT ON "_delivery" FOR EACH STATEMENT EXECUTE FUNCTION "_tell" ('events');
CREATE TRIGGER "_tell" AFTER INSERT OR UPDATE OF "active" OR DELETE ON "webhook"
  FOR EACH STATEMENT EXECUTE FUNCTION "_tell" ('events');
CREATE TRIGGER "_tell" AFTER INSERT OR UPDATE ON "_meta"
  FOR EACH ROW WHEN (NEW."key" = 'ruleSet') EXECUTE FUNCTION "_tell" ('world');
`
