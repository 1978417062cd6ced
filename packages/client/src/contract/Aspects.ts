/**
 * Reduces a response to aspects that two services can have alike although they hold different rows: status, form of the
 * body, forms of headers, fields and texts of errors, and the order of rows.
 */
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as Ask from "./Ask.ts"
import * as ColumnEvidence from "./ColumnEvidence.ts"
import type { BodyForm } from "./Difference.ts"
import * as JsonText from "./JsonText.ts"
import type { Probe } from "./Probe.ts"

/** An aspect by its name, such as `status` and `header:content-type`. A list holds the possible values. */
export type Aspects = { readonly [name: string]: string | number | ReadonlyArray<string> }

const rowsOfJson = (body: Json | undefined): ReadonlyArray<JsonObject> =>
  Array.isArray(body) ? body.filter(JsonText.isObject) : JsonText.isObject(body) ? [body] : []

/** The rows of a body: an array of them, or one. */
export const rowsOf = (text: string): ReadonlyArray<JsonObject> => rowsOfJson(JsonText.parse(text))

export const isSuccess = (status: number): boolean => status >= 200 && status < 300

const bodyForm = (text: string, body: Json | undefined): BodyForm =>
  text === "" ? "empty" : body === undefined ? "text" : ColumnEvidence.typeOf(body)

/** Headers of the connection and of the machines in between, which are not part of the interface. */
const foreignHeaders =
  /^(date|connection|keep-alive|transfer-encoding|content-length|content-encoding|server|via|set-cookie|alt-svc|age|nel|report-to|vary|strict-transport-security|mfg-cost|x-(cache|served|timer|envoy|amz|forwarded|request-id|real|runtime).*|cf-.*|fly-.*|sb-.*|traceparent|tracestate)$/

/** Replaces the values of a request. */
const masked = (text: string, values: ReadonlyArray<string>): string =>
  values
    .filter((value) => value !== "")
    .toSorted((one, other) => other.length - one.length)
    .reduce((text, value) => text.replaceAll(value, "<value>").replaceAll(encodeURIComponent(value), "<value>"), text)

const headerForm = (name: string, value: string, probe: Probe): string => {
  if (name === "etag") return value.startsWith("W/") ? "weak" : "strong"
  // The address repeats the request, as a service writes it.
  if (name === "content-location") return "<request>"
  const text = masked(value, probe.values ?? [])
  if (name === "location") return text.replace(/^.*\/(?=[^/?]+\?)/, "/").replaceAll(/(eq\.)[^&]+/g, "$1<value>")
  return text.replaceAll(/\d+/g, "<n>")
}

const headerAspects = (headers: Ask.Answer["headers"], probe: Probe): Aspects =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || foreignHeaders.test(name) ? [] : [[`header:${name}`, headerForm(name, value, probe)]]
    )
  )

const errorAspects = (body: Json | undefined, probe: Probe): Aspects => {
  if (!JsonText.isObject(body)) return {}
  const fields = Object.entries(body)
  return Object.fromEntries<string | ReadonlyArray<string>>([
    ["code", typeof body["code"] === "string" ? body["code"] : ""],
    ["fields", fields.map(([name, value]) => `${name}:${ColumnEvidence.typeOf(value)}`).toSorted()],
    ...fields.flatMap(([name, value]): ReadonlyArray<[string, string]> =>
      name === "code" || typeof value !== "string"
        ? []
        : [[`text:${name}`, masked(value, probe.values ?? []).replaceAll(/\d+/g, "<n>")]]
    )
  ])
}

const orders: {
  readonly [name: string]: (one: string, other: string) => number
} = {
  "code points": (one, other) => (one < other ? -1 : one > other ? 1 : 0),
  "without case": (one, other) => {
    const [a, b] = [one.toLowerCase(), other.toLowerCase()]
    return a < b ? -1 : a > b ? 1 : 0
  },
  "a language": new Intl.Collator("en").compare,
  "a language without punctuation": new Intl.Collator("en", { ignorePunctuation: true }).compare
}

const isSorted = <A>(values: ReadonlyArray<A>, compare: (one: A, other: A) => number): boolean =>
  values.every((value, index) => {
    const next = values[index + 1]
    return next === undefined || compare(value, next) <= 0
  })

