/**
 * The flag `--learn` of `mfg-mock compare`: writes the facts that make this service behave as the live one.
 */
import * as Options from "@effect/cli/Options"
import * as Facts from "@mfgdata/domain/Facts"
import { UsageError } from "@mfgdata/domain/UsageError"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { existsSync, renameSync, writeFileSync } from "node:fs"
import * as FactsSource from "../facts/FactsSource.ts"
import * as Learning from "../fidelity/learn/Learning.ts"
import * as Reason from "../Reason.ts"

/** A facts file that cannot be written. */
class FactsUnwritable extends Data.TaggedError("FactsUnwritable")<{ readonly path: string; readonly cause: unknown }> {
  override get message() {
    const { cause, path } = this
    return `The facts file ${path} cannot be written: ${Reason.ofCause(cause)}`
  }
}

export const option = Options.text("learn").pipe(
  Options.withPseudoName("file"),
  Options.withDescription(
    "Facts file to write, for serve --facts; facts that it has already are kept, and replaced where they changed."
  ),
  Options.optional
)

/** Refuses flags that do not go with `--learn`: it changes the rows of its own worlds to try what it learned. */
export const check = (given: {
  readonly against: Option.Option<string>
  readonly store: Option.Option<string>
}): Effect.Effect<void, UsageError> => {
  const flag = Option.isSome(given.against) ? "against" : Option.isSome(given.store) ? "store" : undefined
  return flag === undefined
    ? Effect.void
    : new UsageError({
        problem: `Unexpected flag --${flag} with --learn: facts are tried in a new world in memory.`,
        expected: `Leave out --${flag}, or compare without --learn.`,
        example: "mfg-mock compare --with live --learn facts.json"
      })
}

/** The facts of the file, if it exists, and those of `--facts`. */
const known = (path: string, given: Facts.Facts | undefined) =>
  Effect.map(
    existsSync(path) ? Effect.map(FactsSource.read({ _tag: "File", path }), ({ facts }) => facts) : Effect.succeed([]),
    (facts) => Facts.merge(given?.facts ?? [], facts)
  )

/** Replaces the file as a whole, so that a run that is stopped leaves the old one. */
const write = (path: string, text: string) =>
  Effect.try({
    try: () => {
      writeFileSync(`${path}.new`, text)
      renameSync(`${path}.new`, path)
    },
    catch: (cause) => new FactsUnwritable({ path, cause })
  })

/** Learns, writes the facts, and returns the comparisons before and after. */
export const run = <E>(
  path: string,
  given: Facts.Facts | undefined,
  options: Omit<Learning.Options<E>, "known">
): Effect.Effect<
  Learning.Learned,
  Effect.Effect.Error<ReturnType<typeof Learning.run<E>>> | FactsSource.FactsError | FactsUnwritable
> =>
  Effect.gen(function* () {
    const before = yield* known(path, given)
    const learned = yield* Learning.run({ ...options, known: before })
    const file = yield* Facts.check({ service: options.theirs.restUrl, facts: learned.facts })
    yield* write(path, Facts.print(file))
    const places = learned.after.differences.length
    yield* Terminal.note(
      `Wrote ${file.facts.length} facts to ${path}. A service with them differs in ${places} ${places === 1 ? "place" : "places"}: mfg-mock serve --facts ${path}`
    )
    return learned
  })
