/**
 * The command tree of `mfg-mock`, and how its failures end the process.
 */
import * as Command from "@effect/cli/Command"
import * as ValidationError from "@effect/cli/ValidationError"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Keys from "./Keys.ts"
import * as Migrate from "./Migrate.ts"
import * as Seed from "./Seed.ts"
import * as Serve from "./Serve.ts"
import * as Snapshot from "./Snapshot.ts"
import * as Webhooks from "./Webhooks.ts"

const command = Command.make("mfg-mock").pipe(
  Command.withDescription("The manufacturing data service itself."),
  Command.withSubcommands([
    Serve.command,
    Keys.command,
    Seed.command,
    Migrate.command,
    Snapshot.command,
    Webhooks.command
  ])
)

/** Asked in a way that cannot be understood; everything else that goes wrong is 1. */
const misuse = 2

/** Runs the tree on the arguments of a process and answers its exit code. */
export const run = (version: string, args: ReadonlyArray<string>) =>
  Command.run(command, { name: "mfg-mock", version })(args).pipe(
    Effect.as(0),
    Effect.catchAll((error) =>
      ValidationError.isValidationError(error)
        ? // The tree has explained it.
          Effect.succeed(misuse)
        : Console.error(`mfg-mock: ${error.message}`).pipe(Effect.as(error._tag === "SettingInvalid" ? misuse : 1))
    )
  )
