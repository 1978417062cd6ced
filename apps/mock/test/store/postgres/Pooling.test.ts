/** Connection poolers: the modes that a store notices, and their names in its errors. */
import * as testing from "@mfgdata/shell/testing"
import * as PgBouncer from "@mfgdata/testing-postgres/PgBouncer"
import * as Schema from "@mfgdata/testing-postgres/Schema"
import * as PostgresServer from "@mfgdata/testing-postgres/vitest"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { front } from "../../../src/commands/Program.ts"
import * as Instance from "../../../src/service/Instance.ts"
import * as Settings from "../../../src/Settings.ts"
import * as PostgresDriver from "../../../src/store/postgres/PostgresDriver.ts"
import * as PostgresCheck from "../../../src/store/postgres/PostgresCheck.ts"

const store = (url: string) => {
  const address = Settings.settings.store.parse(url)
  assert(address?._tag === "Postgres")
  return address
}

const open = (url: string, pooling: Settings.Settings["pooling"]) =>
  Instance.open({ store: store(url), rules: "contract", pooling })

const refusal = (url: string, pooling: Settings.Settings["pooling"]) =>
  Effect.map(Effect.either(open(url, pooling)), (opened) => (Either.isLeft(opened) ? opened.left.message : "opened"))

/** The messages of `mfg-mock check`. */
const checked = (url: string, pooling: Settings.Settings["pooling"]) =>
  Effect.map(testing.run(front, ["check", "--store", url, "--pooling", pooling]), ({ stderr }) => stderr)

const driver = (url: string, isPooled: boolean) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      PostgresDriver.open({ url, connections: 4, statementMillis: 5000, responseMillis: 7000, isPooled })
    ),
    ({ close }) => Effect.promise(() => close(0))
  )

/** The parameters that a pooler in session mode has to ignore. */
const ignored =
  "ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout, jit, max_parallel_workers_per_gather"

describe("connection poolers", () => {
  it.scopedLive("are not found on a direct connection, where --pooling transaction does no harm", () =>
    Effect.gen(function* () {
      const url = yield* Schema.database(yield* PostgresServer.url)
      const { poolMode } = yield* driver(url, false)
      assert.strictEqual(yield* Effect.promise(poolMode), "none")
      const { store } = yield* open(url, "transaction")
      yield* store.ready
    })
  )

  it.scopedLive("refuses a search path of the address with --pooling transaction", () =>
    Effect.gen(function* () {
      const url = yield* Schema.fresh(yield* PostgresServer.url)
      for (const message of [yield* refusal(url, "transaction"), yield* checked(url, "transaction")]) {
        assert.include(message, "ALTER ROLE <role> IN DATABASE <database> SET search_path")
      }
    })
  )

  it.scopedLive("with --pooling transaction an instance is known to serve, until it ends", () =>
    Effect.gen(function* () {
      const url = yield* Schema.database(yield* PostgresServer.url)
      const checked = yield* driver(url, false)
      const repair = Effect.promise(() => PostgresCheck.run(checked, url, ".", { isRepair: true, hasBackup: false }))
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* open(url, "transaction")
          const refused = yield* repair
          assert(Either.isLeft(refused))
          assert.strictEqual(refused.left._tag, "StoreInUse")
        })
      )
      assert.isTrue(Either.isRight(yield* repair))
    })
  )

  describe.skipIf(PgBouncer.version === undefined)(`of PgBouncer${PgBouncer.absent}`, () => {
    for (const sessions of [1, 10]) {
      it.scopedLive(`finds a pooler that shares ${sessions} sessions by transaction, and names the setting`, () =>
        Effect.gen(function* () {
          const server = yield* Schema.database(yield* PostgresServer.url)
          const { url } = yield* PgBouncer.start(server, {
            mode: "transaction",
            sessions,
            settings: [ignored, "server_round_robin = 1"]
          })
          assert.include(yield* refusal(url, "session"), "set --pooling transaction")
          assert.include(yield* checked(url, "session"), "(pool_mode = transaction): set --pooling transaction")
          const { store } = yield* open(url, "transaction")
          yield* store.ready
          assert.include(yield* checked(url, "transaction"), "has no damage")
        })
      )
    }

    it.scopedLive("refuses a pooler without transactions in both modes, and names pool_mode", () =>
      Effect.gen(function* () {
        const server = yield* Schema.database(yield* PostgresServer.url)
        const { url } = yield* PgBouncer.start(server, { mode: "statement", settings: [ignored] })
        for (const pooling of ["session", "transaction"] as const) {
          assert.include(yield* refusal(url, pooling), "pool_mode = statement")
          assert.include(yield* checked(url, pooling), "pool_mode = statement")
        }
      })
    )

    it.scopedLive("serves through a pooler in session mode, with both settings", () =>
      Effect.gen(function* () {
        const server = yield* Schema.database(yield* PostgresServer.url)
        const { url } = yield* PgBouncer.start(server, { mode: "session", settings: [ignored] })
        for (const pooling of ["session", "transaction"] as const) {
          const { store } = yield* open(url, pooling)
          yield* store.ready
        }
      })
    )

    it.scopedLive("names the parameter that a pooler refuses", () =>
      Effect.gen(function* () {
        const server = yield* Schema.database(yield* PostgresServer.url)
        const { url } = yield* PgBouncer.start(server, { mode: "session" })
        for (const message of [yield* refusal(url, "session"), yield* checked(url, "session")]) {
          assert.match(message, /refuses the parameter \w+: set --pooling transaction/)
          assert.include(message, "ignore_startup_parameters")
        }
      })
    )
  })
})
