/**
 * Reads one row by its key. A row with values that this version does not know is accepted.
 */
import { type QueryError, RowNotFound } from "@mfgdata/client/ClientError"
import { Rows } from "@mfgdata/client/Rows"
import type { JsonObject } from "@mfgdata/domain/Json"
import * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import type { Connection } from "./Connection.ts"

/** The row with a key: some of its columns, or all. */
export const one = (
  { rows }: Connection,
  resource: Resource.Any,
  key: string,
  columns: ReadonlyArray<string> = []
): Effect.Effect<JsonObject, QueryError | RowNotFound> =>
  Effect.gen(function* () {
    const parameters = { [resource.key]: `eq.${key}`, ...(columns.length > 0 && { select: columns.join(",") }) }
    const query = Query.fromText(new URLSearchParams({ ...parameters, limit: "1" }).toString())
    const { response, value } = yield* Rows.withResponse(rows.list(resource, query))
    const [row] = value
    if (row !== undefined) return row
    return yield* new RowNotFound({ resource: resource.resource, key, requestId: response?.requestId })
  })
