/**
 * A command of `mfg` with what is below it, as something that can be run and asked for its words.
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
import * as HelpText from "./HelpText.ts"

/** How a command may fail: with facts that tell a tag and compute a message. */
export interface Failure {
  readonly _tag: string
  readonly message: string
}

/** A flag of a command. */
export interface Flag {
  /** With their dashes. */
  readonly names: ReadonlyArray<string>
  readonly takesValue: boolean
  /** The only values it takes, where these are few. */
  readonly values: ReadonlyArray<string>
}

/** What stands below a word: other words, or the flags of the command that it is. */
export type Words =
  | { readonly _tag: "Group"; readonly commands: ReadonlyMap<string, ReadonlyArray<Flag>> }
  | { readonly _tag: "Leaf"; readonly flags: ReadonlyArray<Flag> }

export interface Program {
  readonly run: (
    version: string,
    args: ReadonlyArray<string>
  ) => Effect.Effect<void, Failure | ValidationError.ValidationError, CliApp.CliApp.Environment>
  readonly words: () => Words
  /** What it says of itself, or of one command below it. */
  readonly help: (word: string | undefined) => string
}

const flagsOf = (usage: Usage.Usage): ReadonlyArray<Flag> => {
  switch (usage._tag) {
    case "Named": {
      const names = usage.names.filter((name) => name.startsWith("-"))
      if (names.length === 0) return []
      const [accepted = ""] = Option.toArray(usage.acceptedValues)
      const values = accepted.includes("|") ? accepted.split("|").map((value) => value.trim()) : []
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

/** A command of the tree, with all that is needed to use it. */
export const make = <Name extends string, E extends Failure, A>(
  command: Command.Command<Name, CliApp.CliApp.Environment, E, A>,
  /** What is most used stands first in the help; the rest by the alphabet. */
  first: ReadonlyArray<string> = []
): Program => {
  const root = Command.make("mfg").pipe(Command.withSubcommands([command]))
  const [name = ""] = Command.getNames(command)
  const rank = (word: string) => (first.includes(word) ? first.indexOf(word) : first.length)
  const below = Array.from(Command.getSubcommands(command)).toSorted(
    ([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1)
  )
  const only = below.length === 1 ? HashMap.get(Command.getSubcommands(command), name) : Option.none()
  return {
    run: (version, args) =>
      Command.run(root, { name: "mfg", version })(["node", "mfg", ...args]).pipe(
        Effect.provideService(CliConfig.CliConfig, config)
      ),
    words: () =>
      Option.match(only, {
        onSome: (leaf): Words => ({ _tag: "Leaf", flags: flagsOf(CommandDescriptor.getUsage(leaf)) }),
        onNone: () => ({
          _tag: "Group",
          commands: new Map(below.map(([word, leaf]) => [word, flagsOf(CommandDescriptor.getUsage(leaf))]))
        })
      }),
    help: (word) => {
      const helped = below.map(([word, leaf]) => [word, CommandDescriptor.getHelp(leaf, config)] as const)
      const one = word === undefined ? undefined : helped.find(([known]) => known === word)
      if (one !== undefined) return HelpText.ofCommand(`mfg ${name} ${one[0]}`, one[1])
      const own = Command.getHelp(command, config)
      return Option.isSome(only) ? HelpText.ofCommand(`mfg ${name}`, own) : HelpText.ofGroup(`mfg ${name}`, own, helped)
    }
  }
}
