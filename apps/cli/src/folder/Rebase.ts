/**
 * Puts the changes of a folder on top of newer rows of the service.
 */
import type { JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as RowChange from "../RowChange.ts"
import type { FolderChange } from "./FolderChange.ts"
import * as RowLines from "./RowLines.ts"

/** A change that needs a decision: the folder has its version, or no row for it. */
export interface Conflict {
  readonly resource: string
  readonly key: string
  readonly reason: string
  /** True when the row was deleted, so that the folder cannot have the change. */
  readonly isLost?: boolean
}

export interface Rebased {
  readonly lines: Iterable<string>
  /** The conflicts, once the lines are read. */
  readonly conflicts: ReadonlyArray<Conflict>
  /** The changes of rows that were deleted, once the lines are read. */
  readonly lost: ReadonlyArray<FolderChange>
}

const words = (value: JsonObject[string]): string => JSON.stringify(value)

/** The lines of a file: the newer rows in their order with the changes, then the new rows. */
export const make = (
  resource: Resource.Any,
  newer: Iterable<string>,
  changes: ReadonlyArray<FolderChange>
): Rebased => {
  const byKey = new Map(changes.flatMap((change) => (change._tag === "Create" ? [] : [[change.key, change] as const])))
  const conflicts: Array<Conflict> = []
  const lost: Array<FolderChange> = []
  const format = RowLines.formatter(resource)
  const conflict = (key: string, reason: string) => conflicts.push({ resource: resource.resource, key, reason })

  function* lines(): Generator<string, void, undefined> {
    for (const text of newer) {
      const row = byKey.size === 0 ? undefined : RowLines.parse(text)
      const key = String(row?.[resource.key])
      const change = row === undefined ? undefined : byKey.get(key)
      if (row === undefined || change === undefined) {
        yield text
        continue
      }
      byKey.delete(key)
      if (change._tag === "Delete") {
        const changed = RowChange.between(resource, change.base, row).map(({ field }) => field)
        if (changed.length > 0) conflict(key, `deleted here, and changed there: ${changed.join(", ")}`)
        continue
      }
      for (const { field, mine, theirs } of RowChange.merge(resource, change.base, change.row, row).conflicts) {
        conflict(key, `${field} is ${words(theirs)} there, and ${words(mine)} here`)
      }
      const mine = RowChange.values(RowChange.between(resource, change.base, change.row))
      yield format({ ...row, ...mine })
    }
    for (const [key, change] of byKey) {
      if (change._tag === "Delete") continue
      lost.push(change)
      conflicts.push({ resource: resource.resource, key, reason: "changed here, and deleted there", isLost: true })
    }
    for (const change of changes) if (change._tag === "Create") yield format(change.row)
  }
  return { lines: lines(), conflicts, lost }
}
