/**
 * The row-query language as data, and its one grammar: `toSearchParams` and `parse` are inverse to each other.
 */
import * as Either from "effect/Either"
import * as Grammar from "./internal/QueryGrammar.ts"
import { isQueryError, type QueryError } from "./QueryError.ts"
import type { Query } from "./Select.ts"

export type { Query } from "./Select.ts"

/** Names and values, decoded. */
export type Parameters = Iterable<readonly [name: string, value: string]>

/** How a limit or offset that is no whole number is taken: as an error, or as if it were absent. */
export type Page = "strict" | "lenient"

const attempt = <A>(read: () => A): Either.Either<A, QueryError> => {
  try {
    return Either.right(read())
  } catch (error) {
    if (isQueryError(error)) return Either.left(error)
    throw error
  }
}

/**
 * Reads a query from its parameters. `columns` and `on_conflict` are passed over: they speak of a body, and
 * {@link parseNames} reads them. The page is read strictly unless it is asked to be lenient, as PostgREST is.
 *
 * @example
 * Query.parse([["daysDue", "gte.30"], ["order", "name.desc"]])
 */
export const parse = (
  parameters: Parameters,
  options: { readonly page?: Page } = {}
): Either.Either<Query, QueryError> => attempt(() => Grammar.read(parameters, options.page ?? "strict"))

/** Reads the names that a `columns` or `on_conflict` parameter lists. */
export const parseNames = (
  parameter: (typeof Grammar.bodyParameters)[number],
  text: string
): Either.Either<ReadonlyArray<string>, QueryError> => attempt(() => Grammar.readNames(parameter, text))

/**
 * The parameters of a URL's query as they are meant: decoded once, `+` a blank, and those without `=` left out.
 */
export const parameters = (search: string): URLSearchParams =>
  new URLSearchParams(
    search
      .replace(/^\?/, "")
      .split("&")
      .filter((parameter) => parameter.includes("="))
      .join("&")
  )

/** The parameters that say a query; {@link parse} reads it back from them. */
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
export { asc, desc, through } from "./Order.ts"
export { embed, make, type Options, spread } from "./QueryOptions.ts"
export { cast, json, type Selected, type Selection, text } from "./Selection.ts"
export { and, at, exists, not, or, type Where } from "./Where.ts"
