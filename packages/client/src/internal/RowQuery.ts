/**
 * Turns the options and the raw query of a caller into one query, its address, and the reader of its rows.
 */
import * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Either from "effect/Either"
import { QueryRejected } from "../ClientError.ts"
import type { RawQuery, RetrieveOptions } from "../Rows.ts"
import * as RowReader from "./RowReader.ts"

type Any = Resource.Any

/** The columns and embeds to return of any resource. */
export type SelectOptions = RetrieveOptions<Any, Query.Selection<Any>>

/** A query in terms of a resource, or as the text of a URL's query. */
export type Options = Query.Options<Any, Query.Selection<Any>> | RawQuery

export interface RowQuery {
  readonly query: Query.Query
  /** The selection in terms of the resource; `undefined` for a raw query. */
  readonly selection: Query.Selection<Any> | undefined
}

/** The error of a query that the client rejects before it sends a request. */
export const reject = ({ resource }: Any, detail: string, hint?: string): QueryRejected =>
  new QueryRejected({ resource, status: undefined, code: "PGRST100", detail, hint })

const fromText = (resource: Any, text: string): Either.Either<RowQuery, QueryRejected> =>
  Either.mapBoth(Query.parse(Query.parameters(text)), {
    onLeft: ({ details, hint, message }) =>
      reject(resource, details === null ? message : `${message}: ${details}`, hint ?? undefined),
    onRight: (query) => ({ query, selection: undefined })
  })

/** The query of some options. */
export const make = (resource: Any, options: Options = {}): Either.Either<RowQuery, QueryRejected> =>
  "query" in options
    ? fromText(resource, options.query)
    : Either.right({ query: Query.make(resource, options), selection: options.select ?? [] })

/** Checks an option that holds a number of rows. */
export const size = (resource: Any, option: string, value: number): Either.Either<number, QueryRejected> =>
  Number.isSafeInteger(value) && value >= 1
    ? Either.right(value)
    : Either.left(reject(resource, `${option}: expected a whole number of at least 1, got ${value}`))

/** The address of a query. */
export const target = ({ resource }: Any, query: Query.Query): string => {
  const search = Query.toSearchParams(query).toString()
  return search === "" ? `/${resource}` : `/${resource}?${search}`
}

const selectOf = ({ select }: Query.Query): string =>
  select.length === 0
    ? ""
    : (Query.toSearchParams({ select, where: [], order: [], limit: undefined, offset: undefined }).get("select") ?? "")

/** The reader of the rows of a query. */
export const reader = (resource: Any, { query, selection }: RowQuery): RowReader.RowReader =>
  selection === undefined ? RowReader.records(resource) : RowReader.make(resource, selection, selectOf(query))

/** The filter of one row. */
export const keyFilter = ({ key }: Any, value: string): string => `${key}=eq.${encodeURIComponent(value)}`

/** The address of one row, and the reader of its selected columns. */
export const one = (resource: Any, key: string, options: SelectOptions = {}) => {
  const address = `/${resource.resource}?${keyFilter(resource, key)}`
  const { select = [] } = options
  if (select.length === 0) return { target: address, reader: RowReader.whole(resource) }
  const query = Query.make(resource, { select })
  const search = Query.toSearchParams(query).toString()
  return { target: `${address}&${search}`, reader: reader(resource, { query, selection: select }) }
}
