/**
 * `mfg profile`: the profiles that are kept. Their keys are never shown.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { ProfileMissing } from "../CliError.ts"
import * as Confirmation from "../Confirmation.ts"
import * as Output from "../Output.ts"
import * as Profile from "../Profile.ts"
import * as Program from "../Program.ts"
import * as Screen from "../Screen.ts"

const name = Args.text({ name: "name" }).pipe(Args.withDescription("The profile's name."))

const known = (name: string) =>
  Effect.filterOrFail(
    Profile.load,
    ({ profiles }) => name in profiles,
    ({ profiles }) => new ProfileMissing({ name, known: Object.keys(profiles) })
  )

const list = Command.make("list", { output: Output.options }, ({ output }) =>
  Effect.flatMap(Profile.load, ({ current, profiles }) =>
    Output.show(
      Object.entries(profiles).map(([name, { adminKey, baseUrl, companyId, restUrl }]) => ({
        name,
        current: name === current,
        restUrl,
        baseUrl,
        companyId: companyId ?? null,
        admin: adminKey !== undefined
      })),
      output,
      { none: "No profile is kept yet. Run: mfg login --url http://127.0.0.1:4010" }
    )
  )
).pipe(Command.withDescription("List all profiles."))

const use = Command.make("use", { name }, ({ name }) =>
  known(name).pipe(
    Effect.flatMap((kept) => Profile.save({ ...kept, current: name })),
    Effect.zipRight(Screen.note(`${name} is the current profile.`))
  )
).pipe(Command.withDescription("Make a profile the current one."))

const remove = Command.make("remove", { name, yes: Confirmation.option }, ({ name, yes }) =>
  Effect.gen(function* () {
    const { current, profiles } = yield* known(name)
    yield* Confirmation.need(`remove the profile ${name} and its key`, yes)
    const { [name]: _, ...rest } = profiles
    const [next = "default"] = Object.keys(rest)
    yield* Profile.save({ current: current === name ? next : current, profiles: rest })
    yield* Screen.note(`Removed the profile ${name}.`)
  })
).pipe(Command.withDescription("Forget a profile and its key. Asks first."))

const command = Command.make("profile").pipe(
  Command.withDescription("The services and keys that mfg login has kept."),
  Command.withSubcommands([list, use, remove])
)

export const program: Program.Program = Program.make(command)
