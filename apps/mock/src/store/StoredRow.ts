/**
 * Converts a row of another service to a stored row: its document has the row as it came, and the columns of the table
 * what they can hold of it. A value of another type than its column's is only in the document.
 */
import * as CalendarDate from "@mfgdata/domain/CalendarDate"
import * as Column from "@mfgdata/domain/Column"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Timestamp from "@mfgdata/domain/Timestamp"

/** The values that take the place of null in columns without null. */
const blank: { readonly [T in Column.Type]: Json } = {
  text: "",
  number: 0,
  boolean: false,
  date: "0001-01-01",
  timestamp: "1970-01-01T00:00:00.000Z",
  object: {},
  array: []
}

/** Reports whether a column of a table can hold a value. */
export const fits = (type: Column.Type, value: Json): boolean => {
  switch (type) {
    case "text":
      return typeof value === "string"
    case "number":
      return typeof value === "number"
    case "boolean":
      return typeof value === "boolean"
    case "date":
      return typeof value === "string" && CalendarDate.is(value)
    case "timestamp":
      return Timestamp.is(value)
    case "object":
    case "array":
      return true
  }
}

const stored = ({ nullable, type }: Column.Column, value: Json): Json => {
  if (value !== null && fits(type, value)) return value
  // Text of JSON can be searched.
  if (value !== null && type === "text") return JSON.stringify(value)
  return nullable ? null : blank[type]
}

/** The values of the columns of a table. */
export const columns = (resource: Resource.Any, row: JsonObject): JsonObject =>
  Object.fromEntries(
    Column.fromResource(resource).map((column) => [column.name, stored(column, row[column.name] ?? null)])
  )

/** The values that the columns of a table can hold; null in place of all others. */
export const fitting = (resource: Resource.Any, row: JsonObject): JsonObject =>
  Object.fromEntries(
    Column.fromResource(resource).map(({ name, type }) => {
      const value = row[name] ?? null
      return [name, value !== null && fits(type, value) ? value : null]
    })
  )

/** The document: the columns of the resource, null where the row lacks one, and then all others. */
export const document = (resource: Resource.Any, row: JsonObject): JsonObject => {
  const known = Column.fromResource(resource).map(({ name }): [string, Json] => [name, row[name] ?? null])
  return { ...Object.fromEntries(known), ...row }
}
