/**
 * The row interface as the data views use it: the results of writes as values, with the fields that a refusal names.
 */
import type { JsonObject } from "@mfgdata/domain/Json"
import * as Catalogue from "../../../service/Catalogue.ts"
import * as ServiceError from "../../../service/ServiceError.ts"
import type * as Service from "../../../service/Service.ts"
import * as NewId from "./NewId.ts"

/** A version of a row. */
export interface Version {
  readonly key: string
  readonly etag: string
  readonly row: JsonObject
}

/** The reason why the service refused a write. */
export interface Refusal {
  readonly _tag: "Refused"
  readonly message: string
  /** The reason by the field that it names. */
  readonly fields: { readonly [column: string]: string }
}

/** The result of a write of one row; errors that concern every request, such as a lost connection, are thrown. */
export type Written =
  | { readonly _tag: "Written"; readonly row: JsonObject }
  | Refusal
  /** The row is not at the version of the request any more. */
  | { readonly _tag: "Outdated" }
  | { readonly _tag: "Missing" }

export interface Options {
  readonly signal?: AbortSignal | undefined
}

interface ReadOptions extends Options {
  /** The time as of which rows are read. */
  readonly at?: string | undefined
}

/** The requests to rows. */
export interface RowService {
  /** The rows of a query, which is the text of a URL. */
  readonly list: (resource: string, query: string, options?: ReadOptions) => Promise<ReadonlyArray<JsonObject>>
  readonly count: (resource: string, query: string, options?: Options) => Promise<number>
  /** The row with a key; `undefined` where there is none. */
  readonly retrieve: (resource: string, key: string, options?: ReadOptions) => Promise<Version | undefined>
  /** Creates a row, once for each idempotency key. */
  readonly create: (resource: string, values: JsonObject, idempotencyKey: string) => Promise<Written>
  /** Creates all rows or none; a dry run only checks them. Returns the reason of a refusal. */
  readonly createAll: (
    resource: string,
    rows: ReadonlyArray<JsonObject>,
    options?: Options & { readonly isDryRun?: boolean }
  ) => Promise<Refusal | undefined>
  readonly update: (resource: string, key: string, values: JsonObject, etag: string) => Promise<Written>
  readonly remove: (resource: string, key: string, etag: string) => Promise<Written>
  /** Creates a row with the key among its values, or changes it. */
  readonly upsert: (resource: string, values: JsonObject) => Promise<Written>
}

/** Sends a call; a response that is an error throws a `ServiceError`. */
export type Send = (call: Service.Call) => Promise<Pick<Service.Answer, "headers" | "response">>

const group = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? ""

const required = /^Required and without a value: (.+)\.$/

/** The columns that an error names. */
const fieldsOf = (message: string, details: string): ReadonlyArray<string> => {
  const names =
    group(details, required) ||
    group(details, /^Key \(([^)]+)\)/) ||
    group(details, /the column "([^"]+)"/) ||
    group(message, /column "([^"]+)"/) ||
    group(message, /the '([^']+)' column/)
  return names === "" ? [] : names.split(",").map((name) => name.trim().replaceAll('"', ""))
}

const refusalOf = ({ details = "", hint = "", message }: ServiceError.ServiceError): Refusal => {
  const whole = [message, details, hint].filter((part) => part !== "").join(" · ")
  const reason = required.test(details) ? "A value is required." : whole
  return {
    _tag: "Refused",
    message: whole,
    fields: Object.fromEntries(fieldsOf(message, details).map((name) => [name, reason]))
  }
}

/** The statuses that concern the row of a request; all others end a sending. */
const ofRow: ReadonlySet<number> = new Set([400, 403, 409, 413, 415, 422])

const isMissing = (error: unknown): boolean =>
  error instanceof ServiceError.ServiceError && (error.status === 404 || error.status === 406)

