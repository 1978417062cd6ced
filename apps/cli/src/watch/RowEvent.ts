/**
 * The changes of rows as `mfg watch` reports them.
 */
import type { JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"

/** The kinds of changes. A row that no longer meets the conditions leaves. */
export const changes = ["insert", "update", "delete", "leave"] as const
export type Change = (typeof changes)[number]

/** A change of a row. */
export interface RowEvent {
  readonly change: Change
  readonly time: string
  readonly key: string
  readonly row: JsonObject
}

/** The columns with the time of a row, the time of its last change first. */
export const timeColumns = ({ columns }: Resource.Any): ReadonlyArray<"updatedAt" | "createdAt"> =>
  (["updatedAt", "createdAt"] as const).filter((name) => name in columns)

/** The time of the last change of a row, where the row names it. */
export const timeOf = (resource: Resource.Any, row: JsonObject): string | undefined =>
  timeColumns(resource).reduce<string | undefined>((found, name) => {
    const value = row[name]
    return found ?? (typeof value === "string" ? value : undefined)
  }, undefined)

/** The key of a row as text. */
export const keyOf = (resource: Resource.Any, row: JsonObject): string => String(row[resource.key])
