/**
 * A webhook of a company: how it is told from others, and found in the store.
 */
import { type Fragment, sql } from "../sql/Statement.ts"

export interface Hook {
  readonly companyId: string
  readonly id: string
}

/** The webhook that a delivery goes to. */
export const ofDelivery = ({
  companyId,
  webhookId
}: {
  readonly companyId: string
  readonly webhookId: string
}): Hook => ({ companyId, id: webhookId })

/** One text for each, to find it by. */
export const nameOf = ({ companyId, id }: Hook): string => JSON.stringify([companyId, id])

/** The condition on its own row. */
export const isRow = ({ companyId, id }: Hook): Fragment => sql`"_tenant" = ${companyId} AND "id" = ${id}`

/** The condition on what is kept about it. */
export const isAbout = ({ companyId, id }: Hook): Fragment => sql`"companyId" = ${companyId} AND "webhookId" = ${id}`
