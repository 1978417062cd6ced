/**
 * The error responses of the operation interface. The error code determines the status.
 */
import type { Json } from "@mfgdata/domain/Json"
import type { DecodeError } from "@mfgdata/domain/DecodeError"
import * as OperationError from "@mfgdata/domain/OperationError"
import * as Arr from "effect/Array"
import type * as Exchange from "../Exchange.ts"
import type * as RowError from "../rows/RowError.ts"
import * as RowErrorBody from "../rows/RowErrorBody.ts"

/** The response of an error. */
export const toResponse = (
  error: OperationError.OperationError,
  headers: Exchange.Headers = {}
): Exchange.Response => ({
  status: error.status,
  headers: { "Content-Type": "application/json; charset=utf-8", ...headers },
  body: JSON.stringify(error)
})

/** An error of the row interface in the form of the operation interface. */
export const fromRowError = (error: RowError.RowError): Exchange.Response => {
  const { code: rowCode, details, headers, hint, message, status } = RowErrorBody.make(error)
  const code = OperationError.codes.find((code) => OperationError.statuses[code] === status) ?? "BAD_REQUEST"
  const data = details === undefined ? undefined : { code: rowCode, details, hint: hint ?? null }
  return toResponse({ ...OperationError.make(code, message, data), status }, headers)
}

/** One problem of a request body, with its path. */
export interface Issue {
  readonly path: ReadonlyArray<string | number>
  readonly message: string
}

/** The error of a body that does not match the operation's schema. */
export const invalid = (...issues: ReadonlyArray<Issue>): OperationError.KnownError<"BAD_REQUEST"> => {
  const data: Json = { issues: issues.map(({ message, path }) => ({ path, message })) }
  return OperationError.make("BAD_REQUEST", "Input validation failed", data)
}

const toWire = (path: DecodeError["issues"][number]["path"]): Issue["path"] =>
  path.map((part) => (typeof part === "number" ? part : String(part)))

/** The error of a decoding failure; alternatives at one path are one issue. */
export const fromDecodeError = ({ issues }: DecodeError): OperationError.KnownError<"BAD_REQUEST"> =>
  invalid(
    ...Object.values(Arr.groupBy(issues, ({ path }) => JSON.stringify(toWire(path)))).map((issues) => {
      const [{ actual, path }] = issues
      const expected = issues.map(({ expected }) => expected).join(" or ")
      return { path: toWire(path), message: `expected ${expected}, got ${actual}` }
    })
  )
