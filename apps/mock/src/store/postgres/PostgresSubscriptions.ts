/**
 * Remembers which rows webhooks have subscribed to. All others are taken to have no subscriber, and a write that finds
 * one reports it here.
 */
import type { OwnedTable } from "../../sql/Owner.ts"

export interface PostgresSubscriptions {
  readonly hasSubscribers: (owned: OwnedTable) => true | "unlikely"
  readonly add: (owned: OwnedTable) => void
}

/** The time after which a write finds out again. */
const rememberedMillis = 300_000

/** The maximum number of entries, one for each company and resource. */
const capacity = 4096

const nameOf = ({ owner, resource }: OwnedTable): string => `${resource.resource} ${owner.companyId}`

export const make = (): PostgresSubscriptions => {
  const ends = new Map<string, number>()
  return {
    hasSubscribers: (owned) => {
      if (ends.size === 0) return "unlikely"
      const end = ends.get(nameOf(owned))
      return end !== undefined && performance.now() < end ? true : "unlikely"
    },
    add: (owned) => {
      if (ends.size === capacity) ends.clear()
      ends.set(nameOf(owned), performance.now() + rememberedMillis)
    }
  }
}
