/**
 * The requests of the row bench: several kinds of request on one resource of 22 fields, and its rows.
 */
import * as Load from "./Load.ts"
import type { Subject } from "./Subject.ts"

export const resource = "inboundInspection"
export const key = "mfg_bench_key"

const headers = { Authorization: `Bearer ${key}` }
const jsonHeaders = { ...headers, "Content-Type": "application/json" }
const items = 500

/** A row as it is written: about 500 bytes of JSON. */
const row = (index: number) => ({
  inboundInspectionId: `II${String(index).padStart(6, "0")}`,
  receiptLineId: `receipt_line_${index}`,
  receiptId: `receipt_${index % 1000}`,
  itemId: `item_${index % items}`,
  lotSize: (index * 7919) % 1000,
  samplingStandard: "ANSI_Z1_4",
  samplingPlanType: "AQL",
  sampleSize: 50,
  acceptanceNumber: 3,
  rejectionNumber: 4,
  status: index % 3 === 0 ? "Pending" : "Passed",
  companyId: "demo",
  itemReadableId: `HOUSING-${index % items}`,
  supplierId: `supplier_${index % 40}`,
  aql: 2.5,
  inspectionLevel: "II",
  severity: "Normal",
  codeLetter: "H",
  notes: "Two of fifty with scratches on the left side.",
  dispositionedAt: "2026-03-02T09:30:00Z"
})

const batch = 1000

/** Writes rows into a service until a resource has `count`, each made from its number. */
export const fill = async (
  { origin }: Subject,
  { count, make = row, name = resource }: { count: number; make?: (index: number) => object; name?: string }
): Promise<void> => {
  for (let start = 0; start < count; start += batch) {
    const body = JSON.stringify(
      Array.from({ length: Math.min(batch, count - start) }, (_, index) => make(start + index))
    )
    const init = { method: "POST", headers: { ...jsonHeaders, Prefer: "return=minimal" }, body }
    const response = await fetch(`${origin}/rest/${name}`, init)
    if (!response.ok) throw new Error(await response.text())
    await response.arrayBuffer()
  }
}

/** All rows, as JSON text. */
export const rows = async ({ origin }: Subject): Promise<string> =>
  (await fetch(`${origin}/rest/${resource}?limit=1000000`, { headers })).text()

const simple = ["one", "list", "filtered", "create", "update"] as const
type Simple = (typeof simple)[number]
export type Kind = Simple | "mixed"

export const kinds: ReadonlyArray<Kind> = [...simple, "mixed"]

/** The label of each kind in the table. */
export const titles: { readonly [K in Kind]: string } = {
  one: "one row by key",
  list: "list of 100",
  filtered: "filtered list of 20",
  create: "create",
  update: "update",
  mixed: "mixed, 7 reads, 1 list, 2 writes"
}

interface Asked {
  readonly method: string
  readonly target: string
  readonly body: string
}

const path = `/rest/${resource}`

const variants = 1000

const asked = (ids: ReadonlyArray<string>): { readonly [K in Simple]: (index: number) => Asked } => {
  const one = (index: number) => `${path}?id=eq.${ids[((index % variants) * 7919) % ids.length]}`
  const get = (target: string): Asked => ({ method: "GET", target, body: "" })
  return {
    one: (index) => get(one(index)),
    list: () => get(`${path}?limit=100`),
    filtered: (index) => get(`${path}?itemId=eq.item_${index % items}&status=eq.Passed&order=lotSize.desc&limit=20`),
    create: (index) => ({ method: "POST", target: path, body: JSON.stringify(row(index)) }),
    // A row gets another value at its next turn: SQLite writes no page for the same one.
    update: (index) => ({ method: "PATCH", target: one(index), body: JSON.stringify({ lotSize: index }) })
  }
}

const mix: ReadonlyArray<Simple> = ["one", "one", "create", "one", "one", "list", "one", "one", "update", "one"]

/** The requests of a kind in turn, as bytes; the floor server gets the kind only. */
export type Requests = { readonly [K in Kind]: { readonly real: () => Buffer; readonly floor: () => Buffer } }

const inTurn = (buffers: ReadonlyArray<Buffer>): (() => Buffer) => {
  let turn = 0
  return () => {
    const buffer = buffers[turn++ % buffers.length]
    if (buffer === undefined) throw new RangeError("there is nothing to ask for")
    return buffer
  }
}

const bytes = ({ body, method, target }: Asked) =>
  Load.request(method, target, body === "" ? headers : jsonHeaders, body)

/** The requests about rows with these keys. */
export const requests = (ids: ReadonlyArray<string>): Requests => {
  const make = asked(ids)
  const of = (kindAt: (index: number) => Simple) => {
    const list = Array.from({ length: 2 * variants }, (_, index) => {
      const kind = kindAt(index)
      return { kind, asked: make[kind](index) }
    })
    return {
      real: inTurn(list.map(({ asked }) => bytes(asked))),
      floor: inTurn(list.map(({ asked, kind }) => bytes({ ...asked, target: `/${kind}` })))
    }
  }
  return {
    one: of(() => "one"),
    list: of(() => "list"),
    filtered: of(() => "filtered"),
    create: of(() => "create"),
    update: of(() => "update"),
    mixed: of((index) => mix[index % mix.length] ?? "one")
  }
}

/** Gives the floor server the service's response to each kind. */
export const teach = async (floor: Subject, service: Subject, ids: ReadonlyArray<string>): Promise<void> => {
  const make = asked(ids)
  for (const kind of simple) {
    const { body, method, target } = make[kind](1)
    // The load accepts no encoding either, so the floor server sends bytes of the same number.
    const sent = { ...(body === "" ? headers : jsonHeaders), "Accept-Encoding": "identity" }
    const response = await fetch(service.origin + target, { method, headers: sent, ...(body === "" ? {} : { body }) })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    // Columns that a server sets.
    const own = new Set(["date", "connection", "keep-alive"])
    const kept = Array.from(response.headers).flatMap(([name, value]) => (own.has(name) ? [] : [name, value]))
    const answer = JSON.stringify({ status: response.status, headers: kept, body: text })
    await fetch(`${floor.origin}/${kind}`, { method: "PUT", body: answer })
  }
}
