/**
 * Inserts a seed into a world in one transaction: companies, users, the tables that webhooks may name, and rows.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import * as HttpAddress from "@mfgdata/domain/HttpAddress"
import { CompanyId, UserId } from "@mfgdata/domain/Ids"
import type { JsonObject } from "@mfgdata/domain/Json"
import * as Decoder from "@mfgdata/domain/Decoder"
import { DecodeError } from "@mfgdata/domain/DecodeError"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as ColumnDefaults from "../rows/plan/ColumnDefaults.ts"
import * as RowErrorBody from "../rows/RowErrorBody.ts"
import * as SealedColumns from "../rows/SealedColumns.ts"
import type { PlanContext } from "../rows/plan/PlanContext.ts"
import type { NewRow } from "../sql/write/Mutation.ts"
import type { SeedName } from "../Settings.ts"
import type { Step } from "../sql/Change.ts"
import * as IndexedText from "../sql/text/IndexedText.ts"
import * as Mutation from "../sql/write/Mutation.ts"
import * as Revision from "../sql/write/Revision.ts"
import { type Fragment, render, sql } from "../sql/Statement.ts"
import * as ServiceTables from "../store/ServiceTables.ts"
import type { StoreUnavailable } from "../store/Store.ts"
import type { Member, World } from "../world/World.ts"
import * as SeedAccounts from "./SeedAccounts.ts"
import * as SeedFile from "./SeedFile.ts"
import { webhookTables } from "./webhookTables.ts"

type Seed = SeedFile.Seed

/** The first user of each company, the default owner of its rows. */
const membersOf = ({ companies, users }: Seed): ReadonlyArray<Member> =>
  companies.flatMap(({ id }) => {
    const first = users.find(({ companyIds }) => companyIds.includes(id))
    return first === undefined ? [] : [{ companyId: CompanyId.make(id), userId: UserId.make(first.id) }]
  })

/** The empty selection: the result of the inserts is not read. */
const selection = { _tag: "Fields", fields: [], embeds: [] } as const

const tables: ReadonlyArray<JsonObject> = webhookTables.flatMap(({ module, names }) =>
  names.map((name) => ({ module, name }))
)

/** The demo seed, loaded on first use, because most stores already have their rows. */
const demo = Effect.promise(async (): Promise<Seed> => (await import("./demo/index.ts")).demo)

/** Completes the rows of a seed with defaults, or returns the reason why they are invalid. */
const complete = (
  resource: Resource.Any,
  records: ReadonlyArray<JsonObject>,
  context: PlanContext
): Either.Either<ReadonlyArray<NewRow>, string> =>
  Either.gen(function* () {
    const { resource: name } = resource
    const columns = Column.schemas(resource, context.rules)
    const row = Schema.Struct(columns)
    const some = Decoder.make(name, Schema.partialWith(row, { exact: true }))
    const whole = Decoder.make(name, row)
    const message = Either.mapLeft(({ message }: DecodeError) => message)
    for (const record of records) {
      const unknown = Object.keys(record).find((field) => !Object.hasOwn(columns, field))
      if (unknown !== undefined) return yield* Either.left(`there is no field ${name}.${unknown}`)
      yield* message(some(record))
    }
    const rows = records.map(ColumnDefaults.complement(resource, context))
    const addresses = Column.fromResource(resource).filter(({ address }) => address)
    for (const row of rows) {
      yield* message(whole(row))
      const long = IndexedText.lengthError(resource, row)
      if (long !== undefined) yield* message(Either.left(long))
      for (const column of addresses) {
        const value = row[column.name]
        const actual = typeof value === "string" ? HttpAddress.flaw(value) : undefined
        const issue = { path: [column.name], expected: HttpAddress.description }
        if (actual !== undefined)
          yield* message(Either.left(new DecodeError({ subject: name, issues: [{ ...issue, actual }] })))
      }
    }
    return rows
  })

