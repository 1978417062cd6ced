import * as Schema from "effect/Schema"
import { AccountId, CompanyId, JournalId, JournalLineId } from "../Ids.ts"
import { JsonNumber, JsonObject } from "../Json.ts"
import * as Resource from "../Resource.ts"
import { Text, TextArray } from "../Text.ts"
import { Timestamp } from "../Timestamp.ts"
import { JournalLineDocumentType } from "../Vocabularies.ts"

/** One posting of a journal. */
export class JournalLine extends Resource.make("journalLine", {
  key: "id",
  required: {
    journalId: JournalId,
    amount: JsonNumber,
    quantity: JsonNumber,
    journalLineReference: Text,
    accrual: Schema.Boolean,
    companyId: CompanyId
  },
  optional: {
    description: Text,
    documentType: JournalLineDocumentType,
    documentId: Text,
    externalDocumentId: Text,
    documentLineReference: Text,
    customFields: JsonObject,
    tags: TextArray,
    accountId: AccountId,
    /** The counterparty in the same group, for intercompany transactions. */
    intercompanyPartnerId: CompanyId
  },
  returned: {
    id: JournalLineId,
    createdAt: Timestamp
  }
}) {}
