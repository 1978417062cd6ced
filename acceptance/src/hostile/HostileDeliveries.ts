/**
 * Lists hostile requests that change rows with many webhooks: a row times a webhook is a delivery.
 */
import * as HostileData from "./HostileData.ts"
import { type HostileRequest, list } from "./HostileRequest.ts"

const json = { "Content-Type": "application/json" }
const dry = { ...json, Prefer: "tx=rollback" }

const { few, many } = HostileData.subscribed
const shifts = `/rest/${many.table}`
const items = `/rest/${few.table}`

const rowsOf = (count: number, row: (index: number) => object): string =>
  `[${list(count, (index) => JSON.stringify(row(index)))}]`

/** As many rows as have the maximum number of deliveries, or a few less. */
const mostRows = 11

/** Every hostile write whose rows have webhooks. */
export const deliveries: ReadonlyArray<HostileRequest> = [
  {
    family: "webhooks",
    name: "deliveries-9000000",
    method: "POST",
    target: () => shifts,
    headers: () => json,
    body: () => rowsOf(10_000, HostileData.shift)
  },
  {
    family: "webhooks",
    name: "deliveries-patch",
    method: "PATCH",
    target: () => `${shifts}?shiftId=eq.shift_hostile`,
    headers: () => json,
    body: () => '{"shiftId":"shift_hostile"}'
  },
  {
    family: "webhooks",
    name: "deliveries-delete",
    method: "DELETE",
    target: () => `${shifts}?shiftId=eq.shift_hostile`
  },
  {
    family: "webhooks",
    name: "deliveries-9900",
    method: "POST",
    target: () => shifts,
    headers: () => dry,
    body: () => rowsOf(mostRows, HostileData.shift)
  },
  {
    family: "webhooks",
    name: "deliveries-10000",
    method: "POST",
    target: () => items,
    headers: () => dry,
    body: () => rowsOf(10_000, HostileData.item)
  }
]
