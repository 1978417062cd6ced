/**
 * `mfg keys`: creates, lists, revokes and rolls the API keys of a service.
 */
import * as Command from "@effect/cli/Command"
import type * as AdminApi from "@mfgdata/client/AdminApi"
import * as Confirmation from "@mfgdata/shell/Confirmation"
import * as KeyCommand from "@mfgdata/shell/KeyCommand"
import * as Output from "@mfgdata/shell/output/Output"
import * as Program from "@mfgdata/shell/Program"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { UsageError } from "../CliError.ts"
import * as AdminClient from "../service/AdminClient.ts"
import * as Connection from "../service/Connection.ts"

const { id } = KeyCommand

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

const create = Command.make(
  "create",
  {
    name: KeyCommand.name("mfg keys"),
    ...KeyCommand.create,
    output: Output.options,
    profile: Connection.profile
  },
  ({ output, profile, ...flags }) =>
    Effect.gen(function* () {
      const request = yield* KeyCommand.request(flags)
      yield* Effect.flatMap(
        use(profile, (admin) => admin.createKey(request)),
        (issued) => show(issued, output)
      )
    })
).pipe(Command.withDescription(KeyCommand.description("mfg")))

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
    overlapSeconds: KeyCommand.overlap,
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
