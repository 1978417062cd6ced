/**
 * Wraps a command and its subcommands: runs them, and derives their syntax and help from the declarations.
 */
import type * as CliApp from "@effect/cli/CliApp"
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as CommandDescriptor from "@effect/cli/CommandDescriptor"
import type * as Usage from "@effect/cli/Usage"
import type * as ValidationError from "@effect/cli/ValidationError"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import * as CommandHelp from "./help/CommandHelp.ts"

/** The failure of a command: facts, with a tag and a computed message. */
export interface Failure {
  readonly _tag: string
  readonly message: string
}

/** A flag of a command. */
export interface Flag {
  /** The names with their dashes. */
  readonly names: ReadonlyArray<string>
  readonly takesValue: boolean
  /** The accepted values of a choice; empty for other flags. */
  readonly values: ReadonlyArray<string>
}

/** The syntax after the first word: subcommands, or the flags of a single command. */
export type Syntax =
  | { readonly _tag: "Group"; readonly commands: ReadonlyMap<string, ReadonlyArray<Flag>> }
  | { readonly _tag: "Leaf"; readonly flags: ReadonlyArray<Flag> }

/** The name and version of the executable. */
export interface Executable {
  readonly name: string
  readonly version: string
}

export interface Program {
  readonly run: (
    executable: Executable,
    args: ReadonlyArray<string>
  ) => Effect.Effect<void, Failure | ValidationError.ValidationError, CliApp.CliApp.Environment>
  readonly syntax: () => Syntax
  /** The help of the command, or of one of its subcommands. */
  readonly help: (executable: string, subcommand: string | undefined) => string
}

const flagsOf = (usage: Usage.Usage): ReadonlyArray<Flag> => {
  switch (usage._tag) {
    case "Named": {
      const names = usage.names.filter((name) => name.startsWith("-"))
      if (names.length === 0) return []
      const [accepted = ""] = Option.toArray(usage.acceptedValues)
      // The parser separates the values of a choice by " | "; a placeholder has no spaces.
      const values = accepted.includes(" | ") ? accepted.split(" | ") : []
      return [{ names, takesValue: Option.isSome(usage.acceptedValues), values }]
    }
    case "Optional":
    case "Repeated":
      return flagsOf(usage.usage)
    case "Alternation":
    case "Concat":
      return [...flagsOf(usage.left), ...flagsOf(usage.right)]
    case "Empty":
    case "Mixed":
      return []
  }
}

const config = CliConfig.make({ showBuiltIns: false, isCaseSensitive: true })

/** A program from a command. The help lists the subcommands in `first` before the others, which follow by name. */
export const make = <Name extends string, E extends Failure, A>(
  command: Command.Command<Name, CliApp.CliApp.Environment, E, A>,
  first: ReadonlyArray<string> = []
): Program => {
  const [name = ""] = Command.getNames(command)
  const rank = (word: string) => (first.includes(word) ? first.indexOf(word) : first.length)
  const subcommands = Array.from(Command.getSubcommands(command)).toSorted(
    ([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1)
  )
  const leaf = subcommands.length === 1 ? HashMap.get(Command.getSubcommands(command), name) : Option.none()
  return {
    run: (executable, args) =>
      Command.run(
        Command.make(executable.name).pipe(Command.withSubcommands([command])),
        executable
      )(["node", executable.name, ...args]).pipe(Effect.provideService(CliConfig.CliConfig, config)),
    syntax: () =>
      Option.match(leaf, {
        onSome: (leaf): Syntax => ({ _tag: "Leaf", flags: flagsOf(CommandDescriptor.getUsage(leaf)) }),
        onNone: () => ({
          _tag: "Group",
          commands: new Map(subcommands.map(([word, leaf]) => [word, flagsOf(CommandDescriptor.getUsage(leaf))]))
        })
      }),
    help: (executable, subcommand) => {
      const path = `${executable} ${name}`
      const helps = subcommands.map(([word, leaf]) => [word, CommandDescriptor.getHelp(leaf, config)] as const)
      const found = subcommand === undefined ? undefined : helps.find(([word]) => word === subcommand)
      if (found !== undefined) return CommandHelp.ofCommand(`${path} ${found[0]}`, found[1])
      const own = Command.getHelp(command, config)
      return Option.isSome(leaf) ? CommandHelp.ofCommand(path, own) : CommandHelp.ofGroup(path, own, helps)
    }
  }
}
