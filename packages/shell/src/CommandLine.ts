/**
 * Checks the words and flags of a command line against the declared ones before the parser runs, so that an unknown
 * one is refused with a suggestion.
 */
import * as Suggestion from "@mfgdata/domain/Suggestion"
import { UsageError } from "@mfgdata/domain/UsageError"
import * as Either from "effect/Either"
import type { Flag, Syntax } from "./Program.ts"

/** Words for a command that other programs use. */
const synonyms: { readonly [word: string]: string } = {
  ls: "list",
  show: "get",
  retrieve: "get",
  read: "get",
  add: "create",
  new: "create",
  insert: "create",
  set: "update",
  patch: "update",
  rm: "delete",
  remove: "delete",
  del: "delete"
}

const suggestion = (word: string, names: ReadonlyArray<string>): string | undefined => {
  const synonym = synonyms[word]
  return synonym !== undefined && names.includes(synonym) ? synonym : Suggestion.find(word, names)
}

/** Refuses a word that is not a command of `path`, whose commands are `names`. */
export const unknownWord = (path: string, word: string, names: ReadonlyArray<string>): UsageError => {
  const nearest = suggestion(word, names)
  const listed =
    names.length > 20 ? `${path} --help lists all commands.` : `The commands of ${path} are ${names.join(", ")}.`
  return new UsageError({
    problem: `Unknown command ${[path, word].join(" ")}.`,
    nearest,
    expected: nearest === undefined ? listed : undefined
  })
}

const unknownFlag = (path: string, name: string, flags: ReadonlyArray<Flag>): UsageError => {
  const names = flags.flatMap((flag) => flag.names).filter((flag) => flag.startsWith("--"))
  const nearest = Suggestion.find(
    name.replace(/^-+/, ""),
    names.map((flag) => flag.slice(2))
  )
  return new UsageError({
    problem: `Unknown flag ${name} of ${path}.`,
    nearest: nearest === undefined ? undefined : `--${nearest}`,
    expected: nearest === undefined ? `${path} --help lists its flags.` : undefined
  })
}

/**
 * Moves the flags before the other arguments, and separates each from its value: the parser takes a lone dash, and
 * the argument after it, for a flag.
 */
const sorted = (
  path: string,
  args: ReadonlyArray<string>,
  flags: ReadonlyArray<Flag>,
  common: ReadonlyArray<Flag>
): Either.Either<ReadonlyArray<string>, UsageError> => {
  const first: Array<string> = []
  const rest: Array<string> = []
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ""
    if (arg === "--") {
      rest.push(...args.slice(index + 1))
      break
    }
    // A single dash is standard input, and a number may be negative.
    if (!/^-(?:-|[A-Za-z])/.test(arg)) {
      rest.push(arg)
      continue
    }
    const at = arg.indexOf("=")
    const name = at < 0 ? arg : arg.slice(0, at)
    const isNamed = ({ names }: Flag) => names.includes(name)
    const own = flags.find(isNamed)
    const flag = own ?? common.find(isNamed)
    if (flag === undefined) return Either.left(unknownFlag(path, name, flags))
    if (!flag.takesValue) {
      if (at >= 0) return Either.left(new UsageError({ problem: `The flag ${name} takes no value.` }))
      first.push(name)
      continue
    }
    const value = at < 0 ? args[++index] : arg.slice(at + 1)
    const listed = flag.values.join(", ")
    if (value === undefined) {
      const expected = listed === "" ? undefined : `Expected one of ${listed}.`
      return Either.left(new UsageError({ problem: `Missing value of ${name}.`, expected }))
    }
    if (flag.values.length > 0 && !flag.values.includes(value)) {
      const problem = `Invalid value ${JSON.stringify(value)} for ${name}: expected one of ${listed}.`
      return Either.left(new UsageError({ problem, nearest: Suggestion.find(value, flag.values) }))
    }
    if (own !== undefined) first.push(name, value)
  }
  return Either.right(rest.length === 0 ? first : [...first, "--", ...rest])
}

/** The action of a command line: help, of a subcommand where one is named, or a run. */
export type Action =
  | { readonly _tag: "Help"; readonly subcommand: string | undefined }
  | { readonly _tag: "Run"; readonly args: ReadonlyArray<string> }

const helpFlags: ReadonlyArray<string> = ["--help", "-h"]

const wantsHelp = (args: ReadonlyArray<string>): boolean => args.some((arg) => helpFlags.includes(arg))

const help = (subcommand?: string): Either.Either<Action> => Either.right({ _tag: "Help", subcommand })

/** Parses the arguments after the words of `path`. A common flag that the command does not have is ignored. */
export const parse = (
  path: string,
  args: ReadonlyArray<string>,
  syntax: Syntax,
  common: ReadonlyArray<Flag>
): Either.Either<Action, UsageError> => {
  if (syntax._tag === "Leaf") {
    if (wantsHelp(args)) return help()
    return Either.map(sorted(path, args, syntax.flags, common), (args) => ({ _tag: "Run", args }))
  }
  const [word, ...rest] = args
  if (word === undefined || helpFlags.includes(word)) return help()
  const command = syntax.commands.get(word)
  if (command === undefined) return Either.left(unknownWord(path, word, [...syntax.commands.keys()]))
  return wantsHelp(rest)
    ? help(word)
    : Either.map(sorted(`${path} ${word}`, rest, command.flags, common), (args) => ({
        _tag: "Run",
        args: [word, ...args]
      }))
}
