/**
 * Judges a finding by its consequence for applications that use the client, and describes it in a sentence.
 */
import * as Column from "@mfgdata/domain/Column"
import type * as Resource from "@mfgdata/domain/Resource"
import * as ColumnEvidence from "./ColumnEvidence.ts"
import type { ColumnForm, Finding, Verdict } from "./Difference.ts"
import { verdicts } from "./Difference.ts"

/** Codes by which the client chooses an error. */
const codesOfErrors: ReadonlySet<string> = new Set([
  "23503",
  "54000",
  "57014",
  "53200",
  "PGRST125",
  "PGRST202",
  "PGRST205",
  "42P01",
  "42883"
])

/** The error that the client makes of a status. */
const errorOf = (status: number): string => {
  if (status < 400) return "none"
  if (status === 401 || status === 403 || status === 404 || status === 409 || status === 412 || status === 429)
    return String(status)
  return status >= 500 ? "unavailable" : "rejected"
}

/** Headers that the client reads. */
const headersOfClient: ReadonlySet<string> = new Set([
  "content-type",
  "content-range",
  "etag",
  "location",
  "retry-after",
  "preference-applied",
  "www-authenticate"
])

const ofColumn = (resource: Resource.Any | undefined, name: string, theirs: ColumnForm | null): Verdict => {
  const column = resource === undefined ? undefined : Column.byName(resource).get(name)
  if (column === undefined) return "visible"
  if (theirs === null) return "breaks-types"
  const hasOtherTypes = theirs.types.some((type) => type !== ColumnEvidence.declaredType(column))
  const hasNull = theirs.nullable && !column.nullable
  return hasOtherTypes || hasNull ? "breaks-types" : "visible"
}

/** Fields of an error without which the client does not read it. */
const readFields = ["code", "message"]

/** The verdict on a finding. */
export const of = (finding: Finding, resource: Resource.Any | undefined): Verdict => {
  switch (finding._tag) {
    case "ColumnDiffers":
      return ofColumn(resource, finding.column, finding.theirs)
    case "BodyDiffers": {
      const rows = new Set(["object", "array"])
      // The client reads one row as an object and as an array of one, and a missing one as null and as an empty array.
      const isRead = rows.has(finding.theirs) || (finding.theirs === "null" && finding.ours === "array")
      return isRead || !rows.has(finding.ours) ? "visible" : "breaks-types"
    }
    case "StatusDiffers":
      return errorOf(finding.ours) === errorOf(finding.theirs) ? "visible" : "breaks-errors"
    case "CodeDiffers":
      return [finding.ours, finding.theirs].some((code) => code === null || code === "" || codesOfErrors.has(code))
        ? "breaks-errors"
        : "visible"
    case "ErrorFieldsDiffer": {
      const isRead = readFields.every((name) => finding.theirs?.[name] === "string")
      return isRead ? "visible" : "breaks-errors"
    }
    case "ErrorTextDiffers":
      return "cosmetic"
    case "HeaderDiffers":
      return headersOfClient.has(finding.header) ? "visible" : "cosmetic"
    case "FormDiffers":
      return finding.theirs.includes("another form") ? "breaks-types" : "visible"
    case "VocabularyDiffers":
    case "OrderDiffers":
    case "ResultDiffers":
    case "DefaultDiffers":
    case "ConstraintDiffers":
      return "visible"
  }
}

/** Negative where the first is worse. */
export const compare = (one: Verdict, other: Verdict): number => verdicts.indexOf(one) - verdicts.indexOf(other)

const form = (form: ColumnForm | null): string => {
  if (form === null) return "no column"
  const elements = form.elements === undefined || form.elements.length === 0 ? "" : ` of ${form.elements.join(" or ")}`
  const types = form.types.length === 0 ? "no value" : form.types.join(" or ") + elements
  return form.nullable ? `${types}, or null` : types
}

const show = (value: unknown): string =>
  typeof value === "string" ? JSON.stringify(value) : (JSON.stringify(value) ?? "nothing")

const fields = (value: { readonly [name: string]: string } | null): string =>
  value === null
    ? "no object"
    : Object.entries(value)
        .map(([name, type]) => `${name}: ${type}`)
        .join(", ") || "no field"

const rules: { readonly [C in Extract<Finding, { readonly _tag: "ConstraintDiffers" }>["constraint"]]: string } = {
  required: "requires",
  unique: "requires to be unique",
  reference: "requires an existing row for",
  vocabulary: "accepts a fixed set of words for",
  type: "checks the type of",
  writable: "refuses a write of"
}

/** The finding as a sentence: our side first, then the other. */
export const message = (finding: Finding): string => {
  switch (finding._tag) {
    case "ColumnDiffers":
      return `column ${finding.column}: expected ${form(finding.ours)}, got ${form(finding.theirs)}`
    case "BodyDiffers":
      return `body: expected ${finding.ours}, got ${finding.theirs}`
    case "VocabularyDiffers":
      return `column ${finding.column}: values of ${finding.vocabulary} that are not known: ${[...finding.theirs, ...finding.ours].map(show).join(", ")}`
    case "StatusDiffers":
      return `status: expected ${finding.ours}, got ${finding.theirs}`
    case "HeaderDiffers":
      return `header ${finding.header}: expected ${show(finding.ours)}, got ${show(finding.theirs)}`
    case "CodeDiffers":
      return `error code: expected ${show(finding.ours)}, got ${show(finding.theirs)}`
    case "ErrorFieldsDiffer":
      return `error body: expected ${fields(finding.ours)}, got ${fields(finding.theirs)}`
    case "ErrorTextDiffers":
      return `error ${finding.field}: expected ${show(finding.ours)}, got ${show(finding.theirs)}`
    case "OrderDiffers":
      return `order by ${finding.column}: expected ${finding.ours}, got ${finding.theirs}`
    case "ResultDiffers":
      return finding.aspect === "rows"
        ? `rows: expected ${finding.ours}, got ${finding.theirs}`
        : `columns of the row: expected ${finding.ours}, got ${finding.theirs}`
    case "FormDiffers":
      return `form of ${finding.column}: expected ${finding.ours.join(" or ") || "the usual one"}, got ${finding.theirs.join(" or ") || "the usual one"}`
    case "DefaultDiffers":
      return `default of ${finding.column}: expected ${show(finding.ours)}, got ${show(finding.theirs)}`
    case "ConstraintDiffers": {
      const rule = `${rules[finding.constraint]} ${finding.columns.join(", ")}`
      return finding.theirs ? `the other service ${rule}` : `only our side ${rule}`
    }
  }
}
