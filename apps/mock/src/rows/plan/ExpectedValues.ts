/**
 * Compares the values of a request for columns that the service sets with the values that the service sets in new rows.
 */
import * as Column from "@mfgdata/domain/Column"
import type { Json } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Either from "effect/Either"
import type { NewRow } from "../../sql/write/Mutation.ts"
import type * as StoredGuard from "../../sql/write/StoredGuard.ts"
import type { RowError } from "../RowError.ts"
import type { RowRequest } from "../request/RowRequest.ts"
import * as ValuePlan from "./ValuePlan.ts"

/** Reports whether two values of a column are equal. Timestamps in different forms may be the same instant. */
const isSame = (column: Column.Column, one: Json, other: Json): boolean =>
  one === other ||
  (column.type === "timestamp" &&
    typeof one === "string" &&
    typeof other === "string" &&
    Timestamp.read(one) === Timestamp.read(other))

/** The values of records for columns that the service sets, next to the values that it sets in new rows. */
export const make = (
  resource: Resource.Any,
  records: ReadonlyArray<ValuePlan.Record>,
  rows: ReadonlyArray<NewRow>
): ReadonlyArray<StoredGuard.Expected> => {
  // Most requests have no such values.
  if (records.every(({ service }) => service === ValuePlan.none)) return []
  const names = new Set(records.flatMap(({ service }) => Object.keys(service)))
  return Column.fromResource(resource)
    .filter(({ name }) => names.has(name))
    .map((column) => ({
      column,
      values: records.flatMap(({ service }, index) => {
        const value = service[column.name]
        const row = rows[index] ?? {}
        return value === undefined ? [] : [{ row, value, isDefault: isSame(column, value, row[column.name] ?? null) }]
      })
    }))
}

/** Refuses a new row with a value for a column that the service sets, other than the service's own. */
export const onlyDefaults = (expected: ReadonlyArray<StoredGuard.Expected>): Either.Either<void, RowError> => {
  const other = expected.find(({ values }) => !values.every(({ isDefault }) => isDefault))
  return other === undefined
    ? Either.void
    : Either.left({ _tag: "FieldSetByService", column: other.column.name, writing: "insert" })
}

/** The keys that must exist: in the contract's shape the body cannot choose the key of a new row. */
export const ofKeys = (
  { resource, shape }: RowRequest,
  records: ReadonlyArray<ValuePlan.Record>,
  rows: ReadonlyArray<NewRow>
): ReadonlyArray<StoredGuard.Expected> => {
  const column = Column.byName(resource).get(resource.key)
  if (shape !== "contract" || column?.write !== "never") return []
  const values = records.flatMap(({ values }, index) => {
    const value = values[column.name] ?? null
    return value === null ? [] : [{ row: rows[index] ?? {}, value, isDefault: false }]
  })
  return values.length === 0 ? [] : [{ column, values }]
}
