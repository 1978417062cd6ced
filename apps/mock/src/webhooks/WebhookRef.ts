/**
 * Identifies a webhook by its company and id, and finds its rows in the store.
 */
import { type Fragment, sql } from "../sql/Statement.ts"

export interface WebhookRef {
  readonly companyId: string
  readonly id: string
}

/** The webhook that a delivery is sent to. */
export const fromDelivery = ({
  companyId,
  webhookId
}: {
  readonly companyId: string
  readonly webhookId: string
}): WebhookRef => ({ companyId, id: webhookId })

/** The key of a webhook in a map. */
export const toKey = ({ companyId, id }: WebhookRef): string => JSON.stringify([companyId, id])

/** The condition that selects the webhook's own row. */
export const ownRow = ({ companyId, id }: WebhookRef): Fragment => sql`"_tenant" = ${companyId} AND "id" = ${id}`

/** The condition that selects the rows of the service's tables that refer to the webhook. */
export const referringRows = ({ companyId, id }: WebhookRef): Fragment =>
  sql`"companyId" = ${companyId} AND "webhookId" = ${id}`
