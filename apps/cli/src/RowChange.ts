/**
 * Compares versions of a row: the fields that differ, and the merge of two changes of one version.
 */
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import { isDeepStrictEqual } from "node:util"
import * as Fields from "./Fields.ts"

/** A field with its values before and after a change. */
export interface FieldChange {
  readonly field: string
  readonly before: Json
  readonly after: Json
}

/** A field that both changes set, each to another value. */
export interface Conflict {
  readonly field: string
  readonly base: Json
  readonly mine: Json
  readonly theirs: Json
}

/** The changes of a version that apply to a newer one, and those that conflict with it. */
export interface Merge {
  readonly changes: ReadonlyArray<FieldChange>
  readonly conflicts: ReadonlyArray<Conflict>
}

const of = (row: JsonObject, field: string): Json => row[field] ?? null

/** The writable fields that differ between two versions. */
export const between = (resource: Resource.Any, before: JsonObject, after: JsonObject): ReadonlyArray<FieldChange> =>
  Fields.writable(resource).flatMap(({ name }) => {
    const change = { field: name, before: of(before, name), after: of(after, name) }
    return isDeepStrictEqual(change.before, change.after) ? [] : [change]
  })

/** The values that changes set. */
export const values = (changes: ReadonlyArray<FieldChange>): JsonObject =>
  Object.fromEntries(changes.map(({ after, field }) => [field, after]))

/** Merges the changes from `base` to `mine` into `theirs`, a newer version of `base`. */
export const merge = (resource: Resource.Any, base: JsonObject, mine: JsonObject, theirs: JsonObject): Merge => {
  const foreign = new Map(between(resource, base, theirs).map((change) => [change.field, change.after]))
  const changes: Array<FieldChange> = []
  const conflicts: Array<Conflict> = []
  for (const { after, before, field } of between(resource, base, mine)) {
    const theirValue = foreign.get(field)
    if (theirValue === undefined) changes.push({ field, before, after })
    else if (!isDeepStrictEqual(theirValue, after)) {
      conflicts.push({ field, base: before, mine: after, theirs: theirValue })
    }
  }
  return { changes, conflicts }
}
