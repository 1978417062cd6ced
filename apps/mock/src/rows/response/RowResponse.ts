/**
 * Makes the response of an outcome: status, headers and body.
 */
import type { Json } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import type * as Exchange from "../../Exchange.ts"
import * as Selection from "../../sql/read/Selection.ts"
import * as Csv from "../Csv.ts"
import * as EntityTag from "../request/EntityTag.ts"
import * as MediaType from "../request/MediaType.ts"
import * as RowErrorBody from "../RowErrorBody.ts"
import type { RowPlan } from "../plan/RowPlan.ts"
import * as RowRequest from "../request/RowRequest.ts"
import type { Outcome } from "../Outcome.ts"
import type { Slices } from "../../world/Slices.ts"

type Written = Extract<Outcome, { readonly _tag: "Written" }>

const withoutNulls = (json: string): string =>
  // A null in an array is kept, because its position matters.
  JSON.stringify(JSON.parse(json), (_, value: Json) => (value === null ? undefined : value))

const toCsv = (json: string, { resource, selection }: RowPlan): string => {
  const rows: Parameters<typeof Csv.print>[0] = JSON.parse(json)
  return Csv.print(rows, (name) => Selection.isList(selection, resource, name))
}

/** A JSON array of rows in the form of the response. */
const render = (rows: string, plan: RowPlan): string => {
  const { format, mediaType } = plan.responseShape
  if (format === "csv") return toCsv(rows, plan)
  const body = format === "object" ? rows.slice(1, -1) : rows
  return MediaType.isStripped(mediaType) ? withoutNulls(body) : body
}

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

const body = (outcome: Outcome, plan: RowPlan): string => {
  const { responseShape } = plan
  if (responseShape.body !== "representation" || responseShape.head) return ""
  switch (outcome._tag) {
    case "Page":
      return render(outcome.rows, plan)
    case "One":
      return responseShape.mediaType._tag === "Json" ? outcome.row : render(`[${outcome.row}]`, plan)
    case "Written":
      return render(`[${outcome.rows.flatMap(({ json }) => json ?? []).join(",")}]`, plan)
  }
}

/** Prints many rows as CSV. */
const csvInSlices = function* (rows: ReadonlyArray<string>, { resource, selection }: RowPlan): Slices<string> {
  let printer: Csv.Printer | undefined
  const lines: Array<string> = []
  for (const json of rows) {
    // The store prints the row.
    const row: Parameters<Csv.Printer["line"]>[0] = JSON.parse(json)
    if (printer === undefined) {
      printer = Csv.printer(row, (name) => Selection.isList(selection, resource, name))
      lines.push(printer.header)
    }
    lines.push(printer.line(row))
    yield
  }
  return lines.join("\n")
}

const bodyInSlices = function* (outcome: Written, plan: RowPlan): Slices<string> {
  const { body, format, head, mediaType } = plan.responseShape
  if (body !== "representation" || head) return ""
  const rows = outcome.rows.flatMap(({ json }) => json ?? [])
  yield
  if (format === "csv") return yield* csvInSlices(rows, plan)
  if (!MediaType.isStripped(mediaType)) return render(`[${rows.join(",")}]`, plan)
  const stripped: Array<string> = []
  for (const json of rows) {
    stripped.push(withoutNulls(json))
    yield
  }
  return `[${stripped.join(",")}]`
}

/** The response of an outcome. */
export const make = (plan: RowPlan, outcome: Outcome): Exchange.Response => withBody(plan, outcome, body(outcome, plan))

/** The response of a write of many rows. */
export const inSlices = function* (plan: RowPlan, outcome: Written): Slices<Exchange.Response> {
  return withBody(plan, outcome, yield* bodyInSlices(outcome, plan))
}

const withBody = (plan: RowPlan, outcome: Outcome, body: string): Exchange.Response => {
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
  return { status: status(plan, outcome), headers, body }
}
