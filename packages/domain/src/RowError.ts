/**
 * The body of an error response of the row interface, and its codes.
 */
import * as Schema from "effect/Schema"
import { names } from "./internal/names.ts"
import * as Json from "./Json.ts"
import * as StructClass from "./StructClass.ts"
import * as Vocabulary from "./Vocabulary.ts"

/** The meanings of the known codes, for documentation: PostgREST's, PostgreSQL's SQLSTATEs, and this service's own (`MF...`). */
export const meanings = {
  PGRST000: "The store cannot be reached",
  PGRST001: "The store refused the connection",
  PGRST002: "The store is not ready",
  PGRST003: "No connection to the store became available in time",
  PGRST100: "A query parameter cannot be parsed",
  PGRST102: "The body does not match its media type, or the media type is not accepted",
  PGRST103: "The range cannot be satisfied",
  PGRST105: "A PUT must be filtered by the key alone, with eq",
  PGRST106: "The profile names an unknown schema",
  PGRST107: "None of the accepted media types is available",
  PGRST108: "A filter names a resource that is not embedded",
  PGRST114: "A PUT takes no limit and no offset",
  PGRST115: "The body's key differs from the key in the filter",
  PGRST116: "The request expects one row, and the result has none or several",
  PGRST117: "The method is not supported",
  PGRST118: "Rows cannot be ordered by a to-many relationship",
  PGRST120: "An embedded resource can only be compared with null",
  PGRST122: "A preference is unknown, and handling is strict",
  PGRST123: "Aggregate functions are not allowed",
  PGRST124: "More rows would change than max-affected allows",
  PGRST125: "The path is not one of this interface",
  PGRST126: "The description at the root is not served",
  PGRST127: "The feature is not implemented",
  PGRST200: "No relationship leads to the embedded resource",
  PGRST201: "More than one relationship leads to the embedded resource",
  PGRST202: "The function does not exist",
  PGRST204: "The column does not exist",
  PGRST205: "The resource does not exist",
  PGRST301: "The API key is not valid",
  PGRST302: "An API key is required",
  PGRST303: "The API key has expired",
  "21000": "A change has no filter, or would change a row twice",
  "22003": "A number is out of range",
  "22007": "A date or timestamp cannot be parsed",
  "22008": "A date or timestamp is out of range",
  "22025": "A LIKE pattern is not valid",
  "2201B": "A regular expression is not valid",
  "22P02": "A value is not of its column's type",
  "22P05": "A text contains a character that cannot be stored",
  "23502": "A required column has no value",
  "23503": "A referenced row is missing, or this row is still referenced",
  "23505": "A unique value is already taken",
  "23514": "A row violates a check",
  "428C9": "A column that only the service sets has a value",
  "42501": "The API key does not allow this",
  "42601": "A full-text query is not valid",
  "42703": "A query names an unknown column",
  "42704": "A query names an unknown configuration",
  "42712": "A query embeds two resources under the same name",
  "42803": "An order has a column by which rows are not grouped",
  "42804": "An operator does not fit the column's type",
  "42846": "A value of one type cannot be cast to another",
  "42883": "The operator does not exist for these types",
  "42P01": "The table does not exist",
  "42P10": "on_conflict names columns that are not unique together",
  "53100": "The store has no space left",
  "53200": "The query needs more memory than it may use",
  "53400": "The company has reached a quota of rows, bytes or webhooks",
  "54000": "The request exceeds a limit of the service",
  "57014": "The query took longer than the statement timeout and was cancelled",
  "58P01": "The file of the store was removed or replaced while it was served",
  MF400: "A header of the service, such as Idempotency-Key, cannot be used",
  MF405: "A write has the header Accept-Datetime",
  MF409: "The secret of the webhook was already shown",
  MF410: "The history of the rows does not reach back to the time of Accept-Datetime",
  MF412: "The row is not in the state that If-Match or If-None-Match expects",
  MF421: "The service does not have the host name of the request",
  MF422: "The Idempotency-Key was used for another request",
  MF599: "A fault rule responds in place of the service",
  P0429: "The API key or its company has sent too many requests",
  P0503: "Too many requests of the company wait for the store",
  XX000: "The service failed",
  XX001: "The store is damaged"
} satisfies { readonly [code: string]: string }

/** A known code. */
export type KnownCode = keyof typeof meanings

/** A code: one of {@link meanings}, or another one of a newer service. */
export const Code = Vocabulary.make("rowErrorCode", names(meanings))
export type Code = typeof Code.Type

/** The body of an error response. `details` is text, except where PGRST201 lists candidates. */
export class RowError extends StructClass.make("RowError", {
  code: Code,
  message: Schema.String,
  details: Json.Json,
  hint: Schema.NullOr(Schema.String)
}) {}
