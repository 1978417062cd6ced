/**
 * Caches which rows webhooks have subscribed to, so that a write without subscribers needs no query for them.
 */
import * as Subscription from "../../sql/write/Subscription.ts"
import type { OwnedTable } from "../../sql/Owner.ts"
import * as SqliteDialect from "../../sql/sqlite/SqliteDialect.ts"
import type { SqliteDriver } from "./SqliteDriver.ts"

export interface SubscriptionCache {
  /** Reports whether a webhook has subscribed to changes of an owner's rows. */
  readonly hasSubscribers: (owned: OwnedTable) => boolean
  /** Clears the cache after webhooks have changed. */
  readonly forget: () => void
}

/** Queries the subscriptions; a failure counts as subscribed, so that the write itself decides. */
const query = (driver: Pick<SqliteDriver, "execute">, owned: OwnedTable): boolean => {
  try {
    return driver.execute(Subscription.find(SqliteDialect.dialect, owned)).length > 0
  } catch {
    return true
  }
}

/** The maximum number of entries, one for each company and resource. */
const capacity = 4096

/** Creates an empty cache. */
export const make = (driver: Pick<SqliteDriver, "execute">): SubscriptionCache => {
  const known = new Map<string, boolean>()
  return {
    hasSubscribers: (owned) => {
      const name = `${owned.resource.resource} ${owned.owner.companyId}`
      const found = known.get(name)
      if (found !== undefined) return found
      const hasSubscribers = query(driver, owned)
      if (known.size === capacity) known.clear()
      known.set(name, hasSubscribers)
      return hasSubscribers
    },
    forget: () => known.clear()
  }
}
