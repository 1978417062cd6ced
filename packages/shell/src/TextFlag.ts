/**
 * The flag with a text that may be left out.
 */
import * as Options from "@effect/cli/Options"
import type * as Option from "effect/Option"

export const optional = (name: string, description: string): Options.Options<Option.Option<string>> =>
  Options.text(name).pipe(Options.withDescription(description), Options.optional)
