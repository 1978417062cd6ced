/**
 * Completes a command line: commands, flags, known values, and the keys of rows.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Fields from "./Fields.ts"
import * as CommandGroups from "./CommandGroups.ts"
import { switches } from "./Switches.ts"
import * as Switches from "@mfgdata/shell/Switches"
import * as Profile from "./service/Profile.ts"
import * as Front from "@mfgdata/shell/Front"
import type { Flag, Signature, Syntax } from "@mfgdata/shell/Program"
import * as Option from "effect/Option"
import * as KeyCompletion from "./service/KeyCompletion.ts"
import { topics } from "./Topics.ts"

const beginningWith = (word: string, words: Iterable<string>): ReadonlyArray<string> =>
  Array.from(words).filter((candidate) => candidate.startsWith(word))

const fieldFlags: ReadonlySet<string> = new Set(["--select", "-s", "--fields", "--order", "--clear", "--where"])

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

/** A command line, without the words that name the command. */
interface Line {
  readonly resource: Resource.Any | undefined
  readonly before: ReadonlyArray<string>
  readonly word: string
  readonly signature: Signature
}

/** The words before the last one that are arguments. */
const argumentsBefore = ({ before, signature }: Line): ReadonlyArray<string> => {
  const takesValue = (word: string | undefined) =>
    word !== undefined && signature.flags.some((flag) => flag.takesValue && flag.names.includes(word))
  return before.filter((word, index) => !word.startsWith("-") && !takesValue(before[index - 1]))
}

/** The value of `--profile`. */
const profileOf = ({ before }: Line): Option.Option<string> => {
  const at = before.indexOf("--profile")
  return at < 0 ? Option.none() : Option.fromNullable(before[at + 1])
}

/** The keys of the resource that a column refers to. */
const referenced = (line: Line, column: string, prefix: string): Effect.Effect<ReadonlyArray<string>> => {
  const reference = Catalogue.references.find(({ child, column: name }) => child === line.resource && name === column)
  return reference === undefined || reference.field !== reference.parent.key
    ? Effect.succeed([])
    : KeyCompletion.keys(reference.parent, profileOf(line), prefix)
}

/** The completions of a condition: its field, and then the known values or keys after the sign. */
const inCondition = (line: Line, names: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>> => {
  const [, column = "", prefix = ""] = /^(\w+)=(.*)$/.exec(line.word) ?? []
  if (line.resource === undefined || column === "") return Effect.succeed(names)
  const known = Column.byName(line.resource).get(column)?.vocabulary?.known ?? []
  return Effect.map(referenced(line, column, prefix), (keys) =>
    [...known, ...keys].map((value) => `${column}=${value}`)
  )
}

const valueCompletions = (line: Line, flag: Flag): Effect.Effect<ReadonlyArray<string>> => {
  if (flag.names.includes("--profile")) return profiles
  if (line.resource === undefined && flag.names.includes("--table")) return Effect.succeed(resources)
  const values = valuesOf(line.resource, flag)
  if (flag.names.includes("--where")) return inCondition(line, values)
  if (values.length > 0 || line.resource === undefined) return Effect.succeed(values)
  const column = Column.fromResource(line.resource).find(({ name }) => flag.names.includes(`--${Fields.flag(name)}`))
  return column === undefined ? Effect.succeed([]) : referenced(line, column.name, line.word)
}

const resources: ReadonlyArray<string> = Catalogue.resources.map(({ resource }) => resource)
const methods: ReadonlyArray<string> = ["GET", "POST", "PATCH", "PUT", "DELETE", "HEAD", "OPTIONS"]
const shells: ReadonlyArray<string> = ["bash", "zsh", "fish"]

/** The known words of an argument; the keys of rows for one that has the name of a key. */
const argumentCompletions = (line: Line): Effect.Effect<ReadonlyArray<string>> => {
  const { resource, signature, word } = line
  const { length } = argumentsBefore(line)
  const last = signature.args.at(-1)
  const argument = signature.args[length] ?? (last?.isRepeated === true ? last : undefined)
  switch (argument?.name) {
    case undefined:
      return Effect.succeed([])
    case "resource":
      return Effect.succeed(resources)
    case "shell":
      return Effect.succeed(shells)
    case "method":
      return Effect.succeed(methods)
    case "key":
    case resource?.key:
      return resource === undefined ? Effect.succeed([]) : KeyCompletion.keys(resource, profileOf(line), word)
    // The tables of mfg webhooks, and the names of mfg profile.
    case "table":
      return Effect.succeed(resources)
    case "name":
      return profiles
    default:
      return Effect.succeed([])
  }
}

const complete = (line: Line): Effect.Effect<ReadonlyArray<string>> => {
  const { before, signature, word } = line
  const [last = ""] = before.slice(-1)
  const flag = signature.flags.find(({ names, takesValue }) => takesValue && names.includes(last))
  if (flag !== undefined) return Effect.map(valueCompletions(line, flag), (values) => beginningWith(word, values))
  if (!word.startsWith("-")) return Effect.map(argumentCompletions(line), (words) => beginningWith(word, words))
  const names = [
    ...signature.flags.flatMap(({ names }) => names.filter((name) => name.startsWith("--"))),
    ...switches.map(Switches.nameOf),
    "--help"
  ]
  return Effect.succeed(beginningWith(word, names))
}

const below = (
  name: string,
  syntax: Syntax,
  before: ReadonlyArray<string>,
  word: string
): Effect.Effect<ReadonlyArray<string>> => {
  if (syntax._tag === "Leaf") {
    // The first argument of mfg watch and others is a resource.
    const line = { resource: undefined, before, word, signature: syntax }
    const [first = ""] = syntax.args[0]?.name === "resource" ? argumentsBefore(line) : []
    return complete({ ...line, resource: Catalogue.find(first) })
  }
  const [command, ...rest] = before
  if (command === undefined)
    return Effect.succeed(beginningWith(word, [...syntax.commands.keys(), ...(word.startsWith("-") ? ["--help"] : [])]))
  const signature = syntax.commands.get(command)
  return signature === undefined
    ? Effect.succeed([])
    : complete({ resource: Catalogue.find(name), before: rest, word, signature })
}

/** The completions of the last word of a command line. */
export const words = (typed: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>> => {
  const before = typed.slice(0, -1)
  const [word = ""] = typed.slice(-1)
  const [name, ...rest] = before
  if (name === undefined)
    return Effect.succeed(beginningWith(word, [...Front.names(CommandGroups), "help", "--help", "--version"]))
  // The help of a command is named by the words of the command.
  if (name === "help") {
    if (rest.length > 0) return words([...rest, word])
    return Effect.succeed(beginningWith(word, [...Front.names(CommandGroups), ...topics.map(({ name }) => name)]))
  }
  const group = Front.find(CommandGroups, name)
  return group === undefined
    ? Effect.succeed([])
    : Effect.flatMap(
        Effect.promise(() => group.load(rest[0])),
        (program) => below(name, program.syntax(), rest, word)
      )
}
