/**
 * Deletes expired changes with the rows that they overwrote or deleted, in the order of their numbers. The newest change
 * is kept, so that numbers are never given again; the history begins later before its changes are deleted.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as PastRow from "../sql/PastRow.ts"
import * as ServiceColumn from "../sql/ServiceColumn.ts"
import { identifier, sql, text } from "../sql/Statement.ts"
import * as ServiceTables from "../store/ServiceTables.ts"
import type { StoreUnavailable } from "../store/Store.ts"
import type { Batch, Expiry } from "../world/Retention.ts"
import type { World } from "../world/World.ts"

/** The maximum number of changes of a batch. The embedded store runs each statement on the event loop. */
const sizes = { sqlite: 128, postgres: 1000 }

/** The time for which an expired change is kept, so that a read that has begun finds it, in milliseconds. */
const graceMillis = 60_000

export const make = ({ store }: Pick<World["Type"], "store">, keepMillis: number): Expiry<number> => {
  const { dialect } = store
  const tables = ServiceTables.make(store)

  const batch = (beforeMillis: number, after: number): Effect.Effect<Batch<number>, StoreUnavailable> =>
    Effect.gen(function* () {
      const begins = ServiceColumn.long(ServiceColumn.micros(beforeMillis))
      const before = ServiceColumn.long(ServiceColumn.micros(beforeMillis - graceMillis))
      const found = yield* tables.read(sql`SELECT "sequence", "resource" FROM "_history"
        WHERE "sequence" > ${ServiceColumn.long(after)} AND "at" < ${before}
          AND "sequence" < (SELECT max("sequence") FROM "_history")
        ORDER BY "sequence" LIMIT ${text(String(sizes[dialect.name]))}`)
      if (found.length === 0) return { deleted: {}, next: undefined }
      const last = Number(found.at(-1)?.[0])
      const names = new Set(found.map(([, resource]) => resource))
      const resources = Catalogue.resources.filter(({ resource }) => names.has(resource))
      const numbers = found.map(([sequence]) => Number(sequence))
      yield* tables.change({
        statements: [
          sql`UPDATE "_historySpan" SET "begins" = ${begins} WHERE "begins" < ${begins}`,
          ...resources.map(
            (resource) =>
              sql`DELETE FROM ${identifier(PastRow.tableName(resource))}
                WHERE ${dialect.numbered(identifier(PastRow.change), numbers)}`
          ),
          sql`DELETE FROM "_history" WHERE ${dialect.numbered(text('"sequence"'), numbers)}`
        ],
        isLong: true,
        resolve: () => Either.void
      })
      return { deleted: { _history: numbers.length }, next: found.length === sizes[dialect.name] ? last : undefined }
    })

  return { name: "changes", tables: ["_history"], keepMillis, first: 0, batch }
}
