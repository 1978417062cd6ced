/**
 * Turns the options and the raw query of a caller into one query, its address, and the reader of its rows.
 */
import * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import * as TextQuery from "@mfgdata/domain/TextQuery"
import * as Either from "effect/Either"
import { QueryRejected } from "../ClientError.ts"
import type { OnInvalid, RetrieveOptions } from "../Rows.ts"
import * as RowReader from "./RowReader.ts"

type Any = Resource.Any

/** The columns and embeds to return of any resource. */
export type SelectOptions = RetrieveOptions<Any, Query.Selection<Any>, OnInvalid, boolean>

/** A query in terms of a resource, which can add to a text. */
export type Options = Query.Options<Any, Query.Selection<Any>>

export interface RowQuery {
  readonly query: Query.Query
  /** The selection in terms of the resource; `undefined` for that of a text. */
  readonly selection: Query.Selection<Any> | undefined
}

/** The error of a query that the client rejects before it sends a request. */
export const reject = ({ resource }: Any, detail: string, hint?: string): QueryRejected =>
  new QueryRejected({ resource, status: undefined, code: "PGRST100", detail, hint })

/** The query of a text, with further options. */
const onText = (text: Query.Query, given: Query.Query): Query.Query => ({
  select: given.select.length > 0 ? given.select : text.select,
  where: [...text.where, ...given.where],
  order: given.order.length > 0 ? given.order : text.order,
  limit: given.limit ?? text.limit,
  offset: given.offset ?? text.offset
})

/** The query of some options. */
export const make = (resource: Any, options: Options = {}): Either.Either<RowQuery, QueryRejected> => {
  const query = Query.make(resource, options)
  const text = TextQuery.parsed(options)
  if (text === undefined) return Either.right({ query, selection: options.select ?? [] })
  return Either.mapBoth(text, {
    onLeft: ({ details, hint, message }) =>
      reject(resource, details === null ? message : `${message}: ${details}`, hint ?? undefined),
    onRight: (text) => ({ query: onText(text, query), selection: options.select })
  })
}

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

/** The query of a selection, and the reader of its rows. */
export const selection = (resource: Any, select: Query.Selection<Any>) => {
  const query = Query.make(resource, { select })
  return {
    query,
    reader: select.length === 0 ? RowReader.whole(resource) : reader(resource, { query, selection: select })
  }
}

/** The address of one row, the reader of its selected columns, and whether these have its key. */
export const one = (resource: Any, key: string, options: SelectOptions = {}) => {
  const address = `/${resource.resource}?${keyFilter(resource, key)}`
  const { select = [] } = options
  if (select.length === 0) return { target: address, reader: RowReader.whole(resource), keyed: true }
  const { query, reader } = selection(resource, select)
  const search = Query.toSearchParams(query).toString()
  return {
    target: `${address}&${search}`,
    reader,
    keyed: select.every((item) => typeof item === "string") && (select.includes("*") || select.includes(resource.key))
  }
}
