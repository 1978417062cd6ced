/**
 * `mfg keys`: the API keys of a service, by its administrator's key.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Json from "@mfgdata/domain/Json"
import * as Scope from "@mfgdata/domain/Scope"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { UsageError } from "../CliError.ts"
import * as Confirmation from "../Confirmation.ts"
import * as Connection from "../Connection.ts"
import * as Control from "../Control.ts"
import * as Output from "../Output.ts"
import * as Program from "../Program.ts"
import * as Screen from "../Screen.ts"
import * as Whole from "../Whole.ts"

const isRow = Schema.is(Json.JsonObject)
const id = Args.text({ name: "id" }).pipe(Args.withDescription("The key's id, as the list shows it."))
const purpose = "mfg keys"

/** The key alone on standard output, so that a script can take it. */
const show = (issued: Json.Json, output: Output.Asked): Effect.Effect<void> => {
  if (!isRow(issued)) return Effect.void
  if (Option.isSome(output.format)) return Output.one(issued, output)
  return Effect.zipRight(Screen.note(`The key ${issued["id"]} is shown this once:`), Screen.write(`${issued["key"]}\n`))
}

const checkTime = (text: string): Effect.Effect<string, UsageError> =>
  Timestamp.is(text)
    ? Effect.succeed(text)
    : Effect.fail(
        new UsageError({
          problem: `--expires takes a timestamp, and ${JSON.stringify(text)} is none.`,
          example: "--expires 2027-01-31T00:00:00Z"
        })
      )

const create = Command.make(
  "create",
  {
    name: Options.text("name").pipe(Options.withDescription("What the key is for."), Options.withDefault("mfg keys")),
    scopes: Options.text("scope").pipe(
      Options.withDescription("What the key may do, such as holiday:read; may be repeated. Everything when left out."),
      Options.repeated
    ),
    expires: Options.text("expires").pipe(
      Options.withPseudoName("timestamp"),
      Options.withDescription("When the key ends; never when left out."),
      Options.optional
    ),
    company: Options.text("company").pipe(
      Options.withDescription("Whose rows it is for; the first company's when left out."),
      Options.optional
    ),
    user: Options.text("user").pipe(
      Options.withDescription("Who calls by it; the first user when left out."),
      Options.optional
    ),
    output: Output.options,
    profile: Connection.profile
  },
  ({ company, expires, name, output, profile, scopes, user }) =>
    Effect.gen(function* () {
      const body: Json.JsonObject = {
        name,
        scopes: scopes.length === 0 ? ["*"] : yield* Effect.forEach(scopes, Scope.check),
        expiresAt: Option.isNone(expires) ? null : yield* checkTime(expires.value),
        ...(Option.isSome(company) ? { companyId: company.value } : {}),
        ...(Option.isSome(user) ? { userId: user.value } : {})
      }
      yield* Connection.use(profile, (connection) =>
        Effect.flatMap(Control.order(connection, { purpose, method: "POST", path: "/keys", body }), (issued) =>
          show(issued, output)
        )
      )
    })
).pipe(Command.withDescription("Make a key, and show it once."))

const list = Command.make("list", { output: Output.options, profile: Connection.profile }, ({ output, profile }) =>
  Connection.use(profile, (connection) =>
    Effect.flatMap(Control.order(connection, { purpose, method: "GET", path: "/keys" }), (keys) =>
      Output.show(Array.isArray(keys) ? keys.filter(isRow) : [], output, { none: "There are no keys." })
    )
  )
).pipe(Command.withDescription("List all keys; never the keys themselves."))

const revoke = Command.make(
  "revoke",
  { id, yes: Confirmation.option, profile: Connection.profile },
  ({ id, profile, yes }) =>
    Connection.use(profile, (connection) =>
      Confirmation.need(`revoke the key ${id}`, yes).pipe(
        Effect.zipRight(
          Control.order(connection, { purpose, method: "DELETE", path: `/keys/${encodeURIComponent(id)}` })
        ),
        Effect.zipRight(Screen.note(`The key ${id} is revoked.`))
      )
    )
).pipe(Command.withDescription("End a key at once. Asks first."))

const roll = Command.make(
  "roll",
  {
    id,
    overlap: Whole.option("overlap", {
      placeholder: "seconds",
      description: "For how long the old key is good beside the new one; 0 when left out.",
      example: 3600
    }).pipe(Options.withDefault(0)),
    yes: Confirmation.option,
    output: Output.options,
    profile: Connection.profile
  },
  ({ id, output, overlap, profile, yes }) =>
    Connection.use(profile, (connection) =>
      Confirmation.need(`replace the key ${id}`, yes || overlap > 0).pipe(
        Effect.zipRight(
          Control.order(connection, {
            purpose,
            method: "POST",
            path: `/keys/${encodeURIComponent(id)}/roll`,
            body: { overlapSeconds: overlap }
          })
        ),
        Effect.flatMap((issued) => show(issued, output))
      )
    )
).pipe(Command.withDescription("Make a key like another, which ends. Asks first, unless the two overlap."))

const command = Command.make("keys").pipe(
  Command.withDescription("API keys of the service, by its administrator's key: MFG_ADMIN_KEY, or mfg login --admin."),
  Command.withSubcommands([create, list, revoke, roll])
)

export const program: Program.Program = Program.make(command)
