/**
 * What is asked of rows, in either of the two ways of asking, as one query: the addresses that say it, and the reader
 * of what it finds.
 */
import * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Either from "effect/Either"
import { QueryRejected } from "../ClientError.ts"
import * as RowReader from "./RowReader.ts"

type Any = Resource.Any

/** What of a row is wanted. */
export interface Selecting {
  readonly select?: Query.Selection<Any>
}

/** Asked in terms of a resource, or as the text of a URL's query. */
export type Asked = Query.Options<Any, Query.Selection<Any>> | { readonly query: string }

export interface RowQuery {
  readonly query: Query.Query
  /** What was selected in terms of the resource; `undefined` where it was said in text. */
  readonly selection: Query.Selection<Any> | undefined
}

/** A refusal before anything was sent. */
export const refuse = ({ resource }: Any, detail: string, hint?: string): QueryRejected =>
  new QueryRejected({ resource, status: undefined, code: "PGRST100", detail, hint })

const fromText = (resource: Any, text: string): Either.Either<RowQuery, QueryRejected> =>
  Either.mapBoth(Query.parse(Query.parameters(text)), {
    onLeft: ({ details, hint, message }) =>
      refuse(resource, details === null ? message : `${message}: ${details}`, hint ?? undefined),
    onRight: (query) => ({ query, selection: undefined })
  })

/** The query that was asked. */
export const make = (resource: Any, asked: Asked = {}): Either.Either<RowQuery, QueryRejected> =>
  "query" in asked
    ? fromText(resource, asked.query)
    : Either.right({ query: Query.make(resource, asked), selection: asked.select ?? [] })

/** A number of rows. */
export const size = (resource: Any, option: string, value: number): Either.Either<number, QueryRejected> =>
  Number.isSafeInteger(value) && value >= 1
    ? Either.right(value)
    : Either.left(refuse(resource, `${option}: expected a whole number of at least 1, got ${value}`))

/** The address of a query. */
export const target = ({ resource }: Any, query: Query.Query): string => {
  const search = Query.toSearchParams(query).toString()
  return search === "" ? `/${resource}` : `/${resource}?${search}`
}

const selectOf = ({ select }: Query.Query): string =>
  select.length === 0
    ? ""
    : (Query.toSearchParams({ select, where: [], order: [], limit: undefined, offset: undefined }).get("select") ?? "")

/** The reader of what a query finds. */
export const reader = (resource: Any, { query, selection }: RowQuery): RowReader.RowReader =>
  selection === undefined ? RowReader.records(resource) : RowReader.make(resource, selection, selectOf(query))

/** The filter of one row. */
export const keyFilter = ({ key }: Any, value: string): string => `${key}=eq.${encodeURIComponent(value)}`

/** The address of one row, and the reader of what is wanted of it. */
export const one = (resource: Any, key: string, options: Selecting = {}) => {
  const address = `/${resource.resource}?${keyFilter(resource, key)}`
  const { select = [] } = options
  if (select.length === 0) return { target: address, reader: RowReader.whole(resource) }
  const query = Query.make(resource, { select })
  const search = Query.toSearchParams(query).toString()
  return { target: `${address}&${search}`, reader: reader(resource, { query, selection: select }) }
}
