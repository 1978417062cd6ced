/**
 * `mfg keys`: creates, lists, revokes and rolls the API keys of a service.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Span from "@effect/cli/HelpDoc/Span"
import * as Options from "@effect/cli/Options"
import type * as AdminApi from "@mfgdata/client/AdminApi"
import { CompanyId, UserId } from "@mfgdata/domain/Ids"
import * as Right from "@mfgdata/domain/Right"
import * as Scope from "@mfgdata/domain/Scope"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Default from "@mfgdata/shell/Default"
import * as Confirmation from "@mfgdata/shell/Confirmation"
import * as IntegerFlag from "@mfgdata/shell/IntegerFlag"
import * as Output from "@mfgdata/shell/output/Output"
import * as Program from "@mfgdata/shell/Program"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../CliError.ts"
import * as AdminClient from "../service/AdminClient.ts"
import * as Connection from "../service/Connection.ts"

const id = Args.text({ name: "id" }).pipe(Args.withDescription("Id of the key, as in the list."))

/** Runs an administrator's operation with the profile of `--profile`. */
const use = <A, E>(
  profile: Option.Option<string>,
  work: (admin: AdminApi.Service<AdminClient.AdminError>) => Effect.Effect<A, E>
) => Connection.use(profile, (connection) => work(AdminClient.make(connection, "mfg keys")))

/** Writes the key to standard output, and the message to standard error, so that a script can read the key. */
const show = (issued: AdminApi.Response<"createKey">, output: Output.Flags): Effect.Effect<void, UsageError> =>
  Option.isSome(output.format)
    ? Output.one(issued, output)
    : Effect.zipRight(Terminal.note(`The key ${issued.id} is shown once:`), Terminal.write(`${issued.key}\n`))

const checkTime = (text: string): Effect.Effect<Timestamp.Timestamp, UsageError> =>
  Timestamp.is(text)
    ? Effect.succeed(text)
    : Effect.fail(
        new UsageError({
          problem: `Invalid value ${JSON.stringify(text)} for --expires: expected a timestamp.`,
          example: "--expires 2027-01-31T00:00:00Z"
        })
      )

const create = Command.make(
  "create",
  {
    name: Options.text("name").pipe(Options.withDescription("Name of the key: its purpose."), Default.of("mfg keys")),
    scopes: Options.text("scope").pipe(
      Options.withDescription("Scope of the key, such as holiday:read; may be repeated (default: every scope)."),
      Options.repeated
    ),
    expires: Options.text("expires").pipe(
      Options.withPseudoName("timestamp"),
      Options.withDescription("Expiry of the key, such as 2027-01-31T00:00:00Z (default: never)."),
      Options.optional
    ),
    company: Options.text("company").pipe(
      Options.withSchema(CompanyId),
      Options.withDescription("Company of the key (default: the first company)."),
      Options.optional
    ),
    user: Options.text("user").pipe(
      Options.withSchema(UserId),
      Options.withDescription("User of the key (default: the first user of the company)."),
      Options.optional
    ),
    output: Output.options,
    profile: Connection.profile
  },
  ({ company, expires, name, output, profile, scopes, user }) =>
    Effect.gen(function* () {
      const request: AdminApi.Request<"createKey"> = {
        name,
        scopes: scopes.length === 0 ? ["*"] : yield* Effect.forEach(scopes, Scope.check),
        expiresAt: Option.isNone(expires) ? null : yield* checkTime(expires.value),
        ...(Option.isSome(company) ? { companyId: company.value } : {}),
        ...(Option.isSome(user) ? { userId: user.value } : {})
      }
      yield* Effect.flatMap(
        use(profile, (admin) => admin.createKey(request)),
        (issued) => show(issued, output)
      )
    })
).pipe(
  Command.withDescription(
    HelpDoc.blocks([
      HelpDoc.p("Create a key, and show it once. For example: mfg keys create --name reports --scope holiday:read"),
      HelpDoc.h1("SCOPES"),
      HelpDoc.descriptionList(Arr.map(Right.lines, ({ scopes, summary }) => [Span.text(scopes), HelpDoc.p(summary)]))
    ])
  )
)

const list = Command.make("list", { output: Output.options, profile: Connection.profile }, ({ output, profile }) =>
  Effect.flatMap(
    use(profile, (admin) => admin.listKeys({})),
    (keys) => Output.show(keys, output, { none: "No keys." })
  )
).pipe(Command.withDescription("List all keys by their first characters."))

const revoke = Command.make(
  "revoke",
  { id, yes: Confirmation.option, profile: Connection.profile },
  ({ id, profile, yes }) =>
    use(profile, (admin) =>
      Confirmation.need(`revoke the key ${id}`, yes).pipe(
        Effect.zipRight(admin.revokeKey({ id })),
        Effect.zipRight(Terminal.note(`Revoked the key ${id}.`))
      )
    )
).pipe(Command.withDescription("Revoke a key immediately. Asks for confirmation."))

const roll = Command.make(
  "roll",
  {
    id,
    overlapSeconds: IntegerFlag.option("overlap", {
      placeholder: "seconds",
      description: "Number of seconds for which the old key stays valid.",
      example: 3600
    }).pipe(Default.of(0)),
    yes: Confirmation.option,
    output: Output.options,
    profile: Connection.profile
  },
  ({ id, output, overlapSeconds, profile, yes }) =>
    use(profile, (admin) =>
      Confirmation.need(`replace the key ${id}`, yes || overlapSeconds > 0).pipe(
        Effect.zipRight(admin.rollKey({ id, overlapSeconds })),
        Effect.flatMap((issued) => show(issued, output))
      )
    )
).pipe(Command.withDescription("Replace a key by a new one like it. Asks for confirmation, unless the two overlap."))

const command = Command.make("keys").pipe(
  Command.withDescription(
    "API keys of the service. The administrator's key is MFG_ADMIN_KEY, or saved by mfg login --admin."
  ),
  Command.withSubcommands([create, list, revoke, roll])
)

export const program: Program.Program = Program.make(command)
