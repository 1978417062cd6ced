/**
 * Stores on PostgreSQL with an owner and a role that only serves, with row-level security.
 */
import * as Schema from "@mfgdata/testing-postgres/Schema"
import * as PostgresServer from "@mfgdata/testing-postgres/vitest"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { randomBytes } from "node:crypto"
import * as Instance from "../../src/service/Instance.ts"
import * as Settings from "../../src/Settings.ts"
import * as PostgresGrants from "../../src/store/postgres/schema/PostgresGrants.ts"
import * as Service from "../suite/Service.ts"
import * as Recording from "./Recording.ts"

export interface Secured {
  /** The address of an administrator of the server, in the schema. */
  readonly admin: string
  readonly schema: string
  /** The role that owns the tables, and its address. */
  readonly owner: { readonly role: string; readonly url: string }
  /** The role that serves, and its address, whose schema the role has. */
  readonly server: { readonly role: string; readonly url: string }
}

const as = (url: string, role: string): URL => {
  const given = new URL(url)
  given.username = role
  given.password = role
  return given
}

/** A new schema with two roles that do not exist yet elsewhere. */
export const roles: Effect.Effect<Secured, never, Scope.Scope> = Effect.gen(function* () {
  const admin = yield* Schema.fresh(yield* PostgresServer.url)
  const schema = String(new URL(admin).searchParams.get("search_path"))
  const [owner, server] = ["owner", "server"].map((name) => `${name}_${randomBytes(6).toString("hex")}`)
  assert(owner !== undefined && server !== undefined)
  yield* Effect.acquireRelease(
    Schema.run(
      admin,
      `CREATE ROLE "${owner}" LOGIN PASSWORD '${owner}'; CREATE ROLE "${server}" LOGIN PASSWORD '${server}';
      CREATE SCHEMA "${schema}" AUTHORIZATION "${owner}"; ALTER ROLE "${server}" SET search_path = "${schema}"`
    ),
    () =>
      Schema.run(
        admin,
        `DROP SCHEMA "${schema}" CASCADE; DROP OWNED BY "${owner}", "${server}"; DROP ROLE "${owner}", "${server}"`
      )
  )
  const serving = as(admin, server)
  serving.searchParams.delete("search_path")
  return {
    admin,
    schema,
    owner: { role: owner, url: as(admin, owner).href },
    server: { role: server, url: serving.href }
  }
})

export const address = (url: string): Settings.StoreAddress => {
  const given = new URL(url)
  given.searchParams.set("max", "4")
  const parsed = Settings.settings.store.parse(given.href)
  assert(parsed?._tag === "Postgres")
  return parsed
}

/** Migrates as the owner, and grants the other role what it needs. */
export const migrated = (options: Service.Options): Effect.Effect<Secured, never, Scope.Scope> =>
  Effect.gen(function* () {
    const secured = yield* roles
    const { history, rowSecurity = "on", rules = "contract" } = options
    yield* Effect.scoped(
      Instance.open({
        store: address(secured.owner.url),
        rules,
        rowSecurity,
        ...(history !== undefined && { history })
      })
    ).pipe(Effect.orDie)
    yield* Schema.run(secured.owner.url, PostgresGrants.statements(secured.schema, secured.server.role).join(";\n"))
    return secured
  })

/** The statements that services have sent. */
export const recorded: Array<Recording.Recorded> = []

/** A service as the role that only serves, whose statements are recorded. */
export const layer = (options: Service.Options = {}) =>
  Service.layer(
    Effect.gen(function* () {
      const { server } = yield* migrated(options)
      return address(yield* Recording.proxy(server.url, (statement) => void recorded.push(statement)))
    }),
    { ...options, pooling: "transaction", rowSecurity: "on" }
  )
