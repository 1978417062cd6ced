/**
 * Which transfers are still open: a query whose columns, values and operators the compiler has checked.
 */
import { ClientConfig } from "@mfgdata/client"
import { Query, WarehouseTransfer } from "@mfgdata/domain"
import * as Effect from "effect/Effect"

/** The next fifty transfers that are not done, the latest first. */
export const query = Query.make(WarehouseTransfer, {
  select: ["id", "status", "transferDate"],
  where: { status: "Draft", transferDate: Query.gte("2026-01-01") },
  order: [Query.desc("transferDate")],
  limit: 50
})

/** Where a program with a key would ask for them. */
export const address = Effect.map(
  ClientConfig.restUrl,
  (restUrl) => `${restUrl}/${WarehouseTransfer.resource}?${Query.toSearchParams(query)}`
)
