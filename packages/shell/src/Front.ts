/**
 * The front of an executable: its name, its groups of commands, and the policy for failures.
 */
import type * as Effect from "effect/Effect"
import type { Executable } from "./Executable.ts"
import type { Term, Topic } from "./help/Topic.ts"
import type { Failure, Flag, Program } from "./Program.ts"

/** A first word of the command line. Its commands are loaded on demand, so that a command pays for itself alone. */
export interface Group {
  readonly name: string
  readonly summary: string
  /** Loads the commands; those of a group with many load the one that `word` names alone. */
  readonly load: (word?: string) => Promise<Program>
}

/** A section of the help. `compact` lists the names in columns, without their summaries. */
export interface Section {
  readonly title: string
  readonly groups: ReadonlyArray<Group>
  readonly compact?: true
}

export interface Front {
  readonly name: Executable["name"]
  readonly summary: string
  /** The lines of the help under USAGE. */
  readonly usages: ReadonlyArray<string>
  readonly sections: ReadonlyArray<Section>
  readonly topics?: ReadonlyArray<Topic>
  /** Flags that every command takes, and their description. */
  readonly everywhere: ReadonlyArray<Term>
  /** Flags without a value that every command takes, and their description. */
  readonly switches?: ReadonlyArray<Term>
  /** Flags with a value that every command accepts, also before the first word, and ignores where it has no use of them. */
  readonly commonFlags: ReadonlyArray<Flag>
  readonly exitCodeOf: (failure: Failure) => number
  /** True when the same command may succeed later, without a change of its own. */
  readonly isRetryable: (failure: Failure) => boolean
  /** The status of the response that a failure is about. */
  readonly statusOf: (failure: Failure) => number | undefined
  /** Advice that follows the message of some failures. */
  readonly remedyOf: (failure: Failure) => string | undefined
  /** The words that complete a command line, for the scripts of shells. */
  readonly complete?: (words: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>>
}

const groupsOf = ({ sections }: Pick<Front, "sections">): ReadonlyArray<Group> =>
  sections.flatMap(({ groups }) => groups)

/** The first words. */
export const names = (front: Pick<Front, "sections">): ReadonlyArray<string> => groupsOf(front).map(({ name }) => name)

/** The group with a name, if there is one. */
export const find = (front: Pick<Front, "sections">, name: string): Group | undefined =>
  groupsOf(front).find((group) => group.name === name)
