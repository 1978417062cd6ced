/**
 * What a program says of a command line that it does not understand: what is wrong, what was probably meant, and what
 * could have been written. Every program of the service says it alike.
 */
import * as Data from "effect/Data"
import * as Suggestion from "./Suggestion.ts"

const sentences = (...parts: ReadonlyArray<string | undefined>): string =>
  parts.filter((part) => part !== undefined).join(" ")

/** A command line that is not understood: an unknown word, or a value that does not fit. */
export class UsageError extends Data.TaggedError("UsageError")<{
  /** What is wrong, as a sentence. */
  readonly problem: string
  /** The name that was probably meant. */
  readonly nearest?: string | undefined
  /** What was expected in its place, as a sentence. */
  readonly expected?: string | undefined
  /** What one could have written. */
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

/** The name that was meant among some; words such as `ls` and `rm` are known for what they mean elsewhere. */
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

const meant = (word: string, names: ReadonlyArray<string>): string | undefined => {
  const synonym = synonyms[word]
  return synonym !== undefined && names.includes(synonym) ? synonym : Suggestion.find(word, names)
}

/** What is to be said of a word that is no command below a path, where some names are. */
export const unknownCommand = (path: string, word: string, names: ReadonlyArray<string>): UsageError => {
  const nearest = meant(word, names)
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
