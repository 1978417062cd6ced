/**
 * Settings as flags of a command, and what they come to.
 */
import * as Options from "@effect/cli/Options"
import { UsageError } from "@mfgdata/domain/UsageError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Settings from "../Settings.ts"

const described = (name: Settings.Name): string => {
  const { default: fallback, help } = Settings.settings[name]
  return `${help} ${fallback === undefined ? "" : `Default ${fallback}, `}variable ${Settings.variable(name)}.`
}

const option = (name: Settings.Name): Options.Options<Option.Option<string>> =>
  Settings.settings[name].switch === true
    ? Options.boolean(Settings.flag(name)).pipe(
        Options.withDescription(described(name)),
        Options.map((isSet) => (isSet ? Option.some("true") : Option.none()))
      )
    : Options.text(Settings.flag(name)).pipe(
        Options.withPseudoName(Settings.settings[name].placeholder),
        Options.withDescription(described(name)),
        Options.optional
      )

/** What a flag's text is in the command's hands, or the flag by its name and what it takes. */
export const read = <A, I extends string>(
  flag: string,
  { example, takes }: { readonly takes: string; readonly example: string },
  schema: Schema.Schema<A, I>
) => {
  const decode = Schema.decodeUnknownOption(schema)
  return (text: string): Effect.Effect<A, UsageError> =>
    Option.match(decode(text), {
      onSome: Effect.succeed,
      onNone: () =>
        Effect.fail(
          new UsageError({
            problem: `--${flag} takes ${takes}, and ${JSON.stringify(text)} is none.`,
            example: `--${flag} ${example}`
          })
        )
    })
}

const seconds = { takes: "a whole number of seconds from 0", example: "3600" }

/** For how long what is old is good beside what is new. */
export const overlap = read("overlap", seconds, Schema.NumberFromString.pipe(Schema.int(), Schema.nonNegative()))

type Parsed = { readonly [name: string]: Option.Option<string> }

/** The flags of some settings; what is secret has none. */
export const options = (names: ReadonlyArray<Settings.Name>): Options.Options<Parsed> =>
  Options.all(
    Object.fromEntries(
      names.filter((name) => Settings.settings[name].secret !== true).map((name) => [name, option(name)])
    )
  )

/** The settings that flags, this process's environment and the defaults come to. */
export const resolve = <const Names extends ReadonlyArray<Settings.Name>>(names: Names, parsed: Parsed) =>
  Effect.suspend(() => {
    const given = Object.fromEntries(
      Object.entries(parsed).map(([name, value]) => [name, Option.getOrUndefined(value)])
    )
    return Settings.resolve(names, given, process.env)
  })
