/**
 * Runs the parts of the suite whose statements differ, on PostgreSQL with row-level security, as a role that owns nothing,
 * and reads the plans of these statements.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Schema from "@mfgdata/testing-postgres/Schema"
import { assert, describe, it, layer, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as CompanyTables from "../src/store/postgres/schema/CompanyTables.ts"
import * as Administration from "./suite/Administration.ts"
import * as Changes from "./suite/Changes.ts"
import * as Embeds from "./suite/Embeds.ts"
import * as Idempotency from "./suite/Idempotency.ts"
import * as Keys from "./suite/Keys.ts"
import * as Plans from "./postgres/Plans.ts"
import * as Secured from "./postgres/Secured.ts"
import * as Aggregates from "./suite/Aggregates.ts"
import * as Companies from "./suite/Companies.ts"
import * as Counts from "./suite/Counts.ts"
import * as History from "./suite/History.ts"
import * as Operations from "./suite/Operations.ts"
import * as Preconditions from "./suite/Preconditions.ts"
import * as Quotas from "./suite/Quotas.ts"
import * as References from "./suite/References.ts"
import * as Retention from "./suite/Retention.ts"
import * as Sample from "./suite/Sample.ts"
import * as Service from "./suite/Service.ts"
import * as UpsertRaces from "./suite/UpsertRaces.ts"
import * as Upserts from "./suite/Upserts.ts"
import * as Webhooks from "./suite/Webhooks.ts"

/** Sends the requests of every verb to each resource: the tests of the verbs, in short. */
const everyResource = (it: Vitest.MethodsNonLive<Service.Service>) => {
  it.effect("creates, reads, changes and deletes rows of every resource", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      const { companyId } = Service.members.operator
      const parents = yield* Sample.plant("operator")
      for (const resource of Catalogue.importOrder) {
        const path = `/rest/${resource.resource}`
        const { row } = yield* done("POST", path, { body: Sample.body(resource, 3, { parents, companyId }) })
        const address = Sample.address(resource, row)
        assert.lengthOf((yield* done("GET", path)).rows, 2)
        assert.deepStrictEqual((yield* done("GET", address)).row, row)
        const { [resource.key]: _, ...change } = Sample.body(resource, 4, { parents, companyId })
        yield* done("PATCH", address, { body: change })
        assert.strictEqual((yield* ask("GET", address, { as: "rival" })).status, 404)
        yield* done("DELETE", address)
      }
      yield* Sample.clear("operator")
    })
  )
}

describe("the service with row-level security, as a role that owns nothing", () => {
  layer(Secured.layer())("every resource", everyResource)
  layer(Secured.layer())("idempotency", Idempotency.suite)
  layer(Secured.layer())("keys", Keys.suite)
  layer(Secured.layer())("embeds", Embeds.suite)
  layer(Secured.layer(Administration.options))("history of changes", Changes.suite)
  layer(Secured.layer(Administration.options))("reads as of a time", (it) => History.suite(it, 3))
  layer(Secured.layer())("upserts", Upserts.suite)
  layer(Secured.layer({ history: "on" }))("races of upserts", UpsertRaces.suite)
  layer(Secured.layer({ aggregates: "on" }))("aggregates", Aggregates.suite)
  layer(Secured.layer())("counts", Counts.suite)
  layer(Secured.layer())("preconditions", Preconditions.suite)
  layer(Secured.layer())("operations", Operations.suite)
  layer(Secured.layer())("webhooks", Webhooks.suite)
  layer(Secured.layer())("retention", Retention.suite)
  layer(Secured.layer({ quota: Quotas.quota, adminKey: Quotas.adminKey }))("quotas", Quotas.suite)
  layer(Secured.layer({ rules: "public" }))("the public rules", (it) => {
    Companies.publicSuite(it)
    References.publicSuite(it)
    Upserts.publicSuite(it)
  })
})

/** One statement of each shape: literals are what makes most of them differ. */
const shapes = () => {
  const found = new Map<string, (typeof Secured.recorded)[number]>()
  for (const recorded of Secured.recorded) {
    const { companyId, text } = recorded
    const kind = companyId === undefined ? "nobody" : companyId === "" ? "the service" : "a company"
    const shape = `${kind} ${text.replaceAll(/ ?E?'(?:[^']|'')*'/g, "?")}`
    if (text.length < 200_000 && !found.has(shape)) found.set(shape, recorded)
  }
  return [...found.values()]
}

