/**
 * Finds the company that mirrored rows belong to: that of the source, or the first of the store. A new store gets one
 * company and one user, with the ids that the rows of the source have.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { JsonObject } from "@mfgdata/domain/Json"
import * as Effect from "effect/Effect"
import type { Owner } from "../../sql/Owner.ts"
import type { StoreUnavailable } from "../../store/Store.ts"
import * as Seeder from "../../seeds/Seeder.ts"
import type { SeedError } from "../../seeds/SeedFile.ts"
import type { World } from "../../world/World.ts"
import type { Scrub } from "../scrub/Scrub.ts"
import type * as Source from "../Source.ts"
import type { SourceSample } from "./SourceSample.ts"

export type OwnerError = SeedError | StoreUnavailable

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const textOf = (value: unknown, field: string): string | undefined => {
  if (typeof value !== "object" || value === null) return undefined
  const found: unknown = Object.entries(value).find(([name]) => name === field)?.[1]
  return typeof found === "string" && found !== "" ? found : undefined
}

/** The user of the source's key, if its operations show one. */
const userOf = ({ ask }: Source.Source): Effect.Effect<string | undefined> =>
  ask({
    method: "POST",
    face: "operations",
    target: "/account/getCurrentUser",
    headers: { "content-type": "application/json" },
    body: "{}"
  }).pipe(
    Effect.map(({ status, text }) => (status === 200 ? textOf(parse(text), "id") : undefined)),
    Effect.orElseSucceed(() => undefined)
  )

/** The value of a column in the first rows, after their scrub. */
const sampled = (scrub: Scrub, { rows }: SourceSample, column: string): string | undefined => {
  for (const [name, row] of rows) {
    const resource = Catalogue.find(name)
    const value = resource === undefined ? undefined : textOf(scrub.row(resource, row), column)
    if (value !== undefined) return value
  }
  return undefined
}

const favorite = Catalogue.byName.salesOrderFavorite

/** The id of a user after the scrub: as the rows have it whose owner is a user. */
const scrubbed = (scrub: Scrub, userId: string): string | undefined => {
  const row: JsonObject = { [favorite.key]: "", userId }
  return textOf(scrub.row(favorite, row), "userId")
}

export const find = (
  world: World["Type"],
  source: Source.Source,
  sample: SourceSample,
  scrub: Scrub
): Effect.Effect<Owner, OwnerError> =>
  Effect.gen(function* () {
    const companyId = sampled(scrub, sample, "companyId") ?? "company"
    const home = world.home()
    if (home !== undefined) return world.knowsCompany(companyId) ? { ...home, companyId } : home
    const caller = yield* userOf(source)
    const userId =
      sampled(scrub, { ...sample, rows: onlyFavorites(sample) }, "userId") ??
      (caller === undefined ? undefined : scrubbed(scrub, caller)) ??
      sampled(scrub, sample, "createdBy") ??
      "user"
    yield* Seeder.insert(world, "mirror", {
      companies: [{ id: companyId, name: "Mirror" }],
      users: [
        {
          id: userId,
          companyIds: [companyId],
          email: "user@example.com",
          firstName: "Mirror",
          lastName: "User",
          admin: true
        }
      ],
      rows: {}
    })
    return { companyId, userId }
  })

const onlyFavorites = ({ rows }: SourceSample): SourceSample["rows"] =>
  new Map([...rows].filter(([name]) => name === favorite.resource))
