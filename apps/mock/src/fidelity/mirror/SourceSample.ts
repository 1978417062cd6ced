/**
 * Looks at the first row of each resource of a source, and counts the rows: for the columns that rules may name, the
 * company, and the remaining time.
 */
import type { QueryError } from "@mfgdata/client/ClientError"
import type { JsonObject } from "@mfgdata/domain/Json"
import * as Query from "@mfgdata/domain/Query"
import * as Effect from "effect/Effect"
import type * as Source from "../Source.ts"

export interface SourceSample {
  /** The first rows. */
  readonly rows: ReadonlyMap<string, JsonObject>
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>
  /** The number of rows of all resources, if the source counts them. */
  readonly total: number | undefined
}

export const make = (
  { resources, rows }: Pick<Source.Source, "resources" | "rows">,
  concurrency: number
): Effect.Effect<SourceSample, QueryError> =>
  Effect.gen(function* () {
    const found = yield* Effect.forEach(
      resources,
      (resource) =>
        Effect.gen(function* () {
          const [row] = yield* rows.list(resource, Query.fromText("limit=1"))
          const count = yield* Effect.orElseSucceed(rows.count(resource), () => NaN)
          return { name: resource.resource, row, count }
        }),
      { concurrency }
    )
    const total = found.reduce((sum, { count }) => sum + count, 0)
    const first = found.flatMap(({ name, row }): ReadonlyArray<[string, JsonObject]> =>
      row === undefined ? [] : [[name, row]]
    )
    return {
      rows: new Map(first),
      columns: new Map(first.map(([name, row]) => [name, new Set(Object.keys(row))])),
      total: Number.isNaN(total) ? undefined : total
    }
  })
