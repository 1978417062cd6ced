/**
 * Explains a row: everything that touched it, in order, from its requests to the attempts of its deliveries.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Effect from "effect/Effect"
import type { StoreUnavailable } from "../store/Store.ts"
import type { DeliveryLog } from "../webhooks/DeliveryLog.ts"
import type { Entry } from "./HistoryLog.ts"

/** The maximum number of deliveries, the newest ones. */
const mostDeliveries = 100

/** The order of what happens at the same time. */
const ranks = { request: 0, change: 1, delivery: 2, attempt: 3 } as const

/** The requests of changes, each before its first change. */
const requestsOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<AdminApi.HistoryCause> => {
  const known = new Set<string>()
  return entries.flatMap(
    ({ request, shown: { apiKey, at, requestId, userId } }): ReadonlyArray<AdminApi.HistoryCause> => {
      if (requestId === null || known.has(requestId)) return []
      known.add(requestId)
      return [{ type: "request", at, requestId, request, apiKey, userId }]
    }
  )
}

/** The causes of a row, from its changes, oldest first. */
export const make = (
  entries: ReadonlyArray<Entry>,
  deliveries: Pick<DeliveryLog, "list" | "get">,
  row: { readonly resource: string; readonly key: string; readonly companyId?: string | undefined }
): Effect.Effect<ReadonlyArray<AdminApi.HistoryCause>, StoreUnavailable> =>
  Effect.gen(function* () {
    const { companyId, key, resource } = row
    const found = yield* deliveries.list({ companyId, key, table: resource, limit: mostDeliveries })
    const causes: Array<AdminApi.HistoryCause> = [
      ...requestsOf(entries),
      ...entries.map(({ shown }) => ({ type: "change", at: shown.at, change: shown }) as const)
    ]
    for (const delivery of found) {
      causes.push({ type: "delivery", at: delivery.createdAt, delivery })
      const detail = yield* Effect.option(deliveries.get(delivery.id))
      if (detail._tag === "None") continue
      for (const attempt of detail.value.log) {
        const { id: deliveryId, webhookId } = delivery
        causes.push({ type: "attempt", at: attempt.at, deliveryId, webhookId, attempt })
      }
    }
    const moments = new Map(causes.map((cause) => [cause, Timestamp.toMicros(cause.at)]))
    const momentOf = (cause: AdminApi.HistoryCause) => moments.get(cause) ?? 0n
    return causes.toSorted((one, other) =>
      momentOf(one) === momentOf(other) ? ranks[one.type] - ranks[other.type] : momentOf(one) < momentOf(other) ? -1 : 1
    )
  })
