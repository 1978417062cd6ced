/**
 * The words and flags of a command line, held against what there is before anything is read from them, so that a
 * wrong one is answered with the one that was probably meant.
 */
import { UsageError, unknownCommand } from "@mfgdata/domain/UsageError"
import * as Suggestion from "@mfgdata/domain/Suggestion"
import * as Either from "effect/Either"
import type { Flag, Words } from "./Program.ts"

const helping: ReadonlyArray<string> = ["--help", "-h"]

/** Whether help is asked for rather than the command. */
const asksHelp = (args: ReadonlyArray<string>): boolean => args.some((arg) => helping.includes(arg))

const unknownFlag = (path: string, name: string, flags: ReadonlyArray<Flag>): UsageError => {
  const names = flags.flatMap((flag) => flag.names).filter((flag) => flag.startsWith("--"))
  const bare = Suggestion.find(
    name.replace(/^-+/, ""),
    names.map((flag) => flag.slice(2))
  )
  return new UsageError({
    problem: `${path} has no flag ${name}.`,
    nearest: bare === undefined ? undefined : `--${bare}`,
    expected: bare === undefined ? `${path} --help lists its flags.` : undefined
  })
}

/**
 * The arguments with all flags before the rest and each apart from its value: the parser takes a lone dash, or what
 * stands behind it, for a flag of its own.
 */
const sorted = (
  path: string,
  args: ReadonlyArray<string>,
  flags: ReadonlyArray<Flag>
): Either.Either<ReadonlyArray<string>, UsageError> => {
  const given: Array<string> = []
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
    const flag = flags.find(({ names }) => names.includes(name))
    if (flag === undefined) return Either.left(unknownFlag(path, name, flags))
    given.push(name)
    if (!flag.takesValue) {
      if (at >= 0) return Either.left(new UsageError({ problem: `${name} takes no value.` }))
      continue
    }
    const value = at < 0 ? args[++index] : arg.slice(at + 1)
    const expected = flag.values.length === 0 ? undefined : `It takes ${flag.values.join(", ")}.`
    if (value === undefined) return Either.left(new UsageError({ problem: `${name} needs a value.`, expected }))
    if (flag.values.length > 0 && !flag.values.includes(value)) {
      const problem = `${name} does not take ${JSON.stringify(value)}.`
      return Either.left(new UsageError({ problem, nearest: Suggestion.find(value, flag.values), expected }))
    }
    given.push(value)
  }
  return Either.right(rest.length === 0 ? given : [...given, "--", ...rest])
}

/** What a command line wants: help, on a command below the first word if it is there, or something done. */
export type Wanted =
  | { readonly _tag: "Help"; readonly word: string | undefined }
  | { readonly _tag: "Run"; readonly args: ReadonlyArray<string> }

const help = (word?: string): Either.Either<Wanted> => Either.right({ _tag: "Help", word })

/** Checks what stands behind the first word. */
export const check = (name: string, args: ReadonlyArray<string>, words: Words): Either.Either<Wanted, UsageError> => {
  const path = `mfg ${name}`
  if (words._tag === "Leaf") {
    return asksHelp(args) ? help() : Either.map(sorted(path, args, words.flags), (args) => ({ _tag: "Run", args }))
  }
  const [word, ...rest] = args
  if (word === undefined || helping.includes(word)) return help()
  const flags = words.commands.get(word)
  if (flags === undefined) return Either.left(unknownCommand(path, word, [...words.commands.keys()]))
  return asksHelp(rest)
    ? help(word)
    : Either.map(sorted(`${path} ${word}`, rest, flags), (args) => ({ _tag: "Run", args: [word, ...args] }))
}
