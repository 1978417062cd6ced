/**
 * What the owner of a file knows of webhooks without asking it for every write: which rows somebody listens to.
 */
import * as Outbox from "../../sql/write/Outbox.ts"
import type { OwnedTable } from "../../sql/Owner.ts"
import * as SqliteDialect from "../../sql/sqlite/SqliteDialect.ts"
import type { SqliteDriver } from "./SqliteDriver.ts"

export interface SubscriptionCache {
  /** Whether a webhook listens to changes of an owner's rows. */
  readonly hasSubscribers: (owned: OwnedTable) => boolean
  /** To be called when webhooks have changed. */
  readonly forget: () => void
}

/** What cannot be asked is left to the write to find out. */
const ask = (driver: Pick<SqliteDriver, "execute">, owned: OwnedTable): boolean => {
  try {
    return driver.execute(Outbox.subscribers(SqliteDialect.dialect, owned)).length > 0
  } catch {
    return true
  }
}

/** So many companies and resources are remembered at a time. */
const capacity = 4096

/** Knows nothing yet. */
export const make = (driver: Pick<SqliteDriver, "execute">): SubscriptionCache => {
  const known = new Map<string, boolean>()
  return {
    hasSubscribers: (owned) => {
      const name = `${owned.resource.resource} ${owned.owner.companyId}`
      const found = known.get(name)
      if (found !== undefined) return found
      const hasSubscribers = ask(driver, owned)
      if (known.size === capacity) known.clear()
      known.set(name, hasSubscribers)
      return hasSubscribers
    },
    forget: () => known.clear()
  }
}
