/**
 * Compares the columns of a stored row with its document.
 */
import type * as Column from "@mfgdata/domain/Column"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import type { Dialect } from "../../sql/Dialect.ts"
import type { Value } from "../../sql/Statement.ts"
import * as Table from "../../sql/Table.ts"
import * as Snapshot from "../Snapshot.ts"
import * as StoredRow from "../StoredRow.ts"

/** The columns of a resource that its table has besides the document. */
export const columnsOf = (dialect: Dialect, resource: Resource.Any): ReadonlyArray<Column.Column> =>
  Table.stored(dialect, resource).map(({ column }) => column)

/** The outcome: the row, with the columns that differ; or the reason why the document is not a row. */
export type Outcome =
  | { readonly _tag: "Row"; readonly row: JsonObject; readonly different: ReadonlyArray<string> }
  | { readonly _tag: "NoRow"; readonly reason: string }

/** The value that a column should have: texts and numbers as they are, instants in microseconds, booleans as numbers. */
const expected = (type: Column.Type, value: Json): Value => {
  if (value === null) return null
  switch (type) {
    case "number":
    case "boolean":
      return Number(value)
    case "timestamp":
      return String(Timestamp.toMicros(String(value)))
    default:
      return String(value)
  }
}

const parse = (document: string): JsonObject => {
  const parsed: Json = JSON.parse(document)
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) throw new TypeError("it is not an object")
  // The guard above does not know read-only arrays.
  return parsed as JsonObject
}

/** The form of an error's message that contains no value. */
const reasonOf = (error: unknown): string => (error instanceof SyntaxError ? "it is not JSON" : "a field is not valid")

/** Reports whether the columns of a row have what they can hold of a document that is not a row of the contract. */
const isAsItCame = (
  columns: ReadonlyArray<Column.Column>,
  resource: Resource.Any,
  row: JsonObject,
  values: ReadonlyArray<Value>
): boolean => {
  const held = StoredRow.columns(resource, row)
  return (
    typeof row[resource.key] === "string" &&
    columns.every(({ name, type }, index) => {
      const value = values[index] ?? null
      const isHeld = expected(type, held[name] ?? null) === value
      // A column that has another type by facts is not written.
      return isHeld || (value === null && !StoredRow.fits(type, row[name] ?? null))
    })
  )
}

/** Checks rows of a resource: a document, and the values of {@link columnsOf} in the form of {@link expected}. */
export const make = (
  dialect: Dialect,
  resource: Resource.Any
): ((document: string, values: ReadonlyArray<Value>) => Outcome) => {
  const columns = columnsOf(dialect, resource)
  const read = Snapshot.rowOf(resource)
  return (document, values) => {
    let row: JsonObject
    try {
      row = parse(document)
      if (isAsItCame(columns, resource, row, values)) return { _tag: "Row", row, different: [] }
      read({ row })
    } catch (error) {
      return { _tag: "NoRow", reason: reasonOf(error) }
    }
    const different = columns.flatMap(({ name, type }, index) =>
      expected(type, row[name] ?? null) === (values[index] ?? null) ? [] : [name]
    )
    return { _tag: "Row", row, different }
  }
}