const settle = async (write: () => Promise<JsonObject>): Promise<Written> => {
  try {
    return { _tag: "Written", row: await write() }
  } catch (error) {
    if (!(error instanceof ServiceError.ServiceError)) throw error
    if (error.status === 412) return { _tag: "Outdated" }
    if (isMissing(error)) return { _tag: "Missing" }
    if (ofRow.has(error.status)) return refusalOf(error)
    throw error
  }
}

const arrays = { Accept: "application/vnd.pgrst.array+json" }
const one = { Accept: "application/vnd.pgrst.object+json" }
const body = { "Content-Type": "application/json" }
const representation = { ...one, ...body, Prefer: "return=representation" }

const past = (at: string | undefined): { readonly [name: string]: string } =>
  at === undefined ? {} : { "Accept-Datetime": at }

const target = (resource: string, query: string): string => `/rest/${resource}${query === "" ? "" : `?${query}`}`

const keyed = (resource: string, key: string): string =>
  target(resource, `${Catalogue.find(resource)?.key ?? "id"}=eq.${encodeURIComponent(key)}`)

/** The columns of rows that do not all have the same ones. */
const columnsOf = (rows: ReadonlyArray<JsonObject>): ReadonlyArray<string> | undefined => {
  const columns = new Set(rows.flatMap((row) => Object.keys(row)))
  return rows.every((row) => Object.keys(row).length === columns.size) ? undefined : [...columns]
}

/** The requests over a function that sends them. */
export const make = (send: Send): RowService => {
  const object = async (call: Service.Call): Promise<JsonObject> => {
    const { response } = await send(call)
    const text = await response.text()
    // The media type of the response is one row.
    return (text === "" ? {} : JSON.parse(text)) as JsonObject
  }
  return {
    list: async (resource, query, { at, signal } = {}) => {
      const { response } = await send({ target: target(resource, query), headers: { ...arrays, ...past(at) }, signal })
      // The media type of the response is an array of rows.
      return (await response.json()) as ReadonlyArray<JsonObject>
    },
    count: async (resource, query, { signal } = {}) => {
      const headers = { ...arrays, Prefer: "count=exact" }
      const answer = await send({ method: "HEAD", target: target(resource, query), headers, signal })
      return Number(group(answer.headers.get("Content-Range") ?? "", /\/(\d+)$/))
    },
    retrieve: async (resource, key, { at, signal } = {}) => {
      try {
        const { headers, response } = await send({
          target: keyed(resource, key),
          headers: { ...one, ...past(at) },
          signal
        })
        return { key, etag: headers.get("ETag") ?? "", row: (await response.json()) as JsonObject }
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    create: (resource, values, idempotencyKey) =>
      settle(() =>
        object({
          method: "POST",
          target: target(resource, ""),
          headers: { ...representation, "Idempotency-Key": idempotencyKey },
          body: JSON.stringify(values)
        })
      ),
    createAll: async (resource, rows, { isDryRun = false, signal } = {}) => {
      const columns = columnsOf(rows)
      const prefer = ["return=minimal", ...(columns ? ["missing=default"] : []), ...(isDryRun ? ["tx=rollback"] : [])]
      const written = await settle(() =>
        object({
          method: "POST",
          target: target(resource, columns === undefined ? "" : `columns=${columns.join()}`),
          headers: { ...body, Prefer: prefer.join(), "Idempotency-Key": NewId.make() },
          body: JSON.stringify(rows),
          signal
        })
      )
      return written._tag === "Refused" ? written : undefined
    },
    update: (resource, key, values, etag) =>
      settle(() =>
        object({
          method: "PATCH",
          target: keyed(resource, key),
          headers: { ...representation, "If-Match": etag },
          body: JSON.stringify(values)
        })
      ),
    remove: (resource, key, etag) =>
      settle(() => object({ method: "DELETE", target: keyed(resource, key), headers: { "If-Match": etag } })),
    upsert: (resource, values) =>
      settle(() =>
        object({
          method: "POST",
          target: target(resource, ""),
          headers: {
            ...representation,
            "Content-Profile": "public",
            Prefer: "resolution=merge-duplicates,return=representation"
          },
          body: JSON.stringify(values)
        })
      )
  }
}
