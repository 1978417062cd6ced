/**
 * A query that was made from the text of a URL. It is apart from the grammar, so that programs without such texts do not
 * contain it.
 */
import type * as Either from "effect/Either"
import type { QueryError } from "./QueryError.ts"
import type { Query } from "./Select.ts"

/** The property of a text, which options that take none exclude. */
export const TypeId: unique symbol = Symbol.for("@mfgdata/domain/TextQuery")

/** The selection of a text: its rows are JSON objects. */
export interface TextSelection extends ReadonlyArray<never> {
  readonly [TypeId]: true
}

/** A text as the options of a query; further options add to it. */
export interface TextQuery {
  readonly [TypeId]: Either.Either<Query, QueryError>
  /** Only in the type: the query has the selection of the text. */
  readonly select?: TextSelection
}

/** The options of a parsed text. */
export const make = (parsed: Either.Either<Query, QueryError>): TextQuery => ({ [TypeId]: parsed })

/** The parsed text of options; `undefined` for options without one. */
export const parsed = (options: object): Either.Either<Query, QueryError> | undefined =>
  TypeId in options ? (options as TextQuery)[TypeId] : undefined
