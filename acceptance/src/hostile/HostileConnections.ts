/**
 * Lists hostile requests whose client opens many further connections.
 */
import { type HostileRequest, list } from "./HostileRequest.ts"
import type { Sockets } from "./Sockets.ts"

const json = { "Content-Type": "application/json" }

/** With the connections of the torture, several hundred. */
const count = 50

/** Longer than the time in which the service expects a head. */
const lateMillis = 11_500

/** A request for one row, over a connection of its own. */
const beside = (name: string, sockets: Omit<Sockets, "count" | "millis"> & Partial<Sockets>): HostileRequest => ({
  family: "connections",
  name,
  target: () => "/rest/holiday?limit=1",
  sockets: { count, millis: 500, ...sockets }
})

const holiday = (index: number): string => `{"name":"half ${index}","date":"2026-05-03","companyId":"demo"}`

/** A write of which the connections send half of the body. */
const half = (name: string, rows: number): HostileRequest => ({
  ...beside(name, { sends: "half", closes: true, count: count / 2, millis: 1000 }),
  method: "POST",
  target: () => "/rest/holiday",
  headers: () => ({ ...json, Prefer: "tx=rollback" }),
  body: () => `[${list(rows, holiday)}]`
})

/** Connections that send many requests and read no response. */
const pipelined = (name: string, times: number, target: string): HostileRequest => ({
  ...beside(name, { sends: "everything", times, millis: 1000 }),
  target: () => target
})

/** Every hostile request with further connections. */
export const connections: ReadonlyArray<HostileRequest> = [
  beside("silent", { sends: "nothing" }),
  beside("half-head", { sends: "half", millis: lateMillis }),
  beside("slow-head", { sends: "slowly" }),
  beside("opened-closed", { sends: "nothing", closes: true }),
  half("half-body-small", 10),
  half("half-body-large", 10_000),
  pipelined("pipelined-small", 100, "/rest/holiday?limit=1"),
  pipelined("pipelined-medium", 100, "/rest/warehouseTransferLine?limit=25"),
  pipelined("pipelined-large", 100, "/rest/warehouseTransferLine?limit=1000"),
  pipelined("pipelined-long", 400, "/rest/holiday?limit=1"),
  {
    ...pipelined("pipelined-writes", 50, "/rest/holiday"),
    method: "POST",
    headers: () => ({ ...json, Prefer: "tx=rollback" }),
    body: () => holiday(1)
  },
  {
    ...beside("hang-up", { sends: "everything", closes: true }),
    target: () => "/rest/warehouseTransferLine?limit=5000"
  }
]
