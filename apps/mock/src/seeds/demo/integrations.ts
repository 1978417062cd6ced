/** Settings of the demo: webhooks, OAuth clients, document extractions and workflow triggers. */
import type * as Seed from "../Seed.ts"
import { companyId, userId } from "./company.ts"

const clients = ["portal", "reporting", "scanner"] as const

export const rows: Seed.Rows = {
  webhook: (
    [
      ["Transfers to the depot", "warehouseTransfer", "http://127.0.0.1:4999/transfers", true, true, false],
      ["Inspections to quality", "inboundInspection", "http://127.0.0.1:4999/inspections", true, true, true],
      ["Ledger to reporting", "journalLine", "http://127.0.0.1:4999/ledger", true, false, false]
    ] as const
  ).map(([name, table, url, onInsert, onUpdate, onDelete], index) => ({
    id: `hook_${index + 1}`,
    name,
    table,
    url,
    // Inactive, because no receiver runs at these addresses: start one and activate the webhook to see it deliver.
    active: false,
    onInsert,
    onUpdate,
    onDelete,
    successCount: 0,
    lastSuccess: null,
    errorCount: 0,
    lastError: null,
    companyId
  })),
  oauthClient: clients.map((name) => ({
    id: `ocli_${name}`,
    name: `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
    clientId: `client_${name}`,
    clientSecret: name === "scanner" ? null : `demo-secret-of-${name}`,
    redirectUris: [`https://${name}.ridgeline.example/callback`],
    companyId,
    grantTypes: ["authorization_code", "refresh_token"],
    responseTypes: ["code"],
    tokenEndpointAuthMethod: name === "scanner" ? "none" : "client_secret_post",
    clientUri: `https://${name}.ridgeline.example`,
    logoUri: null,
    scope: null
  })),
  oauthCode: clients.map((name, index) => ({
    id: `ocod_${index + 1}`,
    code: `demo-code-${index + 1}`,
    clientId: `client_${name}`,
    userId,
    companyId,
    redirectUri: `https://${name}.ridgeline.example/callback`,
    expiresAt: `2026-03-2${index}T12:10:00.000Z`,
    codeChallenge: name === "scanner" ? "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM" : null,
    codeChallengeMethod: name === "scanner" ? "S256" : null,
    scope: null,
    createdAt: `2026-03-2${index}T12:00:00.000Z`
  })),
  documentExtraction: (
    [
      ["purchaseInvoice", "completed", null],
      ["purchaseInvoice", "failed", "No total found on the last page"],
      ["salesRfq", "processing", null],
      ["salesRfq", "pending", null]
    ] as const
  ).map(([documentType, status, error], index) => ({
    id: `docext_${index + 1}`,
    sourceDocument: documentType,
    sourceDocumentId: status === "completed" ? "pinv_000601" : null,
    storagePath: `documents/2026/03/${index + 1}.pdf`,
    documentType,
    status,
    extractedData: status === "completed" ? { supplier: "Foundry", total: 3840, currency: "EUR" } : null,
    filteredData: status === "completed" ? { total: 3840 } : null,
    error,
    companyId,
    createdBy: userId,
    createdAt: `2026-03-1${index}T10:00:00.000Z`
  })),
  workflowTriggerEvent: (
    [
      ["purchaseOrder.status.changed", "Person"],
      ["inventory.receiptPosted", "Automation"],
      ["nonConformance.created", "Both"],
      ["sales.quoteAccepted", "Person"]
    ] as const
  ).map(([eventId, origin], index) => ({
    id: `wfe_${index + 1}`,
    workflowId: `wf_${index + 1}`,
    workflowVersionId: `wf_${index + 1}_v1`,
    eventId,
    origin,
    companyId,
    createdAt: "2026-01-09T09:00:00.000Z"
  }))
}
