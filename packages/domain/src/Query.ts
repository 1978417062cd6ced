/**
 * The row-query language as data, and its grammar: `toSearchParams` and `parse` are inverse to each other.
 */
import * as Either from "effect/Either"
import * as Grammar from "./internal/QueryGrammar.ts"
import { isQueryError, type QueryError } from "./QueryError.ts"
import type { Query } from "./Select.ts"
import * as TextQuery from "./TextQuery.ts"

const attempt = <A>(read: () => A): Either.Either<A, QueryError> => {
  try {
    return Either.right(read())
  } catch (error) {
    if (isQueryError(error)) return Either.left(error)
    throw error
  }
}

/**
 * Parses the parameters of a query, except `columns` and `on_conflict`: these are about a body, and
 * {@link parseNames} parses them.
 *
 * @example
 * Query.parse([["daysDue", "gte.30"], ["order", "name.desc"]])
 */
export const parse = (
  parameters: Grammar.Parameters,
  options: { readonly page?: Grammar.Page } = {}
): Either.Either<Query, QueryError> => attempt(() => Grammar.read(parameters, options.page ?? "strict"))

/** Parses the names of a `columns` or `on_conflict` parameter. */
export const parseNames = (
  parameter: (typeof Grammar.bodyParameters)[number],
  text: string
): Either.Either<ReadonlyArray<string>, QueryError> => attempt(() => Grammar.readNames(parameter, text))

/**
 * The parameters of a URL's query: decoded once, with `+` as a blank, and without those that have no `=`.
 */
export const parameters = (search: string): URLSearchParams =>
  new URLSearchParams(
    search
      .replace(/^\?/, "")
      .split("&")
      .filter((parameter) => parameter.includes("="))
      .join("&")
  )

/**
 * The options of a query that is the text of a URL. Its rows are JSON objects; a text that is not a query is an error of
 * the method that receives it.
 *
 * @example
 * rows.list(WarehouseTransfer, Query.fromText("status=eq.Draft&order=transferDate.desc"))
 */
export const fromText = (text: string): TextQuery.TextQuery => TextQuery.make(parse(parameters(text)))

/** The parameters of a query, which {@link parse} reads back. */
export const toSearchParams = (query: Query): URLSearchParams => {
  const into = new URLSearchParams()
  Grammar.write(query, into)
  return into
}

export {
  all,
  allOf,
  any,
  containedBy,
  contains,
  eq,
  gt,
  gte,
  ilike,
  imatch,
  in,
  is,
  isDistinct,
  like,
  lt,
  lte,
  match,
  neq,
  overlaps,
  search
} from "./Condition.ts"
export type { Page, Parameters } from "./internal/QueryGrammar.ts"
export { asc, desc, through } from "./Order.ts"
export { embed, make, type Options, spread, type Term } from "./QueryOptions.ts"
export type { Query } from "./Select.ts"
export { cast, type Item, json, type SelectedRow, type Selection, text } from "./Selection.ts"
export type { TextQuery } from "./TextQuery.ts"
export {
  and,
  type ArrayCondition,
  at,
  type BooleanOrCondition,
  type DateOrCondition,
  exists,
  not,
  type NumberOrCondition,
  type ObjectCondition,
  or,
  type TextOrCondition,
  type Where
} from "./Where.ts"
