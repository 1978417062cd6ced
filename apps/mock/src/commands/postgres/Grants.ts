/**
 * `mfg-mock grants`: prints the SQL that grants a role what serving needs.
 */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { UsageError } from "@mfgdata/domain/UsageError"
import * as Program from "@mfgdata/shell/Program"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Effect from "effect/Effect"
import * as Settings from "../../Settings.ts"
import { StoreUnreachable } from "../../store/OpenError.ts"
import * as Flags from "../Flags.ts"

const role = Options.text("role").pipe(
  Options.withPseudoName("name"),
  Options.withDescription("Role that serves the store.")
)

const settings = ["store", "pooling"] as const

const command = Command.make("grants", { flags: Flags.options(settings), role }, ({ flags, role }) =>
  Effect.gen(function* () {
    const { pooling, store } = yield* Flags.resolve(settings, flags)
    if (store._tag === "Sqlite") {
      return yield* new UsageError({
        problem: "A store on SQLite has no roles.",
        example: "mfg-mock grants --role app --store postgres://owner@db.example.com/mfgdata"
      })
    }
    const statements = yield* Effect.tryPromise({
      try: async () => {
        const [{ open }, grants] = await Promise.all([
          import("../../store/postgres/PostgresDriver.ts"),
          import("../../store/postgres/schema/PostgresGrants.ts")
        ])
        const isPooled = pooling === "transaction"
        const driver = open({ ...store, isPooled, statementMillis: 5000, responseMillis: 7000 })
        return grants
          .schemaOf({ execute: driver.readOnce })
          .then((schema) => grants.statements(schema, role))
          .finally(() => driver.close(0))
      },
      catch: (cause) =>
        new StoreUnreachable({
          store: Settings.storeName(store),
          cause: cause instanceof Error ? cause : new Error(String(cause))
        })
    })
    yield* Terminal.write(statements.map((text) => `${text};\n`).join(""))
  })
).pipe(
  Command.withDescription(
    "Print the SQL that grants a role of PostgreSQL what mfg-mock serve needs, for the owner of the tables to run. " +
      "For example: mfg-mock grants --role app | psql"
  )
)

export const program: Program.Program = Program.make(command)
