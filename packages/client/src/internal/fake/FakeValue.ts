/**
 * The values of rows in memory: their paths, their order, and the texts that filters compare them with.
 */
import * as Column from "@mfgdata/domain/Column"
import type * as Filter from "@mfgdata/domain/Filter"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Timestamp from "@mfgdata/domain/Timestamp"

export type Typed = Resource.Any

export interface Row {
  readonly [column: string]: unknown
}

/** The comparison of a value: by the type of its column, or as JSON at a path. */
export type ComparedAs = Column.Type | "json"

/** The type of a column; `undefined` for a name that is not a column. */
export const typeOf = (resource: Typed, column: string): Column.Type | undefined =>
  Column.byName(resource).get(column)?.type

export const comparedAs = (resource: Typed, { column, json }: Filter.Path): ComparedAs => {
  const last = json.at(-1)
  return last === undefined ? (typeOf(resource, column) ?? "json") : last.arrow === "->>" ? "text" : "json"
}

/** The value at a path; null where there is none. */
export const at = (row: Row, { column, json }: Filter.Path): unknown => {
  let value: unknown = row[column]
  for (const { key } of json) {
    // A path through a text or a number has no value.
    const inner = typeof value === "object" && value !== null ? (value as Row) : {}
    value = Array.isArray(inner) ? inner.at(Number(key)) : inner[key]
  }
  if (value === undefined || value === null) return null
  return json.at(-1)?.arrow === "->>" && typeof value !== "string" ? JSON.stringify(value) : value
}

const fromJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The value of a filter's text. */
export const parse = (text: string, type: ComparedAs): unknown => {
  switch (type) {
    case "number":
      return Number(text)
    case "boolean":
      return text === "true"
    case "text":
    case "date":
    case "timestamp":
      return text
    case "array":
    case "object":
    case "json":
      return fromJson(text)
  }
}

const comparable = (value: unknown, type: ComparedAs): string | number | bigint => {
  if (type === "timestamp") return Timestamp.read(String(value)) ?? String(value)
  if (typeof value === "number" || typeof value === "string") return value
  return typeof value === "boolean" ? Number(value) : JSON.stringify(value)
}

/** Compares two values that are not null. */
export const compare = (one: unknown, other: unknown, type: ComparedAs): number => {
  const [left, right] = [comparable(one, type), comparable(other, type)]
  return left < right ? -1 : left > right ? 1 : left === right ? 0 : Number.NaN
}