const columns = new Map(CompanyTables.tables.map(({ column, name }) => [name, column]))

/** The companies with which the conditions of a scan compare the column of the company; undefined for no comparison. */
const companiesIn = (conditions: string, column: string): ReadonlyArray<string> | undefined => {
  const name = `(?:"?\\w+"?\\.)?"?${column}"?`
  const literals = [...conditions.matchAll(new RegExp(`${name} = '((?:[^']|'')*)'::text`, "g"))].map(([, text]) => text)
  // A join, whose other side has the condition.
  const isJoined = new RegExp(`${name} = [\\w"(.]|[\\w").]+ = ${name}[ )]`).test(conditions)
  return literals.length > 0 ? literals.map((text) => String(text).replaceAll("''", "'")) : isJoined ? [] : undefined
}

const plans = (url: string) =>
  Effect.acquireRelease(
    Effect.sync(() => Plans.open(url)),
    ({ close }) => Effect.promise(close)
  )

describe("the statements of the suite", () => {
  it.scopedLive("of a company compare it in every scan of its tables, and no other one", () =>
    Effect.gen(function* () {
      // Without policies, whose conditions would show in the plans too.
      const { owner } = yield* Secured.migrated({ rowSecurity: "off", rules: "public" })
      const { scans } = yield* plans(owner.url)
      const flaws: Array<string> = []
      let count = 0
      for (const { companyId, text } of shapes()) {
        if (companyId === undefined || companyId === "") continue
        const found = (yield* Effect.promise(() => scans(text))) ?? []
        for (const { conditions, table } of found) {
          const column = columns.get(table)
          if (column === undefined) continue
          count += 1
          const companies = companiesIn(conditions, column)
          if (companies === undefined || companies.some((name) => name !== companyId)) {
            flaws.push(`${table}: ${conditions}\n  ${text.slice(0, 600)}`)
          }
        }
      }
      assert.deepStrictEqual(flaws.slice(0, 10), [])
      assert.isAbove(count, 1500)
    })
  )

  it.scopedLive("read the tables of companies in a transaction that names one, or the service", () =>
    Effect.gen(function* () {
      const { owner } = yield* Secured.migrated({ rowSecurity: "off", rules: "public" })
      const { scans } = yield* plans(owner.url)
      for (const { companyId, text } of shapes()) {
        if (companyId !== undefined) continue
        const found = (yield* Effect.promise(() => scans(text))) ?? []
        assert.deepStrictEqual(
          found.filter(({ table }) => columns.has(table)),
          [],
          text
        )
      }
    })
  )
})

describe("the tables of companies", () => {
  it.scopedLive("have the company in every primary key, unique index and foreign key, and are all listed", () =>
    Effect.gen(function* () {
      const { owner } = yield* Secured.migrated({ rowSecurity: "off", rules: "public" })
      const tables = yield* Schema.run(
        owner.url,
        `SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`
      )
      assert.sameMembers(
        tables.map(([name]) => String(name)),
        [...columns.keys(), ...CompanyTables.reference, ...CompanyTables.local]
      )
      const keys = yield* Schema.run(
        owner.url,
        `SELECT t.relname, c.relname, array_to_string(ARRAY(SELECT attname FROM pg_attribute
            WHERE attrelid = t.oid AND attnum = ANY (i.indkey)), ',')
          FROM pg_index AS i JOIN pg_class AS t ON t.oid = i.indrelid JOIN pg_class AS c ON c.oid = i.indexrelid
          WHERE t.relnamespace = current_schema()::regnamespace AND i.indisunique
        UNION ALL SELECT t.relname, f.conname, array_to_string(ARRAY(SELECT attname FROM pg_attribute
            WHERE attrelid = t.oid AND attnum = ANY (f.conkey)), ',')
          FROM pg_constraint AS f JOIN pg_class AS t ON t.oid = f.conrelid
          WHERE t.relnamespace = current_schema()::regnamespace AND f.contype = 'f'`
      )
      assert.isAbove(keys.length, 80)
      for (const [table, name, names] of keys) {
        const column = columns.get(String(table))
        if (column !== undefined) assert.include(String(names).split(","), column, `${String(table)}: ${String(name)}`)
      }
    })
  )
})
