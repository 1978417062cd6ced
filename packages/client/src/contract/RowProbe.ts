/**
 * Makes the probes of a resource, from its columns and a row that the service holds.
 */
import * as Column from "@mfgdata/domain/Column"
import type { JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import type * as Ask from "./Ask.ts"
import type { Expectation, Probe, Verb } from "./Probe.ts"

/** A row that the service holds; undefined for a resource without rows. */
export type SampleRow = JsonObject | undefined

/** The key of a row, where it is a text. */
export const keyOf = (resource: Resource.Any, row: SampleRow): string | undefined => {
  const key = row?.[resource.key]
  return typeof key === "string" && key !== "" ? key : undefined
}

/** The number of rows that are read of each resource. */
export const sampleSize = 50

export const success: Expectation = { outcome: "success" }
export const refused: Expectation = { outcome: "failure", statuses: [400, 404, 406, 416, 422] }
export const unauthorized: Expectation = { outcome: "failure", statuses: [401] }

export type Options = Omit<Probe, "name" | "verb" | "request"> &
  Partial<Pick<Ask.Request, "headers" | "credentials" | "method">>

export const probe = (
  name: string,
  target: string,
  { credentials, headers, method = "GET", ...options }: Options = {},
  verb: Verb = "list"
): Probe => ({
  name,
  verb,
  request: {
    method,
    face: "rows",
    target,
    ...(headers === undefined ? {} : { headers }),
    ...(credentials === undefined ? {} : { credentials })
  },
  ...options
})

export const encode = encodeURIComponent

/** The first column of each type that every probe of a type uses. */
export const columnsByType = (resource: Resource.Any) => {
  const columns = Column.fromResource(resource).filter(({ name, sensitive }) => !sensitive && name !== resource.key)
  const first = (type: Column.Type, isFit: (column: Column.Column) => boolean = () => true) => {
    const fit = columns.filter((column) => column.type === type && isFit(column))
    return (fit.find(({ nullable }) => !nullable) ?? fit[0])?.name
  }
  return {
    text:
      first("text", ({ reference, vocabulary }) => vocabulary === undefined && reference === undefined) ??
      first("text"),
    vocabularies: columns.flatMap(({ name, vocabulary }) => (vocabulary === undefined ? [] : [name])),
    number: first("number"),
    boolean: first("boolean"),
    date: first("date"),
    timestamp: first("timestamp"),
    object: first("object"),
    array: first("array"),
    nullable: columns
      .filter(({ nullable, type, write }) => nullable && write === "optional" && type !== "object" && type !== "array")
      .map(({ name }) => name)
      .slice(0, 3)
  }
}
