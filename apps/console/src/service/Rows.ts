/**
 * Calls the row interface, in the world of the page. Rows are JSON as the service sends it; the names and types of
 * their columns are in the catalogue.
 */
import * as Service from "./Service.ts"

type Json = string | number | boolean | null | ReadonlyArray<Json> | { readonly [name: string]: Json }

/** A row, or the part of it that a request selects. */
export interface Row {
  readonly [column: string]: Json | undefined
}

/** A part of the rows that match a query. */
export interface Page {
  readonly rows: ReadonlyArray<Row>
  /** The number of all rows that match, where the request asked for it. */
  readonly total: number | undefined
}

export interface ListOptions {
  /** Without it rows are not counted: a count takes as long as the query. */
  readonly count?: "exact" | "planned" | "estimated"
  readonly signal?: AbortSignal | undefined
  readonly world?: string
}

export interface WriteOptions {
  /** The entity tag of the row as it was read: another state is an error with the status 412. */
  readonly ifMatch?: string | undefined
  readonly idempotencyKey?: string | undefined
  readonly signal?: AbortSignal | undefined
}

const arrays = { Accept: "application/vnd.pgrst.array+json" }
const one = { Accept: "application/vnd.pgrst.object+json" }

const targetOf = (resource: string, query: string | URLSearchParams): string => {
  const search = query.toString()
  return `/rest/${resource}${search === "" ? "" : `?${search}`}`
}

/** The query that selects the row with a key. */
export const byKey = (column: string, key: string): string => `${column}=eq.${encodeURIComponent(key)}`

const totalOf = (headers: Headers): number | undefined => {
  const [, total] = /\/(\d+)$/.exec(headers.get("Content-Range") ?? "") ?? []
  return total === undefined ? undefined : Number(total)
}

/** The rows that match a query, such as `status=eq.Draft&order=id&limit=50`. */
export const list = async (
  resource: string,
  query: string | URLSearchParams,
  { count, signal, world }: ListOptions = {}
): Promise<Page> => {
  const { headers, response } = await Service.open({
    target: targetOf(resource, query),
    headers: count === undefined ? arrays : { ...arrays, Prefer: `count=${count}` },
    signal,
    ...(world === undefined ? {} : { world })
  })
  // The media type of the response is an array of rows.
  return { rows: (await response.json()) as ReadonlyArray<Row>, total: totalOf(headers) }
}

const write = (
  method: string,
  target: string,
  body: unknown,
  { idempotencyKey, ifMatch, signal }: WriteOptions
): Service.Call => ({
  method,
  target,
  headers: {
    ...one,
    Prefer: "return=representation",
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    ...(ifMatch === undefined ? {} : { "If-Match": ifMatch }),
    ...(idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey })
  },
  body: body === undefined ? undefined : JSON.stringify(body),
  signal
})

/** Creates a row, once also if the call is repeated. */
export const create = async (resource: string, values: Row, options: WriteOptions = {}): Promise<Row> =>
  (await Service.json(
    write("POST", targetOf(resource, ""), values, { idempotencyKey: crypto.randomUUID(), ...options })
  )) as Row

/** Changes fields of the row with a key. */
export const update = async (
  resource: string,
  key: { readonly column: string; readonly value: string },
  changes: Row,
  options: WriteOptions = {}
): Promise<Row> =>
  (await Service.json(write("PATCH", targetOf(resource, byKey(key.column, key.value)), changes, options))) as Row
