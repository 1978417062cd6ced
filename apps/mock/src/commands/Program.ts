/**
 * The command tree of `mfg-mock`, and how its failures end the process.
 */
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as CommandDescriptor from "@effect/cli/CommandDescriptor"
import * as ValidationError from "@effect/cli/ValidationError"
import { type UsageError, unknownCommand } from "@mfgdata/domain/UsageError"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Keys from "./Keys.ts"
import * as Migrate from "./Migrate.ts"
import * as Seed from "./Seed.ts"
import * as Serve from "./Serve.ts"
import * as Snapshot from "./Snapshot.ts"
import * as Webhooks from "./Webhooks.ts"

const commands = [
  Serve.command,
  Keys.command,
  Seed.command,
  Migrate.command,
  Snapshot.command,
  Webhooks.command
] as const

const command = Command.make("mfg-mock").pipe(
  Command.withDescription("The manufacturing data service itself."),
  Command.withSubcommands(commands)
)

/** Asked in a way that cannot be understood; everything else that goes wrong is 1. */
const misuse = 2

/** The words of each command: those below it, or its own name where there are none. */
const words: ReadonlyMap<string, ReadonlyArray<string>> = new Map(
  commands.map((command) => {
    const descriptor: CommandDescriptor.Command<unknown> = command.descriptor
    const [name = ""] = CommandDescriptor.getNames(descriptor)
    return [name, Array.from(HashMap.keys(CommandDescriptor.getSubcommands(descriptor))).toSorted()]
  })
)

/** The first word that is no command where one is expected. */
const misnamed = ([name = "-", word = "-"]: ReadonlyArray<string>): UsageError | undefined => {
  if (name.startsWith("-")) return undefined
  const below = words.get(name)
  if (below === undefined) return unknownCommand("mfg-mock", name, [...words.keys()])
  const isKnown = word.startsWith("-") || below.includes(name) || below.includes(word)
  return isKnown ? undefined : unknownCommand(`mfg-mock ${name}`, word, below)
}

const config = CliConfig.make({ showBuiltIns: false, isCaseSensitive: true })

/** Asked in a way that cannot be understood, as the failures of the tree tell it. */
const misuses: ReadonlySet<string> = new Set(["UsageError", "SettingInvalid"])

/** Runs the tree on the arguments of a process, which begin with two of its own, and answers its exit code. */
export const run = (version: string, args: ReadonlyArray<string>) =>
  Effect.suspend(() => {
    const unknown = misnamed(args.slice(2))
    return unknown === undefined ? Command.run(command, { name: "mfg-mock", version })(args) : Effect.fail(unknown)
  }).pipe(
    Effect.provideService(CliConfig.CliConfig, config),
    Effect.as(0),
    Effect.catchAll((error) =>
      ValidationError.isValidationError(error)
        ? // The tree has explained it.
          Effect.succeed(misuse)
        : Console.error(`mfg-mock: ${error.message}`).pipe(Effect.as(misuses.has(error._tag) ? misuse : 1))
    )
  )
