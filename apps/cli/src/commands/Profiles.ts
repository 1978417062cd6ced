/**
 * `mfg profile`: lists, selects and removes saved profiles. Their keys are never shown.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as ServiceAddress from "@mfgdata/client/ServiceAddress"
import { ProfileMissing } from "../CliError.ts"
import * as Confirmation from "@mfgdata/shell/Confirmation"
import * as Output from "@mfgdata/shell/output/Output"
import * as Profile from "../service/Profile.ts"
import * as Program from "@mfgdata/shell/Program"
import * as Terminal from "@mfgdata/shell/Terminal"

const name = Args.text({ name: "name" }).pipe(Args.withDescription("Name of the profile."))

const find = (name: string) =>
  Effect.filterOrFail(
    Profile.load,
    ({ profiles }) => name in profiles,
    ({ profiles }) => new ProfileMissing({ name, known: Object.keys(profiles) })
  )

const list = Command.make("list", { output: Output.options }, ({ output }) =>
  Effect.flatMap(Profile.load, ({ current, profiles }) =>
    Output.show(
      Object.entries(profiles).map(([name, saved]) => ({
        name,
        current: name === current,
        restUrl: saved.restUrl,
        baseUrl: saved.baseUrl,
        companyId: saved.companyId ?? null,
        admin: Profile.hasAdminKey(saved),
        keys: "keychain" in saved ? "keychain" : "file"
      })),
      output,
      { none: `No profiles. Run: mfg login --url ${ServiceAddress.defaultOrigin}` }
    )
  )
).pipe(Command.withDescription("List all profiles."))

const use = Command.make("use", { name }, ({ name }) =>
  find(name).pipe(
    Effect.flatMap((saved) => Profile.save({ ...saved, current: name })),
    Effect.zipRight(Terminal.note(`${name} is the current profile.`))
  )
).pipe(Command.withDescription("Make a profile the current one."))

const remove = Command.make("remove", { name, yes: Confirmation.option }, ({ name, yes }) =>
  Effect.gen(function* () {
    const { current, profiles } = yield* find(name)
    yield* Confirmation.need(`remove the profile ${name} and its key`, yes)
    const { [name]: removed, ...rest } = profiles
    const [next = "default"] = Object.keys(rest)
    yield* Profile.save({ current: current === name ? next : current, profiles: rest })
    yield* Profile.forget(removed)
    yield* Terminal.note(`Removed the profile ${name}.`)
  })
).pipe(Command.withDescription("Remove a profile and its key. Asks for confirmation."))

const command = Command.make("profile").pipe(
  Command.withDescription("Services and keys that mfg login has saved."),
  Command.withSubcommands([list, use, remove])
)

export const program: Program.Program = Program.make(command)
