/**
 * Lists hostile requests that write: small ones over many rows, and bodies of up to 10 MB.
 */
import { type HostileRequest, list } from "./HostileRequest.ts"

const json = { "Content-Type": "application/json" }
const csv = { "Content-Type": "text/csv" }
const dry = { ...json, Prefer: "tx=rollback" }

/** A little less than the largest body that the service accepts. */
const large = 10 * 1024 * 1024 - 1024

/** The longest text that the service accepts, as it is sent. */
const longestText = 4 * 1024 * 1024

const toLength = (head: string, element: (index: number) => string, tail: string): string => {
  const parts = [head]
  let length = head.length + tail.length
  for (let index = 0; ; index++) {
    const part = (index === 0 ? "" : ",") + element(index)
    length += part.length
    if (length > large) return parts.join("") + tail
    parts.push(part)
  }
}

/** Days of forty years, so that rows differ. */
const date = (index: number): string => new Date(Date.UTC(2000, 0, 1 + (index % 14_600))).toISOString().slice(0, 10)
const holiday = (index: number): string => `{"name":"h${index}","date":"${date(index)}","companyId":"demo"}`
/** A transfer with notes, as they are sent. */
const transfer = (notes: string): string =>
  `{"transferId":"t","fromLocationId":"a","toLocationId":"b","status":"Draft","companyId":"demo","notes":"${notes}"}`
const favorite = (index: number): string => `{"salesOrderId":"so_${index}"}`
const holidays = "/rest/holiday"

const changes: ReadonlyArray<HostileRequest> = [
  {
    family: "changes",
    name: "patch-all",
    method: "PATCH",
    target: () => "/rest/warehouseTransferLine?quantity=gte.0&select=id",
    headers: () => ({ ...json, Prefer: "tx=rollback,return=representation" }),
    body: () => '{"notes":"changed"}'
  },
  {
    family: "changes",
    name: "patch-matched",
    method: "PATCH",
    target: () => `/rest/warehouseTransferLine?notes=${encodeURIComponent("imatch.(x+)+y")}`,
    headers: () => dry,
    body: () => '{"quantity":2}'
  },
  {
    family: "changes",
    name: "delete-all",
    method: "DELETE",
    target: () => "/rest/warehouseTransferLine?quantity=gte.0",
    headers: () => ({ Prefer: "tx=rollback" })
  },
  {
    family: "upserts",
    name: "upsert",
    method: "POST",
    target: () => "/rest/salesOrderFavorite",
    headers: () => ({ ...json, Prefer: "resolution=merge-duplicates" }),
    body: () => `[${list(200, favorite)}]`,
    times: 3
  },
  {
    family: "columns=",
    name: "columns",
    method: "POST",
    target: () => `${holidays}?columns=${list(1500, () => "name")}`,
    headers: () => dry,
    body: () => `[${holiday(1)}]`,
    times: 10
  }
]

/** Writes with an `Idempotency-Key`, of which a repeated one receives the stored response. */
const keyed: ReadonlyArray<HostileRequest> = [
  {
    family: "replays",
    name: "replay-patch",
    method: "PATCH",
    target: () => "/rest/warehouseTransferLine?quantity=lt.450",
    headers: () => ({ ...json, Prefer: "return=representation", "Idempotency-Key": "replay-patch" }),
    body: () => '{"notes":"changed once"}',
    isRepeated: true,
    times: 5
  },
  {
    family: "replays",
    name: "replay-post",
    method: "POST",
    target: () => holidays,
    headers: () => ({ ...json, Prefer: "return=representation", "Idempotency-Key": "replay-post" }),
    body: () => `[${list(9000, holiday)}]`,
    isRepeated: true,
    times: 3
  },
  {
    family: "replays",
    name: "keys-many",
    method: "POST",
    target: () => holidays,
    headers: ({ word }) => ({ ...json, "Idempotency-Key": word() }),
    body: () => holiday(1),
    times: 100
  }
]

