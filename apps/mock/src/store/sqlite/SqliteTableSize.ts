/**
 * Caches the sizes of the tables of an embedded store. Both bounds are read from the end of an index.
 */
import type * as Resource from "@mfgdata/domain/Resource"
import * as SqliteDialect from "../../sql/sqlite/SqliteDialect.ts"
import * as Table from "../../sql/Table.ts"
import type { TableSize } from "../Store.ts"
import { SqliteError, type SqliteDriver } from "./SqliteDriver.ts"

/** The time after which a size is read again, if nothing was committed before. */
const maxAgeMillis = 250

const unknown: TableSize = { rows: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY }

const textOf = ({ resource }: Resource.Any): string =>
  `SELECT coalesce((SELECT max("${Table.sequence}") FROM "${resource}"), 0), coalesce((SELECT max(octet_length("${Table.document}"))
    FROM "${resource}" WHERE octet_length("${Table.document}") > ${SqliteDialect.largeBytes}), ${SqliteDialect.largeBytes})`

interface Cached {
  readonly size: TableSize
  readonly endMillis: number
  readonly version: number
}

/** `version` is a number that every commit changes. */
export const make = (
  driver: Pick<SqliteDriver, "execute">,
  version: () => number = () => 0
): ((resource: Resource.Any) => TableSize) => {
  const cache = new Map<Resource.Any, Cached>()

  const load = (resource: Resource.Any): TableSize => {
    try {
      const [row = []] = driver.execute({ text: textOf(resource), parameters: [], isSingle: true })
      return { rows: Number(row[0]), bytes: Number(row[1]) }
    } catch (error) {
      // The query that follows reports the failure.
      if (error instanceof SqliteError) return unknown
      throw error
    }
  }

  return (resource) => {
    const now = performance.now()
    const cached = cache.get(resource)
    const current = version()
    if (cached !== undefined && cached.version === current && now < cached.endMillis) return cached.size
    const size = load(resource)
    cache.set(resource, { size, endMillis: now + maxAgeMillis, version: current })
    return size
  }
}
