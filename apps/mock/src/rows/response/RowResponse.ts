/**
 * Makes the response of an outcome: status, headers and body.
 */
import type { Json } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Iterable from "effect/Iterable"
import type * as Exchange from "../../Exchange.ts"
import * as Selection from "../../sql/read/Selection.ts"
import * as Csv from "../Csv.ts"
import * as EntityTag from "../request/EntityTag.ts"
import * as JsonScan from "../request/JsonScan.ts"
import * as MediaType from "../request/MediaType.ts"
import * as RowErrorBody from "../RowErrorBody.ts"
import type { RowPlan } from "../plan/RowPlan.ts"
import * as RowRequest from "../request/RowRequest.ts"
import type { Outcome } from "../Outcome.ts"
import * as Slices from "../../world/Slices.ts"

const withoutNulls = (json: string): string =>
  // A null in an array is kept, because its position matters.
  JSON.stringify(JSON.parse(json), (_, value: Json) => (value === null ? undefined : value))

const total = (total: number | undefined): string => (total === undefined ? "*" : String(total))

const window = (offset: number, count: number, all: number | undefined): string =>
  `${count === 0 ? "*" : `${offset}-${offset + count - 1}`}/${total(all)}`

const contentRange = (plan: RowPlan, outcome: Outcome): string | undefined => {
  const { exactlyOne, format } = plan.responseShape
  if (exactlyOne === "absent" || (format === "object" && exactlyOne === undefined)) return undefined
  switch (outcome._tag) {
    case "Page":
      return window(outcome.offset, outcome.count, outcome.total)
    case "One":
      return window(0, 1, undefined)
    case "Written": {
      const count = outcome.rows.length
      const all = plan.counted ? count : undefined
      return plan._tag === "Update" ? window(0, count, all) : window(0, 0, all)
    }
  }
}

const status = (plan: RowPlan, outcome: Outcome): number => {
  const { body } = plan.responseShape
  switch (plan._tag) {
    case "Read":
      if (body !== "representation") return 204
      return outcome._tag === "Page" && outcome.total !== undefined && outcome.count < outcome.total ? 206 : 200
    case "Insert":
      return 201
    case "Upsert": {
      const inserted = outcome._tag === "Written" && outcome.rows.some((row) => row.inserted)
      if (plan.resolution === "replace" && body !== "representation") return 204
      return inserted || plan.resolution === "ignore" ? 201 : 200
    }
    case "Update":
    case "Delete":
      return body === "representation" ? 200 : 204
  }
}

/** The address of a row. */
const address = ({ key, resource }: Resource.Any, mount: string, value: string): string =>
  `${mount}/${resource}?${key}=eq.${encodeURIComponent(value)}`

const location = ({ _tag, resource, responseShape }: RowPlan, outcome: Outcome): string | undefined => {
  if (outcome._tag !== "Written" || (_tag !== "Insert" && _tag !== "Upsert")) return undefined
  const [row, ...others] = outcome.rows
  if (row === undefined || others.length > 0 || !row.inserted) return undefined
  return responseShape.shape === "contract" || responseShape.body === "headers-only"
    ? address(resource, responseShape.mount, row.key)
    : undefined
}

/**
 * The revision for the `ETag`: of the one row that is returned, or that was written without being returned. A response
 * with embedded rows has none, because the revision does not change with them.
 */
const revisionOf = (plan: RowPlan, outcome: Outcome): number | undefined => {
  const { _tag, selection, responseShape } = plan
  const { body, format } = responseShape
  if (Selection.isEmbedding(selection)) return undefined
  if (outcome._tag === "One") return outcome.revision
  if (outcome._tag !== "Written" || _tag === "Delete" || outcome.rows.length !== 1) return undefined
  return body !== "representation" || format === "object" ? outcome.rows[0]?.revision : undefined
}

/** The rows as the store prints them: a JSON array, or one object. */
const body = (outcome: Outcome, { responseShape }: RowPlan): string => {
  if (responseShape.body !== "representation" || responseShape.head) return ""
  const { format, mediaType } = responseShape
  const isObject = format === "object"
  switch (outcome._tag) {
    case "Page":
      return isObject ? outcome.rows.slice(1, -1) : outcome.rows
    case "One":
      return isObject || mediaType._tag === "Json" ? outcome.row : `[${outcome.row}]`
    case "Written": {
      const rows = outcome.rows.flatMap(({ json }) => json ?? []).join(",")
      return isObject ? rows : `[${rows}]`
    }
  }
}

/** The store prints any number of rows and values. */
const unlimited: JsonScan.Limits = {
  rows: Infinity,
  values: Infinity,
  keysOfRow: Infinity,
  valuesOfRow: Infinity,
  charactersOfText: Infinity,
  depth: Infinity
}

/** Prints the rows of a body in the form of the response, row by row. */
const print = function* (json: string, { resource, responseShape, selection }: RowPlan): Slices.Slices<string> {
  const { format } = responseShape
  const bytes = Buffer.from(json)
  const rows: Array<string> = []
  yield* JsonScan.scan(bytes, unlimited, (start, end) => void rows.push(bytes.toString("utf8", start, end)))
  if (format === "csv") {
    // The store prints the rows.
    const parsed = Iterable.map(rows, (row): Csv.Row => JSON.parse(row))
    return yield* Csv.print(parsed, (name) => Selection.isList(selection, resource, name))
  }
  const stripped: Array<string> = []
  for (const row of rows) {
    stripped.push(withoutNulls(row))
    yield
  }
  return format === "object" ? stripped.join(",") : `[${stripped.join(",")}]`
}

/** The length of a body that is printed without a pause. */
const smallLength = 64 * 1024

/** Completes a response of {@link make}, whose body is JSON as the store prints it until then. */
export const complete = (plan: RowPlan, response: Exchange.Response): Effect.Effect<Exchange.Response> => {
  const { body, headers, status } = response
  const { format, mediaType } = plan.responseShape
  const isComplete = format !== "csv" && !MediaType.isStripped(mediaType)
  if (isComplete || body === "" || typeof body !== "string" || status >= 400) return Exit.succeed(response)
  const printed = print(body, plan)
  return body.length <= smallLength
    ? Exit.succeed({ status, headers, body: Slices.run(printed) })
    : Effect.map(Slices.effect(printed), (body) => ({ status, headers, body }))
}

/** The response of an outcome, without what takes long: its body is still as the store prints it. */
export const make = (plan: RowPlan, outcome: Outcome): Exchange.Response => {
  const { responseShape } = plan
  const headers: { [name: string]: string } = { Vary: RowErrorBody.vary }
  if (responseShape.body === "representation") headers["Content-Type"] = MediaType.contentType(responseShape.mediaType)
  const revision = revisionOf(plan, outcome)
  if (revision !== undefined) headers["ETag"] = EntityTag.make(revision, responseShape.mediaType)
  if (responseShape.profile) headers["Content-Profile"] = RowRequest.profile
  if (responseShape.contentLocation !== undefined) headers["Content-Location"] = responseShape.contentLocation
  if (responseShape.applied !== undefined) headers["Preference-Applied"] = responseShape.applied
  const range = contentRange(plan, outcome)
  if (range !== undefined) headers["Content-Range"] = range
  const created = location(plan, outcome)
  if (created !== undefined) headers["Location"] = created
  return { status: status(plan, outcome), headers, body: body(outcome, plan) }
}