const posts: ReadonlyArray<HostileRequest> = [
  {
    family: "large bodies",
    name: "rows-10mb",
    target: () => holidays,
    headers: () => dry,
    body: () => toLength("[", holiday, "]")
  },
  {
    family: "large bodies",
    name: "rows-10000",
    target: () => holidays,
    headers: () => dry,
    body: () => `[${list(10_000, holiday)}]`
  },
  {
    family: "large bodies",
    name: "rows-10000-kept",
    target: () => holidays,
    headers: () => ({ ...json, Prefer: "return=representation" }),
    body: () => `[${list(10_000, holiday)}]`
  },
  {
    family: "large bodies",
    name: "upsert-10000",
    target: () => "/rest/salesOrderFavorite",
    headers: () => ({ ...json, Prefer: "resolution=merge-duplicates,tx=rollback" }),
    body: () => `[${list(10_000, favorite)}]`
  },
  {
    family: "large bodies",
    name: "nested",
    target: () => holidays,
    headers: () => dry,
    body: () => "[".repeat(large)
  },
  {
    family: "large bodies",
    name: "nested-value",
    target: () => holidays,
    headers: () => dry,
    body: () => `${holiday(1).slice(0, -1)},"customFields":{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}}`
  },
  {
    family: "large bodies",
    name: "keys-100000",
    target: () => holidays,
    headers: () => dry,
    body: () => `{${list(100_000, (index) => `"k${index}":1`)}}`
  },
  {
    family: "large bodies",
    name: "values-10mb",
    target: () => holidays,
    headers: () => dry,
    body: () => toLength(`${holiday(1).slice(0, -1)},"customFields":{"list":[`, () => "1", "]}}")
  },
  {
    family: "large bodies",
    name: "text-10mb",
    target: () => "/rest/warehouseTransfer?select=id",
    headers: () => ({ ...json, Prefer: "tx=rollback,return=representation" }),
    body: () => transfer("x".repeat(large - 200))
  },
  {
    family: "large bodies",
    name: "text-4mb",
    target: () => `/rest/warehouseTransfer?select=id,${list(20, (index) => `c${index}:notes`)}`,
    headers: () => ({ ...json, Prefer: "tx=rollback,return=representation" }),
    body: () => transfer("x".repeat(longestText))
  },
  {
    family: "large bodies",
    name: "text-4mb-escaped",
    target: () => "/rest/warehouseTransfer",
    headers: () => ({ ...json, Prefer: "tx=rollback,return=representation" }),
    body: () => transfer("\\u0041".repeat(Math.floor(longestText / 6)))
  },
  {
    family: "large bodies",
    name: "texts-4mb",
    target: () => "/rest/warehouseTransfer",
    headers: () => ({ ...json, Prefer: "tx=rollback,return=representation" }),
    body: () => `[${list(2, () => transfer("é".repeat(longestText / 2)))}]`
  },
  {
    family: "large bodies",
    name: "csv-4mb",
    target: () => "/rest/warehouseTransfer",
    headers: () => ({ ...csv, Prefer: "tx=rollback,return=representation" }),
    body: () =>
      `transferId,fromLocationId,toLocationId,status,companyId,notes\nt,a,b,Draft,demo,"${'""'.repeat(longestText / 2)}"\n`
  },
  {
    family: "large bodies",
    name: "csv-quotes",
    target: () => holidays,
    headers: () => ({ ...csv, Prefer: "tx=rollback" }),
    body: () => `name,date,companyId\n"${'""'.repeat((large - 100) / 2)}",2026-01-01,demo\n`
  },
  {
    family: "large bodies",
    name: "csv-rows",
    target: () => holidays,
    headers: () => ({ ...csv, Prefer: "tx=rollback" }),
    body: () => `name,date,companyId\n${"a,2026-01-01,demo\n".repeat(500_000)}`
  },
  {
    family: "large bodies",
    name: "form",
    target: () => holidays,
    headers: () => ({ "Content-Type": "application/x-www-form-urlencoded", Prefer: "tx=rollback" }),
    body: () => `name=${"%41".repeat(large / 4)}&date=2026-01-01&companyId=demo`
  },
  {
    family: "large bodies",
    name: "body-no-key",
    target: () => holidays,
    headers: () => json,
    body: () => toLength("[", holiday, "]"),
    key: "none"
  },
  {
    family: "large bodies",
    name: "body-slow",
    target: () => holidays,
    headers: () => dry,
    body: () => `[${list(500, holiday)}]`,
    isSlow: true
  }
]

/** Every hostile write. */
export const writes: ReadonlyArray<HostileRequest> = [
  ...changes,
  ...keyed,
  ...posts.map((request) => ({ method: "POST", ...request }))
]