/** The orders that the values of a column have. */
const orderOf = (values: ReadonlyArray<Json>, direction: "asc" | "desc"): ReadonlyArray<string> => {
  const sign = direction === "asc" ? 1 : -1
  const numbers = values.filter((value) => typeof value === "number")
  if (numbers.length === values.length)
    return isSorted(numbers, (one, other) => sign * (one - other)) ? ["numbers"] : ["unsorted"]
  const texts = values.filter((value) => typeof value === "string")
  if (texts.length < values.length) return []
  const found = Object.entries(orders).filter(([, compare]) =>
    isSorted(texts, (one, other) => sign * compare(one, other))
  )
  return found.length === 0 ? ["unsorted"] : found.map(([name]) => name)
}

const nullsOf = (values: ReadonlyArray<Json>): ReadonlyArray<string> => {
  const first = values.findIndex((value) => value !== null)
  const nulls = values.filter((value) => value === null).length
  if (nulls === 0 || nulls === values.length) return []
  return first === nulls ? ["nulls first"] : first === 0 && values.at(-1) === null ? ["nulls last"] : ["nulls between"]
}

/** The form of a value that was written: as it was sent, or with its digits replaced. */
const writtenForm = (value: Json, sent: Json): string =>
  value === sent ? "as sent" : JSON.stringify(value).replaceAll(/\d/g, "0")

const rowAspects = (body: Json | undefined, { columns, isOfKnownRows, order, request, written }: Probe): Aspects => {
  const rows = rowsOfJson(body)
  const aspects: Record<string, string | ReadonlyArray<string>> = {}
  if (isOfKnownRows === true && request.method === "GET") aspects["rows"] = String(rows.length)
  const [row] = rows
  if (columns !== undefined && row !== undefined) {
    const names = Object.keys(row)
    const hasAll = columns.every((name) => names.includes(name))
    aspects["selected"] = !hasAll
      ? "fewer columns"
      : names.length > columns.length
        ? "more columns"
        : "the named columns"
  }
  if (written !== undefined && row !== undefined) {
    aspects["written"] = writtenForm(row[written.column] ?? null, written.value)
  }
  if (order !== undefined) {
    const values = rows.map((row) => row[order.column] ?? null)
    const nulls = nullsOf(values)
    if (nulls.length > 0) aspects["nulls"] = nulls
    const present = values.filter((value) => value !== null)
    const instants = order.isTime ? present.map((value) => Date.parse(String(value))) : present
    if (present.length > 1) aspects["order"] = orderOf(instants, order.direction)
  }
  return aspects
}

/** The aspects of a response. */
export const make = (probe: Probe, answer: Ask.Answer): Aspects => {
  const body = JsonText.parse(answer.text)
  return {
    status: answer.status,
    body: bodyForm(answer.text, body),
    ...headerAspects(answer.headers, probe),
    ...(isSuccess(answer.status) ? rowAspects(body, probe) : errorAspects(body, probe))
  }
}

/**
 * The situation of a response that depends on the rows of a service: whether it has any, and the number of those that
 * match. Other aspects are compared only in the same situation.
 */
export interface Situation {
  readonly rows?: "none" | "some"
  readonly total?: "0" | "1" | "more"
}

const rowsIn = ({ method }: Ask.Request, { headers, text }: Ask.Answer): Situation["rows"] => {
  const range = headers["content-range"]
  if (method === "HEAD") return range === undefined ? undefined : range.startsWith("*") ? "none" : "some"
  if (/csv/.test(headers["content-type"] ?? "")) return text.trim().includes("\n") ? "some" : "none"
  return rowsOf(text).length === 0 ? "none" : "some"
}

/** The situation of a response. */
export const situation = ({ request }: Probe, answer: Ask.Answer): Situation => {
  if (request.face === "operations") return {}
  const total = /\/(\d+)$/.exec(answer.headers["content-range"] ?? "")?.[1]
  const rows = isSuccess(answer.status) ? rowsIn(request, answer) : undefined
  return {
    ...(rows === undefined ? {} : { rows }),
    ...(total === undefined ? {} : { total: total === "0" || total === "1" ? total : "more" })
  }
}

/** Reports whether two situations can be the same: one of them may be unknown. */
export const isSameSituation = (one: Situation, other: Situation): boolean => {
  const isSame = (a: string | undefined, b: string | undefined) => a === undefined || b === undefined || a === b
  return isSame(one.rows, other.rows) && isSame(one.total, other.total)
}
