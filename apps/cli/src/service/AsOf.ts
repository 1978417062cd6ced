/**
 * The flag `--at`: rows as they were at a time, from a service that keeps its history.
 */
import * as Options from "@effect/cli/Options"
import { Rows } from "@mfgdata/client/Rows"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../CliError.ts"

export const option: Options.Options<Option.Option<string>> = Options.text("at").pipe(
  Options.withPseudoName("time"),
  Options.withDescription("Time as of which the rows are read, such as 2027-01-31T10:00:00Z (default: now)."),
  Options.optional
)

/** The time of a flag. */
export const time = (
  flag: string,
  given: Option.Option<string>
): Effect.Effect<Timestamp.Timestamp | undefined, UsageError> =>
  Option.match(given, {
    onNone: () => Effect.succeed(undefined),
    onSome: (text) =>
      Timestamp.is(text)
        ? Effect.succeed(text)
        : Effect.fail(
            new UsageError({
              problem: `Invalid value ${JSON.stringify(text)} for --${flag}: expected a timestamp.`,
              example: `--${flag} 2027-01-31T00:00:00Z`
            })
          )
  })

/** Runs the reads of an effect as of the time of the flag. */
export const read = <A, E, R>(
  given: Option.Option<string>,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | UsageError, R> =>
  Effect.flatMap(time("at", given), (at) => (at === undefined ? effect : Rows.withOptions(effect, { at })))
