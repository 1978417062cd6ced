/** Makes rows of every resource for one company; references among them resolve. */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Resource from "@mfgdata/domain/Resource"
import * as Arbitrary from "effect/Arbitrary"
import * as fc from "effect/FastCheck"
import * as Schema from "effect/Schema"
import type * as Snapshot from "../../src/store/Snapshot.ts"

const arbitraries = new Map(
  Catalogue.importOrder.map((resource) => [resource, Arbitrary.make(Resource.rowSchema(resource))])
)

/** The lines of a snapshot with `count` rows of each resource, parents first. */
export const lines = (
  company: string,
  count: number,
  seed: number,
  resources: ReadonlyArray<Resource.Any> = Catalogue.importOrder
): ReadonlyArray<Snapshot.Line> => {
  const written = new Map<Resource.Any, ReadonlyArray<Record<string, unknown>>>()
  return resources.flatMap((resource) => {
    const arbitrary = arbitraries.get(resource)
    if (arbitrary === undefined) return []
    const keys = new Set(["id", "clientId", resource.key])
    const rows = fc.sample(arbitrary, { numRuns: count, seed }).map((sampled, index) => {
      const row: Record<string, unknown> = { ...sampled }
      for (const key of keys) if (key in row) row[key] = `${key} ${company} ${index}`
      for (const { child, column, field, parent } of Catalogue.references) {
        if (child === resource && row[column] !== null) row[column] = written.get(parent)?.[index % count]?.[field]
      }
      return row
    })
    written.set(resource, rows)
    return rows.map((row): Snapshot.Line => {
      const owned = resource.rules.owner === "user" ? { company, user: `user of ${company}` } : { company }
      return { table: resource.resource, ...owned, revision: 3, row: Schema.decodeUnknownSync(Row)(row) }
    })
  })
}

const Row = Schema.Record({ key: Schema.String, value: Schema.Any })
