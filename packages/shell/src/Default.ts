/**
 * Gives flags a default that the help shows.
 */
import * as Options from "@effect/cli/Options"

/** The paragraph of a description that names the default; {@link CommandHelp} moves it into the sentence before. */
export const paragraph = /^Defaults to: (.+)$/

/** Sets the default of a flag. */
export const of =
  <const B extends string | number>(value: B) =>
  <A>(self: Options.Options<A>): Options.Options<A | B> =>
    self.pipe(Options.withDescription(`Defaults to: ${value}`), Options.withDefault(value))
