/**
 * Compares the observations of a service with the contract, and with the responses that the client relies on.
 */
import type * as Resource from "@mfgdata/domain/Resource"
import * as Aspects from "./Aspects.ts"
import * as Comparison from "./Comparison.ts"
import type { Finding } from "./Difference.ts"
import type { Observation, Survey } from "./Observation.ts"

const errorFields = { code: "string", details: "null", hint: "null", message: "string" } as const

/** The findings in the response to one probe. */
export const ofProbe = (observation: Observation): ReadonlyArray<Finding> => {
  const { aspects, noise, probe } = observation
  const { expect, request, verb } = probe
  if (expect === undefined || noise.includes("status")) return []
  const status = Number(aspects["status"])
  const isSuccess = Aspects.isSuccess(status)
  if (isSuccess !== (expect.outcome === "success")) {
    const ours = expect.outcome === "success" ? 200 : (expect.statuses?.[0] ?? 400)
    return [{ _tag: "StatusDiffers", ours, theirs: status }]
  }
  if (!isSuccess) {
    const [first] = expect.statuses ?? []
    if (first !== undefined && expect.statuses?.includes(status) === false) {
      return [{ _tag: "StatusDiffers", ours: first, theirs: status }]
    }
    const fields = Comparison.fieldsOf(aspects["fields"])
    const isRead = fields?.["code"] === "string" && fields["message"] === "string"
    return isRead ? [] : [{ _tag: "ErrorFieldsDiffer", ours: errorFields, theirs: fields }]
  }
  if (request.method !== "GET") return []
  const body = aspects["body"]
  const isRows = body === "array" || (verb === "retrieve" && body === "object")
  if (!isRows) return [Comparison.ofBody(verb === "retrieve" ? "object" : "array", String(body))]
  const { order, selected } = aspects
  return [
    ...(selected === "fewer columns"
      ? [{ _tag: "ResultDiffers", aspect: "selected", ours: "the named columns", theirs: selected } as const]
      : []),
    ...(order !== undefined && JSON.stringify(order) === '["unsorted"]'
      ? [{ _tag: "OrderDiffers", column: probe.order?.column ?? "", ours: "sorted", theirs: "unsorted" } as const]
      : [])
  ]
}

const nothing: Survey = { observations: {}, columns: {}, rows: 0, isChanging: false }

/** The findings in the rows of a resource; columns that the contract does not have are ignored, as the client does. */
export const ofColumns = (resource: Resource.Any, survey: Survey): ReadonlyArray<Finding> =>
  Comparison.ofColumns(resource, nothing, survey, Comparison.contract).filter(
    (finding) => finding._tag !== "ColumnDiffers" || finding.ours !== null
  )
