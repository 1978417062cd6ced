/**
 * Lists hostile writes that repeat an `Idempotency-Key`: at the same time, later, with other bodies, and after
 * connections that closed.
 */
import { type HostileRequest, list } from "./HostileRequest.ts"

const json = { "Content-Type": "application/json" }

const holiday = (name: string): string => `{"name":"${name}","date":"2026-05-04","companyId":"demo"}`

/** The number of characters of a text whose row is a large response. */
const textLength = 3 * 1024 * 1024

/** A write of holidays with its name, whose turns share some keys: each is sent several times, then the next. */
const repeated = (
  name: string,
  { keys, rows, together }: { readonly keys: number; readonly rows: number; readonly together: number },
  more: Partial<HostileRequest> = {}
): HostileRequest => ({
  family: "repeats",
  name,
  method: "POST",
  target: () => "/rest/holiday",
  headers: ({ turn }) => ({
    ...json,
    Prefer: "return=representation",
    "Idempotency-Key": `${name} ${Math.floor(turn / together) % keys}`
  }),
  body: () => `[${list(rows, () => holiday(name))}]`,
  creates: { target: `/rest/holiday?name=eq.${name}`, rows, keys },
  ...more
})

/** Every hostile write that repeats a key. */
export const repeats: ReadonlyArray<HostileRequest> = [
  repeated("repeat-together", { keys: 2, rows: 2000, together: 4 }, { times: 4 }),
  repeated("repeat-keys", { keys: 50, rows: 1, together: 3 }, { times: 50 }),
  repeated(
    "repeat-bodies",
    { keys: 4, rows: 1000, together: 3 },
    {
      body: () => [1, 2, 3, 4].map((spaces) => `[${list(1000, () => holiday("repeat-bodies"))}]${" ".repeat(spaces)}`),
      times: 6
    }
  ),
  {
    ...repeated("repeat-large", { keys: 1, rows: 1, together: 1 }),
    target: () => "/rest/warehouseTransfer",
    body: () =>
      `{"transferId":"REPEATED","fromLocationId":"a","toLocationId":"b","status":"Draft","companyId":"demo","notes":"${"x".repeat(textLength)}"}`,
    creates: { target: "/rest/warehouseTransfer?transferId=eq.REPEATED", rows: 1, keys: 1 },
    isRepeated: true,
    sockets: { count: 4, sends: "everything", millis: 200 },
    times: 3
  },
  repeated(
    "repeat-closed",
    { keys: 6, rows: 1000, together: 5 },
    { sockets: { count: 4, sends: "everything", closes: true, millis: 300 }, times: 3 }
  ),
  repeated(
    "repeat-half",
    { keys: 6, rows: 1000, together: 5 },
    { sockets: { count: 4, sends: "half", closes: true, millis: 300 }, times: 3 }
  ),
  repeated(
    "repeat-pipelined",
    { keys: 4, rows: 200, together: 2 },
    { sockets: { count: 4, sends: "everything", times: 20, millis: 300 }, times: 2 }
  )
]
