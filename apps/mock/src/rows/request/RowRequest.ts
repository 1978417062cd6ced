/**
 * Parses a request for rows: method, headers, query and body. It is not checked against the resource here.
 */
import type { Filter } from "@mfgdata/domain/Filter"
import * as Query from "@mfgdata/domain/Query"
import { TextRefused } from "@mfgdata/domain/QueryError"
import type * as Resource from "@mfgdata/domain/Resource"
import type * as Scope from "@mfgdata/domain/Scope"
import * as Either from "effect/Either"
import type * as Exchange from "../../Exchange.ts"
import * as Position from "../../store/replicas/Position.ts"
import * as Idempotency from "../Idempotency.ts"
import * as Datetime from "./Datetime.ts"
import * as MediaType from "./MediaType.ts"
import type * as Payload from "./Payload.ts"
import * as Precondition from "../Precondition.ts"
import * as Preferences from "./Preferences.ts"
import * as QueryErrorRedaction from "./QueryErrorRedaction.ts"
import type { RowError } from "../RowError.ts"
import * as QueryString from "./QueryString.ts"
import type { Unread } from "../../Unread.ts"

/** The convention of the response: the contract's, or PostgREST's. */
export type Shape = "contract" | "postgrest"

/** The mount that a request was sent to, such as `/rest`, and its query. */
export interface Place {
  readonly mount: string
  /** The encoded query without its `?`. */
  readonly search: string
  /** The convention of the mount. */
  readonly shape: Shape
}

type Action =
  | { readonly _tag: "Read"; readonly head: boolean }
  | { readonly _tag: "Create"; readonly source: Payload.Source }
  | { readonly _tag: "Update"; readonly source: Payload.Source }
  | { readonly _tag: "Put"; readonly source: Payload.Source }
  | { readonly _tag: "Delete" }

/** A range of rows; `to` is the last row, counted from zero. */
interface Range {
  readonly from: number
  readonly to: number | undefined
}

export interface RowRequest {
  readonly resource: Resource.Any
  readonly mount: string
  /** The encoded query without its `?`. */
  readonly search: string
  readonly action: Action
  readonly query: Query.Query
  /** The key's value when the request addresses one row by its key and nothing else. */
  readonly key: string | undefined
  readonly range: Range | undefined
  readonly columns: ReadonlyArray<string> | undefined
  readonly onConflict: ReadonlyArray<string> | undefined
  readonly preferences: Preferences.Preferences
  readonly mediaType: MediaType.MediaType
  readonly shape: Shape
  /** The request named a profile, so the response names it too. */
  readonly profile: boolean
  readonly precondition: Precondition.Precondition | undefined
  /** Set for a write with an `Idempotency-Key`. */
  readonly idempotencyKey: string | undefined
  /** The time as of which the rows are read, in microseconds since 1970. */
  readonly asOf: number | undefined
  /** The position that a read needs. */
  readonly position: Position.Position | undefined
  /** The memory of unread responses, which large queries wait for. */
  readonly unread: Unread | undefined
}

const actions = {
  GET: "Read",
  HEAD: "Read",
  POST: "Create",
  PATCH: "Update",
  PUT: "Put",
  DELETE: "Delete"
} as const satisfies { readonly [method: string]: Action["_tag"] }

/** The methods of resources. */
export const methods: ReadonlyArray<string> = ["OPTIONS", ...Object.keys(actions)]

const isMethod = (method: string): method is keyof typeof actions => Object.hasOwn(actions, method)

/** The scope that a method with a body needs at least. */
const scopes: { readonly [method: string]: Scope.Action | undefined } = {
  POST: "create",
  PUT: "create",
  PATCH: "update"
}

/** The scope that a method with a body needs at least; other methods ignore a body. */
export const actionOf = (method: string): Scope.Action | undefined => scopes[method]

/** The only profile. */
export const profile = "public"

const rangeForm = /^(\d{1,15})-(\d{0,15})$/

/** Parses the `Range` header. A value of another form is ignored. */
const readRange = (header: string | undefined): Range | undefined => {
  const [, from, to] = header === undefined ? [] : (rangeForm.exec(header) ?? [])
  return from === undefined
    ? undefined
    : { from: Number(from), to: to === undefined || to === "" ? undefined : Number(to) }
}

const isPlainEquality = (filter: Filter, column: string): filter is Extract<Filter, { readonly _tag: "Compare" }> =>
  filter._tag === "Compare" &&
  filter.operator === "eq" &&
  !filter.negated &&
  filter.path.column === column &&
  filter.path.json.length === 0

