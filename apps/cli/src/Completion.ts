/**
 * Completes a command line: commands, flags, and the known values of a flag.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Fields from "./Fields.ts"
import * as CommandGroups from "./CommandGroups.ts"
import { switches } from "./Switches.ts"
import * as Profile from "./service/Profile.ts"
import * as Front from "@mfgdata/shell/Front"
import type { Flag, Syntax } from "@mfgdata/shell/Program"

const beginningWith = (word: string, words: Iterable<string>): ReadonlyArray<string> =>
  Array.from(words).filter((candidate) => candidate.startsWith(word))

const fieldFlags: ReadonlySet<string> = new Set(["--select", "-s", "--order", "--clear", "--where"])

/** The known values of a flag; `resource` is the resource of its command. */
const valuesOf = (resource: Resource.Any | undefined, { names, values }: Flag): ReadonlyArray<string> => {
  if (values.length > 0 || resource === undefined) return values
  const columns = Column.fromResource(resource)
  if (names.some((name) => fieldFlags.has(name))) {
    return columns.map(({ name }) => (names.includes("--where") ? `${name}=` : name))
  }
  const column = columns.find(({ name }) => names.includes(`--${Fields.flag(name)}`))
  if (column?.type === "boolean") return ["true", "false"]
  return column?.vocabulary?.known ?? []
}

const profiles = Effect.map(
  Effect.orElseSucceed(Profile.load, () => ({ profiles: {} })),
  ({ profiles }) => Object.keys(profiles)
)

const inFlags = (
  resource: Resource.Any | undefined,
  before: ReadonlyArray<string>,
  word: string,
  flags: ReadonlyArray<Flag>
): Effect.Effect<ReadonlyArray<string>> => {
  const [last = ""] = before.slice(-1)
  const flag = flags.find(({ names, takesValue }) => takesValue && names.includes(last))
  if (flag !== undefined) {
    return Effect.map(
      flag.names.includes("--profile") ? profiles : Effect.succeed(valuesOf(resource, flag)),
      (values) => beginningWith(word, values)
    )
  }
  const names = [
    ...flags.flatMap(({ names }) => names.filter((name) => name.startsWith("--"))),
    ...switches.map(([name]) => name),
    "--help"
  ]
  return Effect.succeed(word.startsWith("-") ? beginningWith(word, names) : [])
}

/** The known words of a command's first argument. */
const argumentsOf = (name: string): ReadonlyArray<string> =>
  name === "describe"
    ? Catalogue.resources.map(({ resource }) => resource)
    : name === "completions"
      ? ["bash", "zsh", "fish"]
      : name === "api"
        ? ["GET", "POST", "PATCH", "PUT", "DELETE", "HEAD", "OPTIONS"]
        : []

const below = (
  name: string,
  syntax: Syntax,
  before: ReadonlyArray<string>,
  word: string
): Effect.Effect<ReadonlyArray<string>> => {
  const resource = Catalogue.find(name)
  if (syntax._tag === "Leaf") {
    return Effect.map(inFlags(resource, before, word, syntax.flags), (found) => [
      ...found,
      ...(before.length === 0 && !word.startsWith("-") ? beginningWith(word, argumentsOf(name)) : [])
    ])
  }
  const [command, ...rest] = before
  if (command === undefined)
    return Effect.succeed(beginningWith(word, [...syntax.commands.keys(), ...(word.startsWith("-") ? ["--help"] : [])]))
  return inFlags(resource, rest, word, syntax.commands.get(command) ?? [])
}

/** The completions of the last word of a command line. */
export const words = (typed: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>> => {
  const before = typed.slice(0, -1)
  const [word = ""] = typed.slice(-1)
  const [name, ...rest] = before
  if (name === undefined)
    return Effect.succeed(beginningWith(word, [...Front.names(CommandGroups), "--help", "--version"]))
  const group = Front.find(CommandGroups, name)
  return group === undefined
    ? Effect.succeed([])
    : Effect.flatMap(Effect.promise(group.load), (program) => below(name, program.syntax(), rest, word))
}
