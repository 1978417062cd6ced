/**
 * Checks the rows of a CSV file before anything is written: first against the columns of the resource, then by the service,
 * which undoes its check.
 */
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import * as Suggestion from "@mfgdata/domain/Suggestion"
import * as Catalogue from "../../../service/Catalogue.ts"
import * as CellInput from "../value/CellInput.ts"
import * as Delimited from "./Delimited.ts"
import type { Options, Refusal, RowService } from "../edits/RowService.ts"

/** A reason for which a row would be refused. */
export interface Problem {
  readonly line: number
  /** Empty where no field is to blame. */
  readonly field: string
  readonly reason: string
}

/** A row to create. */
interface PlannedRow {
  readonly line: number
  readonly values: JsonObject
}

export interface ImportPlan {
  /** The columns that are imported, and those of the file that the service sets itself. */
  readonly columns: ReadonlyArray<string>
  readonly ignored: ReadonlyArray<string>
  readonly rows: ReadonlyArray<PlannedRow>
  readonly problems: ReadonlyArray<Problem>
}

const refused = (problem: Problem): ImportPlan => ({ columns: [], ignored: [], rows: [], problems: [problem] })

const unknown = (resource: Catalogue.ResourceInfo, name: string): string => {
  const nearest = Suggestion.find(
    name,
    resource.columns.map((column) => column.name)
  )
  return `${resource.name} has no such field${nearest === undefined ? "" : `; did you mean ${nearest}?`}`
}

/** The values of a line, and the problems of its fields. An empty field is left to the service. */
const readLine = (
  header: ReadonlyArray<Catalogue.ColumnInfo | undefined>,
  { fields, line }: Delimited.Line
): { readonly values: JsonObject; readonly problems: ReadonlyArray<Problem> } => {
  const values: Record<string, Json> = {}
  const problems: Array<Problem> = []
  if (fields.length > header.length)
    problems.push({ line, field: "", reason: `expected ${header.length} fields, got ${fields.length}` })
  header.forEach((column, index) => {
    const field = fields[index]
    if (column === undefined || column.write === "never" || field === null || field === undefined) return
    if (field === "" && column.type === "text") values[column.name] = ""
    else {
      const { problem, value } = CellInput.parse(column, field)
      if (problem !== undefined) problems.push({ line, field: column.name, reason: problem })
      else if (value !== null) values[column.name] = value
    }
  })
  return { values, problems }
}

/** Reads a file whose first line has the names of columns. */
export const read = (resource: Catalogue.ResourceInfo, text: string, defaults: JsonObject = {}): ImportPlan => {
  const parsed = Delimited.parse(text, Delimited.separatorOf(text))
  if (parsed._tag === "QuoteMisplaced")
    return refused({
      line: parsed.line,
      field: "",
      reason: "expected a quoted field to end with a quote before the next separator"
    })
  const [names, ...lines] = parsed.lines
  if (names === undefined)
    return refused({ line: 1, field: "", reason: "expected a first line with the names of the columns" })
  const header = names.fields.map((name) => Catalogue.columnOf(resource, name ?? ""))
  const strange = names.fields.flatMap((name, index): ReadonlyArray<Problem> => {
    if (name !== null && names.fields.indexOf(name) < index)
      return [{ line: names.line, field: name, reason: "the column occurs twice" }]
    return header[index] === undefined
      ? [
          {
            line: names.line,
            field: name ?? "",
            reason: name === null ? "a column has no name" : unknown(resource, name)
          }
        ]
      : []
  })
  if (strange.length > 0) return { columns: [], ignored: [], rows: [], problems: strange }
  const required = resource.columns.filter(({ write }) => write === "required")
  const rows: Array<PlannedRow> = []
  const problems: Array<Problem> = []
  for (const content of lines) {
    const read = readLine(header, content)
    const values = { ...defaults, ...read.values }
    const missing = required.flatMap(({ name }): ReadonlyArray<Problem> =>
      values[name] !== undefined || read.problems.some(({ field }) => field === name)
        ? []
        : [{ line: content.line, field: name, reason: "a value is required" }]
    )
    const found = [...read.problems, ...missing]
    if (found.length === 0) rows.push({ line: content.line, values })
    else problems.push(...found)
  }
  const named = header.flatMap((column) => column ?? [])
  return {
    columns: named.flatMap(({ name, write }) => (write === "never" ? [] : [name])),
    ignored: named.flatMap(({ name, write }) => (write === "never" ? [name] : [])),
    rows,
    problems
  }
}

/** The number of rows of one request. */
const batchSize = 250

const problemsOf = (line: number, { fields, message }: Refusal): ReadonlyArray<Problem> => {
  const named = Object.entries(fields)
  return named.length === 0
    ? [{ line, field: "", reason: message }]
    : named.map(([field, reason]) => ({ line, field, reason }))
}

interface Created {
  readonly accepted: ReadonlyArray<PlannedRow>
  readonly problems: ReadonlyArray<Problem>
}

interface CreateOptions extends Options {
  readonly isDryRun: boolean
  /** Receives the number of rows that were sent. */
  readonly onProgress?: ((rows: number) => void) | undefined
}

/** Creates rows in batches; one that is refused is halved until the refused row is alone. */
const create = async (
  rows: RowService,
  resource: string,
  planned: ReadonlyArray<PlannedRow>,
  { isDryRun, onProgress, signal }: CreateOptions
): Promise<Created> => {
  const accepted: Array<PlannedRow> = []
  const problems: Array<Problem> = []
  const attempt = async (batch: ReadonlyArray<PlannedRow>): Promise<void> => {
    signal?.throwIfAborted()
    const [first] = batch
    if (first === undefined) return
    const values = batch.map((row) => row.values)
    const refusal = await rows.createAll(resource, values, { isDryRun, signal })
    if (refusal === undefined) accepted.push(...batch)
    else if (batch.length === 1) problems.push(...problemsOf(first.line, refusal))
    else {
      const half = Math.ceil(batch.length / 2)
      await attempt(batch.slice(0, half))
      await attempt(batch.slice(half))
    }
  }
  for (let start = 0; start < planned.length; start += batchSize) {
    await attempt(planned.slice(start, start + batchSize))
    onProgress?.(Math.min(start + batchSize, planned.length))
  }
  return { accepted, problems }
}

/** The plan after the service has checked its rows, without writing them. */
export const check = async (
  rows: RowService,
  resource: string,
  plan: ImportPlan,
  options: Omit<CreateOptions, "isDryRun"> = {}
): Promise<ImportPlan> => {
  const { accepted, problems } = await create(rows, resource, plan.rows, { ...options, isDryRun: true })
  const sorted = [...plan.problems, ...problems].toSorted((one, other) => one.line - other.line)
  return { ...plan, rows: accepted, problems: sorted }
}

/** Creates the rows of a plan, and returns the number of new rows and the problems of the others. */
export const run = async (
  rows: RowService,
  resource: string,
  plan: ImportPlan,
  options: Omit<CreateOptions, "isDryRun"> = {}
): Promise<{ readonly created: number; readonly problems: ReadonlyArray<Problem> }> => {
  const { accepted, problems } = await create(rows, resource, plan.rows, { ...options, isDryRun: false })
  return { created: accepted.length, problems }
}