const keyOf = (resource: Resource.Any, query: Query.Query, range: Range | undefined): string | undefined => {
  const { limit, offset, order, where } = query
  const [filter] = where
  if (filter === undefined || where.length > 1 || order.length > 0) return undefined
  if (limit !== undefined || offset !== undefined || range !== undefined) return undefined
  return isPlainEquality(filter, resource.key) ? filter.value : undefined
}

const names = (
  parameters: ReadonlyArray<QueryString.Parameter>,
  wanted: "columns" | "on_conflict"
): Either.Either<ReadonlyArray<string> | undefined, RowError> => {
  const value = parameters.find(([name]) => name === wanted)?.[1]
  return value === undefined ? Either.right(undefined) : Query.parseNames(wanted, value)
}

/** Parses the request for a resource's rows. */
export const make = (
  exchange: Exchange.Request,
  resource: Resource.Any,
  place: Place
): Either.Either<RowRequest, RowError> => {
  const { body, headers, method } = exchange
  if (!isMethod(method)) return Either.left({ _tag: "MethodUnsupported", method, allowed: methods })
  const tag = actions[method]

  const named = headers[tag === "Read" ? "accept-profile" : "content-profile"]
  if (named !== undefined && named !== profile) return Either.left({ _tag: "ProfileUnknown", name: named })
  const shape = named === undefined ? place.shape : "postgrest"

  const mediaType = MediaType.negotiate(headers["accept"])
  if (mediaType === undefined) return Either.left({ _tag: "MediaTypeUnavailable", accept: headers["accept"] ?? "" })

  const preferences = Preferences.parse(headers["prefer"])
  if (preferences.handling === "strict" && preferences.unknown.length > 0) {
    return Either.left({ _tag: "PreferencesUnknown", preferences: preferences.unknown })
  }

  const parameters = QueryString.parse(place.search)
  if (Either.isLeft(parameters)) {
    return Either.left(new TextRefused({ parameter: parameters.left, flaw: "bytes that are not UTF-8" }))
  }
  const query = Query.parse(parameters.right, { page: shape === "contract" ? "strict" : "lenient" })
  if (Either.isLeft(query)) return Either.left(QueryErrorRedaction.redact(query.left))
  const datetime = headers["accept-datetime"]
  const asOf = datetime === undefined ? undefined : Datetime.toMicros(datetime)
  if (datetime !== undefined && tag !== "Read") return Either.left({ _tag: "DatetimeWrite", method })
  if (datetime !== undefined && asOf === undefined) return Either.left({ _tag: "DatetimeMalformed" })
  const given = headers["mfg-position"]
  const position = given === undefined ? undefined : Position.parse(given)
  if (given !== undefined && position === undefined) return Either.left({ _tag: "PositionMalformed" })
  const idempotencyKey = tag === "Read" ? Either.right(undefined) : Idempotency.fromHeaders(headers)
  if (Either.isLeft(idempotencyKey)) return Either.left(idempotencyKey.left)
  const range = method === "GET" ? readRange(headers["range"]) : undefined

  const complete = (
    action: Action,
    columns?: ReadonlyArray<string>,
    onConflict?: ReadonlyArray<string>
  ): Either.Either<RowRequest, RowError> =>
    Either.right({
      resource,
      mount: place.mount,
      search: place.search,
      action,
      query: query.right,
      key: keyOf(resource, query.right, range),
      range,
      columns,
      onConflict,
      preferences,
      mediaType,
      shape,
      profile: named !== undefined,
      precondition: Precondition.fromHeaders(headers),
      idempotencyKey: idempotencyKey.right,
      asOf,
      position,
      unread: exchange.unread
    })
  if (tag === "Read") return complete({ _tag: tag, head: method === "HEAD" })
  if (tag === "Delete") return complete({ _tag: tag })

  const columns = names(parameters.right, "columns")
  if (Either.isLeft(columns)) return Either.left(columns.left)
  const onConflict = names(parameters.right, "on_conflict")
  if (Either.isLeft(onConflict)) return Either.left(onConflict.left)
  const options = {
    contentType: headers["content-type"],
    ragged: tag === "Put" || columns.right !== undefined,
    lenient: shape === "postgrest"
  }
  return complete({ _tag: tag, source: { body, options } }, columns.right, onConflict.right)
}