/** Inserts a seed. `name` identifies it in errors. */
export const insert = (
  world: World["Type"],
  name: string,
  seed: Seed
): Effect.Effect<void, SeedFile.SeedError | StoreUnavailable> =>
  Effect.gen(function* () {
    const { knowsCompany, newId, now, rules, store, vault } = world
    const members = membersOf(seed)
    const [first = world.home()] = members
    const failure = (reason: string) => new SeedFile.SeedError({ seed: name, reason })
    if (first === undefined) return yield* failure("it has no company with a user")

    const ownerOf = ({ rules }: Resource.Any, { companyId, userId }: JsonObject): Member => {
      const member = members.find((member) => member.companyId === companyId) ?? first
      return rules.owner === "user" && typeof userId === "string" ? { ...member, userId: UserId.make(userId) } : member
    }

    const revision = Revision.first(`${name} ${now()}`)
    const insertRows = (resource: Resource.Any, owner: Member, records: ReadonlyArray<JsonObject>) => {
      const caller = { ...owner, keyId: "seed", scopes: ["*"] as const }
      const context = { caller, rules: rules(), maxRows: 0, now, newId, taken: new Set<string>() }
      return Either.mapBoth(complete(resource, records, context), {
        onLeft: failure,
        onRight: (complete) => {
          const rows =
            vault !== undefined && resource === Catalogue.byName.oauthClient
              ? complete.map(SealedColumns.sealRow(vault, owner.companyId))
              : complete
          return Mutation.insert(store.dialect, { owned: { resource, owner }, rows, revision, selection }).steps
        }
      })
    }

    const run = (fragment: Fragment): Step => ({ _tag: "Run", statement: render(fragment, store.dialect) })
    const accounts = yield* Either.mapLeft(SeedAccounts.statements(seed, world), failure)
    const steps: Array<Step> = accounts.map(run)
    for (const member of members.filter(({ companyId }) => !knowsCompany(companyId))) {
      steps.push(...(yield* insertRows(Catalogue.byName.webhookTable, member, tables)))
    }
    for (const resource of Catalogue.importOrder) {
      const records = seed.rows[resource.resource] ?? []
      for (const group of Object.values(Arr.groupBy(records, (row) => JSON.stringify(ownerOf(resource, row))))) {
        steps.push(...(yield* insertRows(resource, ownerOf(resource, group[0]), group)))
      }
    }
    const unknown = Object.keys(seed.rows).find((name) => Catalogue.find(name) === undefined)
    if (unknown !== undefined) return yield* failure(`there is no resource ${unknown}`)
    yield* store.change({ steps, resolve: () => Either.void }).pipe(
      Effect.catchTag("Refused", ({ refusal }) => {
        const { details, message } = RowErrorBody.make(refusal)
        return Effect.fail(failure([message, details].filter(Boolean).join(": ")))
      })
    )
    yield* world.refresh
  })

/** The name of the seed in the metadata of a store that it has made. */
export const metaName = "seed"

/** The name of a seed in the metadata. */
export const nameOf = (name: SeedName): string => (name._tag === "File" ? name.path : name._tag)

/** Loads the seed of a new store by its name, inserts it, and records its name. */
const begin = (world: World["Type"], name: SeedName): Effect.Effect<void, SeedFile.SeedError | StoreUnavailable> =>
  Effect.zipRight(
    load(world, name),
    ServiceTables.make(world.store).write(sql`INSERT INTO "_meta" ("key", "value") VALUES (${metaName}, ${nameOf(name)})
      ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value"`)
  )

/** Seeds an empty store once, even if several instances start at the same time. */
export const beginOnce = (
  world: World["Type"],
  name: SeedName
): Effect.Effect<void, SeedFile.SeedError | StoreUnavailable> =>
  world.store.withLock(
    Effect.gen(function* () {
      yield* world.refresh
      if (world.home() === undefined) yield* begin(world, name)
    })
  )

/** Loads a seed by its name and inserts it. */
export const load = (
  world: World["Type"],
  name: SeedName
): Effect.Effect<void, SeedFile.SeedError | StoreUnavailable> => {
  switch (name._tag) {
    case "Demo":
      return Effect.flatMap(demo, (seed) => insert(world, "demo", seed))
    case "Empty":
      return Effect.flatMap(demo, (seed) => insert(world, "empty", { ...seed, rows: {} }))
    case "File":
      return Effect.flatMap(SeedFile.read(name.path), (seed) => insert(world, name.path, seed))
  }
}
