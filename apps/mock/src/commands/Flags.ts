/**
 * Declares settings as flags of a command, and resolves them.
 */
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Settings from "../Settings.ts"

const descriptionOf = (name: Settings.Name): string => {
  const { default: fallback, help } = Settings.settings[name]
  const initial = fallback === undefined ? "" : `default ${fallback}, `
  return help.replace(/\.$/, ` (${initial}variable ${Settings.variable(name)}).`)
}

const option = (name: Settings.Name): Options.Options<Option.Option<string>> =>
  Options.text(Settings.flag(name)).pipe(
    Options.withPseudoName(Settings.settings[name].placeholder),
    Options.withDescription(descriptionOf(name)),
    Options.optional
  )

/** The values of flags as the command line has them. */
type OptionValues = { readonly [name: string]: Option.Option<string> }

/** The flags of settings; a secret setting has no flag. */
export const options = (names: ReadonlyArray<Settings.Name>): Options.Options<OptionValues> =>
  Options.all(
    Object.fromEntries(
      names.filter((name) => Settings.settings[name].secret !== true).map((name) => [name, option(name)])
    )
  )

/** Resolves settings from flags, the environment of this process, and the defaults. */
export const resolve = <const Names extends ReadonlyArray<Settings.Name>>(names: Names, values: OptionValues) =>
  Effect.suspend(() => {
    const flags = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, Option.getOrUndefined(value)])
    )
    return Settings.resolve(names, flags, process.env)
  })
