/** Roles that only serve, and row-level security on the company. */
import * as testing from "@mfgdata/shell/testing"
import * as Schema from "@mfgdata/testing-postgres/Schema"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { front } from "../../../src/commands/Program.ts"
import * as Instance from "../../../src/service/Instance.ts"
import type * as Settings from "../../../src/Settings.ts"
import * as Migration from "../../../src/store/migrations/Migration.ts"
import * as PostgresDriver from "../../../src/store/postgres/PostgresDriver.ts"
import * as PostgresGrants from "../../../src/store/postgres/schema/PostgresGrants.ts"
import * as PostgresMigrator from "../../../src/store/postgres/schema/PostgresMigrator.ts"
import * as Secured from "../../postgres/Secured.ts"

type Given = Partial<Pick<Settings.Settings, "history" | "pooling" | "rowSecurity">>

/** Opens a store as the role that only serves, whose search path is its own. */
const serving = ({ server }: Secured.Secured, given: Given = {}) =>
  Instance.open({ store: Secured.address(server.url), rules: "contract", ...given })

const owning = ({ owner }: Secured.Secured, given: Given = {}) =>
  Effect.scoped(Effect.asVoid(Instance.open({ store: Secured.address(owner.url), rules: "contract", ...given })))

const refusal = <A, E extends { readonly message: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.either(effect), (outcome) => (Either.isLeft(outcome) ? outcome.left.message : "opened"))

const names = { text: `SELECT "_tenant" FROM "holiday" ORDER BY 1`, parameters: [] }

const insert = (companyId: string) =>
  `INSERT INTO "holiday" ("_tenant", "id", "createdBy", "createdAt", "name", "date", "companyId", "_doc", "_revision")
   VALUES ('${companyId}', 'h', 'u', now(), 'n', '2026-01-01', '${companyId}', '{}', 1)`

describe("a role that does not own the tables", () => {
  it.scopedLive("is refused with the statements that grant what it lacks", () =>
    Effect.gen(function* () {
      const secured = yield* Secured.migrated({ rowSecurity: "off" })
      yield* Effect.scoped(serving(secured))
      const { owner, schema, server } = secured
      yield* Schema.run(owner.url, `REVOKE DELETE ON "holiday" FROM "${server.role}"`)
      const lacking = `GRANT DELETE ON "${schema}"."holiday" TO "${server.role}";`
      const message = yield* refusal(Effect.scoped(serving(secured)))
      assert.include(message, lacking)
      assert.notInclude(message, "USAGE")
      yield* Schema.run(owner.url, `REVOKE USAGE ON SCHEMA "${schema}" FROM "${server.role}"`)
      const both = yield* refusal(Effect.scoped(serving(secured)))
      assert.include(both, `GRANT USAGE ON SCHEMA "${schema}" TO "${server.role}";`)
      yield* Schema.run(owner.url, both.slice(both.indexOf("GRANT")))
      yield* Effect.scoped(serving(secured))
    })
  )

  it.scopedLive("is sent to the owner for an older schema, and for a store without tables", () =>
    Effect.gen(function* () {
      const secured = yield* Secured.roles
      const { owner, schema, server } = secured
      yield* Schema.run(owner.url, `GRANT USAGE ON SCHEMA "${schema}" TO "${server.role}"`)
      assert.match(yield* refusal(Effect.scoped(serving(secured))), /has schema 0.*"mfg-mock migrate".*as the owner/)
      const address = Secured.address(owner.url)
      assert(address._tag === "Postgres")
      const driver = PostgresDriver.open({ ...address, statementMillis: 5000, responseMillis: 7000 })
      const migrated = yield* Effect.promise(() =>
        PostgresMigrator.migrate(driver, {
          store: "s",
          ruleSet: "contract",
          migrations: Migration.migrations.slice(0, 1)
        })
      )
      assert.deepStrictEqual(migrated, Either.right(1))
      yield* Effect.promise(() => driver.close(0))
      const missing = yield* refusal(Effect.scoped(serving(secured)))
      yield* Schema.run(owner.url, missing.slice(missing.indexOf("GRANT")))
      const known = Migration.latest
      assert.match(
        yield* refusal(Effect.scoped(serving(secured))),
        new RegExp(`has schema 1, and this version needs ${known}: run "mfg-mock migrate"`)
      )
    })
  )

  it.scopedLive("is sent to the owner for settings that the tables lack", () =>
    Effect.gen(function* () {
      const secured = yield* Secured.migrated({ rowSecurity: "off" })
      assert.include(yield* refusal(Effect.scoped(serving(secured, { history: "on" }))), "--history on")
      assert.include(yield* refusal(Effect.scoped(serving(secured, { rowSecurity: "on" }))), "--row-security on")
      yield* owning(secured, { history: "on", rowSecurity: "on" })
      const { store } = yield* serving(secured, { history: "on", rowSecurity: "on" })
      assert.include(yield* refusal(store.restore("none.gz")), "only the owner of the tables")
    })
  )
})

it.scopedLive("mfg-mock grants prints what the role needs, as SQL", () =>
  Effect.gen(function* () {
    const secured = yield* Secured.roles
    const { owner, schema, server } = secured
    const { stdout } = yield* testing.run(front, ["grants", "--role", server.role, "--store", owner.url])
    assert.include(stdout, `GRANT USAGE ON SCHEMA "${schema}" TO "${server.role}";`)
    assert.strictEqual(stdout.split(";\n").length, 1 + PostgresGrants.statements(schema, server.role).length)
    yield* owning(secured)
    yield* Schema.run(owner.url, stdout)
    const none = yield* testing.run(front, ["grants", "--role", server.role, "--store", "sqlite::memory:"])
    assert.include(none.stderr, "no roles")
  })
)

