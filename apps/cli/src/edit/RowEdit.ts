/**
 * Saves an edited row: at the version that was edited, merged with what others changed in the meantime.
 */
import type { PreconditionFailed, RetrieveError, UpdateError } from "@mfgdata/client/ClientError"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as RowChange from "../RowChange.ts"
import type { Connection } from "../service/Connection.ts"

/** A row whose fields somebody else changed while they were edited. */
class EditConflict extends Data.TaggedError("EditConflict")<{
  readonly resource: string
  readonly key: string
  readonly conflicts: ReadonlyArray<RowChange.Conflict>
}> {
  get fields(): ReadonlyArray<string> {
    return this.conflicts.map(({ field }) => field)
  }
  override get message(): string {
    const { conflicts, key, resource } = this
    const text = (value: Json): string => (value === null ? "empty" : JSON.stringify(value))
    const fields = conflicts.map(
      ({ base, field, mine, theirs }) =>
        `${field} was ${text(base)}, is ${text(theirs)} now, and ${text(mine)} in your edit`
    )
    return `The ${resource} ${key} has changed while you edited it: ${fields.join("; ")}.`
  }
}

/** A version of a row. */
export interface Version {
  readonly etag: string
  readonly row: JsonObject
}

/** The row with a key, as it is now. */
export const read = (
  { rows }: Connection,
  resource: Resource.Any,
  key: string
): Effect.Effect<Version, RetrieveError> => rows.retrieveVersioned(resource, key)

/** A conflict, and the version that it is with. */
export interface Conflicting {
  readonly _tag: "Conflicting"
  readonly error: EditConflict
  readonly newer: Version
}

/** Writes the fields that differ from a version, and returns whether there were any. */
export const save = (
  connection: Connection,
  resource: Resource.Any,
  key: string,
  base: Version,
  edited: JsonObject
): Effect.Effect<boolean, Conflicting | RetrieveError | UpdateError> => {
  const write = (
    version: Version,
    changes: ReadonlyArray<RowChange.FieldChange>
  ): Effect.Effect<boolean, Conflicting | RetrieveError | UpdateError> => {
    if (changes.length === 0) return Effect.succeed(false)
    const update: Effect.Effect<boolean, UpdateError | PreconditionFailed> = Effect.as(
      connection.rows.update(resource, key, RowChange.values(changes), { ifMatch: version.etag }),
      true
    )
    return Effect.catchTag(update, "PreconditionFailed", () =>
      Effect.flatMap(read(connection, resource, key), (newer) => {
        const { changes, conflicts } = RowChange.merge(resource, base.row, edited, newer.row)
        if (conflicts.length > 0) {
          const error = new EditConflict({ resource: resource.resource, key, conflicts })
          return Effect.fail<Conflicting>({ _tag: "Conflicting", error, newer })
        }
        const note = `The ${resource.resource} ${key} has changed; your fields are merged with its new version.`
        return Effect.zipRight(Terminal.note(note), write(newer, changes))
      })
    )
  }
  return write(base, RowChange.between(resource, base.row, edited))
}
