/**
 * The error of an invalid command line: problem, suggestion, expected input and example. All programs of the service use
 * it.
 */
import * as Data from "effect/Data"
import * as Suggestion from "./Suggestion.ts"

const sentences = (...parts: ReadonlyArray<string | undefined>): string =>
  parts.filter((part) => part !== undefined).join(" ")

/** An unknown word, or an invalid value. */
export class UsageError extends Data.TaggedError("UsageError")<{
  /** The problem, as a sentence. */
  readonly problem: string
  /** A suggested name. */
  readonly nearest?: string | undefined
  /** The expected input, as a sentence. */
  readonly expected?: string | undefined
  /** A valid command line. */
  readonly example?: string | undefined
}> {
  override get message(): string {
    const { example, expected, nearest, problem } = this
    return sentences(
      problem,
      nearest === undefined ? undefined : `Did you mean ${nearest}?`,
      expected,
      example === undefined ? undefined : `For example: ${example}`
    )
  }
}

/** The commands that other programs call by these words. */
const synonyms: { readonly [word: string]: string } = {
  ls: "list",
  show: "get",
  retrieve: "get",
  read: "get",
  add: "create",
  new: "create",
  insert: "create",
  edit: "update",
  set: "update",
  patch: "update",
  rm: "delete",
  remove: "delete",
  del: "delete"
}

const suggest = (word: string, names: ReadonlyArray<string>): string | undefined => {
  const synonym = synonyms[word]
  return synonym !== undefined && names.includes(synonym) ? synonym : Suggestion.find(word, names)
}

/** The error of an unknown command under a path, which has the commands `names`. */
export const unknownCommand = (path: string, word: string, names: ReadonlyArray<string>): UsageError => {
  const nearest = suggest(word, names)
  return new UsageError({
    problem: `There is no command ${[path, word].join(" ")}.`,
    nearest,
    expected:
      nearest !== undefined
        ? undefined
        : names.length > 20
          ? `${path} --help lists all commands.`
          : `There is ${names.join(", ")}.`
  })
}
