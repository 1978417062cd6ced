/**
 * Applies conditions to the events of a webhook, which has none: the service is asked which of the rows still match.
 */
import type { QueryError } from "@mfgdata/client/ClientError"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import type * as RowQuery from "../RowQuery.ts"
import type { Connection } from "../service/Connection.ts"
import * as KeyedRows from "../service/KeyedRows.ts"
import type * as RowEvent from "./RowEvent.ts"

/** The last of the events of each row. A row that is new among them stays new. */
const lasting = (events: ReadonlyArray<RowEvent.RowEvent>): ReadonlyArray<RowEvent.RowEvent> => {
  const byKey = new Map<string, RowEvent.RowEvent>()
  for (const event of events) {
    const isNew = byKey.get(event.key)?.change === "insert" && event.change === "update"
    byKey.delete(event.key)
    byKey.set(event.key, isNew ? { ...event, change: "insert" } : event)
  }
  return [...byKey.values()]
}

/**
 * Makes the function that applies conditions to at most {@link KeyedRows.batchSize} events. Only a row that was reported
 * before can be reported as deleted or as leaving: of others the service cannot say whether they matched.
 */
export const make = (
  connection: Connection,
  resource: Resource.Any,
  where: ReadonlyArray<RowQuery.Parameter>
): ((events: ReadonlyArray<RowEvent.RowEvent>) => Effect.Effect<ReadonlyArray<RowEvent.RowEvent>, QueryError>) => {
  if (where.length === 0) return Effect.succeed
  const reported = new Set<string>()
  return (all) => {
    const events = lasting(all)
    const keys = events.flatMap(({ change, key }) => (change === "delete" ? [] : [key]))
    return Effect.map(KeyedRows.read(connection, resource, keys, where), (matching) =>
      events.flatMap((event): ReadonlyArray<RowEvent.RowEvent> => {
        const row = matching.get(event.key)
        if (row !== undefined) {
          reported.add(event.key)
          return [{ ...event, row }]
        }
        if (!reported.delete(event.key)) return []
        return [event.change === "delete" ? event : { ...event, change: "leave" }]
      })
    )
  }
}
