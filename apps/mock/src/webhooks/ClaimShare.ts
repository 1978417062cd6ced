/**
 * Divides the concurrent attempts of a process fairly: between companies, then between the webhooks of each. A pure
 * function of counts.
 */
import type { WebhookRef } from "./WebhookRef.ts"

/** The maximum numbers of concurrent attempts. */
export interface Limits {
  readonly all: number
  readonly company: number
  readonly webhook: number
  /** Of all webhooks of a company that do not answer; each of them has one. */
  readonly hanging: number
}

/** A quarter for one company, and half of that for its webhooks that do not answer. */
const limits: Limits = { all: 512, company: 128, webhook: 16, hanging: 64 }

/** The due webhooks of a company, in the order in which they get attempts. */
export interface DueCompany {
  readonly companyId: string
  readonly webhookIds: ReadonlyArray<string>
}

/** The attempts in flight to a webhook. */
export interface Load {
  readonly webhook: WebhookRef
  readonly count: number
}

/** The attempts in flight, and the test for webhooks that do not answer. */
export interface State {
  readonly loads: ReadonlyArray<Load>
  readonly isHanging: (webhook: WebhookRef) => boolean
}

/** The number of deliveries to claim of a webhook. */
export interface Claim {
  readonly webhook: WebhookRef
  readonly count: number
}

interface Share {
  readonly claims: ReadonlyArray<Claim>
  /** The first webhook of each company that got no attempt because others have all. */
  readonly denied: ReadonlyMap<string, string>
  /** Webhooks may have more due deliveries than their share, and there may be room for them after the claims. */
  readonly isLimited: boolean
}

/** The attempts in flight of each company, and in all. */
const totals = (loads: ReadonlyArray<Load>) => {
  const companies = new Map<string, number>()
  for (const { count, webhook } of loads) {
    companies.set(webhook.companyId, (companies.get(webhook.companyId) ?? 0) + count)
  }
  return { companies, total: sum(loads) }
}

/** The number of attempts that a company may have: at most half of what the others leave. */
const allowed = ({ all, company }: Limits, others: number): number =>
  Math.min(company, Math.max(1, Math.floor((all - others) / 2)))

/** Tests whether a company has all attempts that it may have. */
export const isFull = (loads: ReadonlyArray<Load>, within: Limits = limits): ((companyId: string) => boolean) => {
  const { companies, total } = totals(loads)
  return (companyId) => {
    const running = companies.get(companyId) ?? 0
    return total >= within.all || running >= allowed(within, total - running)
  }
}

const sum = (loads: Iterable<Load>): number => Array.from(loads).reduce((total, { count }) => total + count, 0)

/**
 * The claims of due webhooks. The company with the fewest attempts comes first, and none gets more than half of what
 * the others leave, so that there is room for a company that comes later.
 */
export const make = (due: ReadonlyArray<DueCompany>, { isHanging, loads }: State, within: Limits = limits): Share => {
  const { companies, total } = totals(loads)
  const claims: Array<Claim> = []
  const denied = new Map<string, string>()
  let room = within.all - total
  let isLimited = false
  const inOrder = due
    .map((one) => ({ ...one, running: companies.get(one.companyId) ?? 0 }))
    .toSorted((one, other) => one.running - other.running)

  for (const [index, { companyId, running, webhookIds }] of inOrder.entries()) {
    const own = loads.filter(({ webhook }) => webhook.companyId === companyId)
    const counts = new Map(own.map(({ count, webhook }) => [webhook.id, count]))
    const others = within.all - room - running
    const part = Math.max(1, Math.floor(room / (inOrder.length - index)))
    let left = Math.min(allowed(within, others) - running, part, room)
    let hangingLeft = within.hanging - sum(own.filter(({ webhook }) => isHanging(webhook)))
    const open = webhookIds
      .map((id) => ({ id, isHanging: isHanging({ companyId, id }) }))
      .map(({ id, isHanging }) => ({ id, isHanging, most: (isHanging ? 1 : within.webhook) - (counts.get(id) ?? 0) }))
      .filter(({ most }) => most > 0)
    const each = Math.max(1, Math.floor(left / Math.max(1, open.length)))
    for (const { id, isHanging, most } of open) {
      if (isHanging && hangingLeft-- <= 0) continue
      if (left <= 0) {
        denied.set(companyId, id)
        break
      }
      const count = Math.min(each, left, most)
      isLimited ||= count < most
      claims.push({ webhook: { companyId, id }, count })
      left -= count
      room -= count
    }
  }
  return { claims, denied, isLimited }
}
