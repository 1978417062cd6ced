import { CompanyId, DocumentExtractionId, UserId } from "../Ids.ts"
import { JsonObject } from "../Json.ts"
import * as Resource from "../Resource.ts"
import { Text } from "../Text.ts"
import { Timestamp } from "../Timestamp.ts"
import { DocumentExtractionStatus, DocumentExtractionType } from "../Vocabularies.ts"

/** The data extracted from an uploaded document. */
export class DocumentExtraction extends Resource.make("documentExtraction", {
  key: "id",
  required: {
    sourceDocument: Text,
    storagePath: Text,
    documentType: DocumentExtractionType,
    status: DocumentExtractionStatus
  },
  optional: {
    sourceDocumentId: Text,
    extractedData: JsonObject,
    filteredData: JsonObject,
    error: Text
  },
  returned: {
    id: DocumentExtractionId,
    companyId: CompanyId,
    createdBy: UserId,
    createdAt: Timestamp
  }
}) {}
