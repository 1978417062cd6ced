/**
 * The command tree of `mfg`.
 */
import * as Command from "@effect/cli/Command"
import * as Describe from "./commands/Describe.ts"

const command = Command.make("mfg").pipe(
  Command.withDescription("The manufacturing data service from a shell."),
  Command.withSubcommands([Describe.command])
)

/** Runs the tree on the arguments of a process, the first two of which are the runtime and the script. */
export const run = (version: string) => Command.run(command, { name: "mfg", version })
