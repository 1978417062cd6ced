/**
 * Reads rows by their keys, and the conditions that they have to meet.
 */
import type { QueryError } from "@mfgdata/client/ClientError"
import type { JsonObject } from "@mfgdata/domain/Json"
import * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as RowQuery from "../RowQuery.ts"
import type { Connection } from "./Connection.ts"

/** The number of rows in a request: their keys are part of its address. */
export const batchSize = 50

const quoted = (key: string): string => `"${key.replaceAll(/["\\]/g, (character) => `\\${character}`)}"`

/** The rows with some of at most {@link batchSize} keys that meet the conditions, by key. */
export const read = (
  { rows }: Connection,
  resource: Resource.Any,
  keys: ReadonlyArray<string>,
  where: ReadonlyArray<RowQuery.Parameter> = []
): Effect.Effect<ReadonlyMap<string, JsonObject>, QueryError> =>
  keys.length === 0
    ? Effect.succeed(new Map())
    : Effect.map(
        rows.list(
          resource,
          Query.fromText(RowQuery.toText([...where, [resource.key, `in.(${keys.map(quoted).join(",")})`]]))
        ),
        (found) => new Map(found.map((row) => [String(row[resource.key]), row]))
      )