/** The privileges on single tables in the statements that `mfg-mock grants` prints. */
const privilegesIn = (statements: string): ReadonlyArray<readonly [privilege: string, table: string]> =>
  Array.from(statements.matchAll(/^GRANT ([A-Z, ]+) ON ("[^;]*) TO /gm), ([, privileges = "", tables = ""]) =>
    tables.split(", ").flatMap((table) => privileges.split(", ").map((privilege) => [privilege, table] as const))
  ).flat()

it.scopedLive("names each privilege that a role lacks", () =>
  Effect.gen(function* () {
    const secured = yield* Secured.migrated({ rowSecurity: "off" })
    const { admin, schema, server } = secured
    const { stdout } = yield* testing.run(front, ["grants", "--role", server.role, "--store", secured.owner.url])
    const privileges = privilegesIn(stdout)
    assert.isAbove(privileges.length, 200)
    const address = Secured.address(admin)
    assert(address._tag === "Postgres")
    const driver = yield* Effect.acquireRelease(
      Effect.sync(() => PostgresDriver.open({ ...address, statementMillis: 5000, responseMillis: 7000 })),
      ({ close }) => Effect.promise(() => close(0))
    )
    /** The statements that the role needs after another one, which is rolled back. */
    const missingAfter = (statement: string) =>
      Effect.promise(() =>
        driver.transaction(async (connection) => {
          await connection.script(`${statement}; SET LOCAL ROLE "${server.role}"`)
          return Either.left(await PostgresGrants.missing(connection))
        })
      )
    assert.deepStrictEqual(yield* missingAfter("SELECT 1"), Either.left([]))
    for (const [privilege, table] of privileges) {
      assert.deepStrictEqual(
        yield* missingAfter(`REVOKE ${privilege} ON ${table} FROM "${server.role}"`),
        Either.left([`GRANT ${privilege} ON ${table} TO "${server.role}"`])
      )
    }
    assert.deepStrictEqual(
      yield* missingAfter(`REVOKE USAGE ON SCHEMA "${schema}" FROM "${server.role}"`),
      Either.left([`GRANT USAGE ON SCHEMA "${schema}" TO "${server.role}"`])
    )
  })
)

describe("row-level security", () => {
  for (const pooling of ["session", "transaction"] as const) {
    it.scopedLive(`hides other companies from a statement without the condition, --pooling ${pooling}`, () =>
      Effect.gen(function* () {
        const secured = yield* Secured.migrated({ rowSecurity: "on" })
        const { store } = yield* serving(secured, { pooling })
        const companies = ["acme", "it's \\ odd", "rival"]
        for (const companyId of companies) {
          yield* store.change({
            companyId,
            steps: [{ _tag: "Run", statement: { text: insert(companyId.replaceAll("'", "''")), parameters: [] } }],
            resolve: () => Either.void
          })
        }
        const read = (companyId?: string) =>
          Effect.map(store.read(names, companyId), (rows) => rows.map(([name]) => name))
        for (const companyId of companies) assert.deepStrictEqual(yield* read(companyId), [companyId])
        assert.deepStrictEqual(yield* read("nobody"), [])
        assert.deepStrictEqual(yield* read(), [])
        assert.deepStrictEqual(yield* read(""), companies)
        const query = yield* store.query(names, { companyId: "rival", keyId: "k" })
        assert.deepStrictEqual(query, [["rival"]])
        // Both forms of a write: one statement, and a transaction.
        for (const isFinal of [true, false]) {
          yield* store.change({
            companyId: "acme",
            isFinal,
            steps: [
              {
                _tag: "Run",
                returns: 1,
                statement: { text: `UPDATE "holiday" SET "name" = 'x' RETURNING 1`, parameters: [] }
              }
            ],
            resolve: ([rows]) => {
              assert.lengthOf(rows ?? [], 1)
              return Either.void
            }
          })
        }
        // A row of another company is refused.
        const foreign = yield* Effect.exit(
          store.change({
            companyId: "acme",
            steps: [{ _tag: "Run", statement: { text: insert("rival").replace("'h'", "'i'"), parameters: [] } }],
            resolve: () => Either.void
          })
        )
        assert.include(String(foreign), "row-level security")
        assert.deepStrictEqual(yield* read("rival"), ["rival"])
      })
    )
  }

  it.scopedLive("refuses a role that is exempt from it, and ends by the owner's --row-security off", () =>
    Effect.gen(function* () {
      const secured = yield* Secured.migrated({ rowSecurity: "on" })
      const superuser = Instance.open({ store: Secured.address(secured.admin), rules: "contract", rowSecurity: "on" })
      assert.include(yield* refusal(Effect.scoped(superuser)), "exempt from row-level security")
      yield* owning(secured, { rowSecurity: "off" })
      const { store } = yield* serving(secured, { rowSecurity: "off" })
      yield* store.change({
        steps: [{ _tag: "Run", statement: { text: insert("acme"), parameters: [] } }],
        resolve: () => Either.void
      })
      assert.deepStrictEqual(yield* store.read(names), [["acme"]])
    })
  )
})
