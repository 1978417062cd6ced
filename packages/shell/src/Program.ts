/**
 * Wraps a command and its subcommands: runs them, and derives their syntax and help from the declarations.
 */
import type * as CliApp from "@effect/cli/CliApp"
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as CommandDescriptor from "@effect/cli/CommandDescriptor"
import * as HelpDoc from "@effect/cli/HelpDoc"
import type * as Usage from "@effect/cli/Usage"
import * as ValidationError from "@effect/cli/ValidationError"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeTerminal from "@effect/platform-node/NodeTerminal"
import { UsageError } from "@mfgdata/domain/UsageError"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Executable } from "./Executable.ts"
import * as CommandHelp from "./help/CommandHelp.ts"
import * as Terminal from "./Terminal.ts"

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

/** An argument of a command. */
export interface Argument {
  readonly name: string
  readonly isRepeated: boolean
}

/** The flags and arguments of a command. */
export interface Signature {
  readonly flags: ReadonlyArray<Flag>
  readonly args: ReadonlyArray<Argument>
}

/** The syntax after the first word: subcommands, or that of a single command. */
export type Syntax =
  | { readonly _tag: "Group"; readonly commands: ReadonlyMap<string, Signature> }
  | ({ readonly _tag: "Leaf" } & Signature)

/** The declarations of a command and of its subcommands. */
export interface Declarations {
  readonly own: HelpDoc.HelpDoc
  readonly commands: ReadonlyArray<readonly [name: string, doc: HelpDoc.HelpDoc]>
}

export interface Program {
  readonly run: (executable: Executable, args: ReadonlyArray<string>) => Effect.Effect<void, Failure>
  readonly syntax: () => Syntax
  readonly declarations: () => Declarations
  /** The help of the command, or of one of its subcommands. */
  readonly help: (executable: string, subcommand: string | undefined) => string
}

const none: Signature = { flags: [], args: [] }

const signatureOf = (usage: Usage.Usage): Signature => {
  switch (usage._tag) {
    case "Named": {
      const names = usage.names.filter((name) => name.startsWith("-"))
      if (names.length === 0) {
        // The parser puts the name of an argument in angle brackets, in contrast to that of a command.
        const args = usage.names.filter((name) => name.startsWith("<"))
        return { flags: [], args: args.map((name) => ({ name: name.slice(1, -1), isRepeated: false })) }
      }
      const [accepted = ""] = Option.toArray(usage.acceptedValues)
      // The parser separates the values of a choice by " | "; a placeholder has no spaces.
      const values = accepted.includes(" | ") ? accepted.split(" | ") : []
      return { flags: [{ names, takesValue: Option.isSome(usage.acceptedValues), values }], args: [] }
    }
    case "Optional":
      return signatureOf(usage.usage)
    case "Repeated": {
      const { args, flags } = signatureOf(usage.usage)
      return { flags, args: args.map((arg) => ({ ...arg, isRepeated: true })) }
    }
    case "Alternation":
    case "Concat": {
      const [left, right] = [signatureOf(usage.left), signatureOf(usage.right)]
      return { flags: [...left.flags, ...right.flags], args: [...left.args, ...right.args] }
    }
    case "Empty":
    case "Mixed":
      return none
  }
}

const config = CliConfig.make({ showBuiltIns: false, isCaseSensitive: true })

const platform = Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, NodeTerminal.layer)

/** Silences the parser's own report of its errors, which the report of failures replaces. */
const quietly = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.console, (console) => Effect.withConsole(self, { ...console, error: () => Effect.void }))

const fromValidation = (error: ValidationError.ValidationError): UsageError =>
  new UsageError({
    problem: Terminal.plain(HelpDoc.toAnsiText(error.error))
      .replaceAll(/\s*\n\s*/g, " ")
      .trim()
      .replace(/^Expected to find option: '(.+)'$/, "Missing flag $1")
  })

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
  const declarations = (): Declarations => ({
    own: Command.getHelp(command, config),
    commands: Option.isSome(leaf)
      ? []
      : subcommands.map(([word, leaf]) => [word, CommandDescriptor.getHelp(leaf, config)] as const)
  })
  return {
    declarations,
    run: (executable, args) =>
      Command.run(
        Command.make(executable.name).pipe(Command.withSubcommands([command])),
        executable
      )(["node", executable.name, ...args]).pipe(
        Effect.provideService(CliConfig.CliConfig, config),
        Effect.provide(platform),
        quietly,
        Effect.mapError((error) => (ValidationError.isValidationError(error) ? fromValidation(error) : error))
      ),
    syntax: () =>
      Option.match(leaf, {
        onSome: (leaf): Syntax => ({ _tag: "Leaf", ...signatureOf(CommandDescriptor.getUsage(leaf)) }),
        onNone: () => ({
          _tag: "Group",
          commands: new Map(subcommands.map(([word, leaf]) => [word, signatureOf(CommandDescriptor.getUsage(leaf))]))
        })
      }),
    help: (executable, subcommand) => {
      const path = `${executable} ${name}`
      const { commands, own } = declarations()
      const found = commands.find(([word]) => word === subcommand)
      if (found !== undefined) return CommandHelp.ofCommand(`${path} ${found[0]}`, found[1])
      return commands.length === 0 ? CommandHelp.ofCommand(path, own) : CommandHelp.ofGroup(path, own, commands)
    }
  }
}
