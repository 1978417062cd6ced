/**
 * Declares the flags of every command that outputs rows.
 */
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Options from "@effect/cli/Options"
import * as ValidationError from "@effect/cli/ValidationError"
import { UsageError } from "@mfgdata/domain/UsageError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Format from "./Format.ts"
import * as Jq from "./Jq.ts"
import * as Template from "./Template.ts"

/** The values of the flags that transform the output. */
export interface Transform {
  readonly jq: Option.Option<string>
  readonly template: Option.Option<Template.Template>
}

/** The values of the flags. */
export interface Flags extends Transform {
  readonly format: Option.Option<Format.Format>
  readonly wide: boolean
  readonly fields: Option.Option<ReadonlyArray<string>>
}

/** The parser takes errors of its own kind. */
const invalid = ({ message }: UsageError) => ValidationError.invalidValue(HelpDoc.p(message))

const conflict = (problem: string) => Effect.fail(invalid(new UsageError({ problem })))

/** Refuses two of the flags that transform the output. */
const single = <A extends Transform>(flags: A): Effect.Effect<A, ValidationError.ValidationError> =>
  Option.isSome(flags.jq) && Option.isSome(flags.template)
    ? conflict("Use either --jq or --template.")
    : Effect.succeed(flags)

/** Refuses flags that ask for two forms of the output. */
const consistent = (flags: Flags): Effect.Effect<Flags, ValidationError.ValidationError> => {
  const { format, jq, template } = flags
  if (Option.isSome(template) && Option.isSome(format)) return conflict("Use either --template or --output.")
  return Option.isSome(jq) && Option.exists(format, (format) => format !== "json" && format !== "ndjson")
    ? conflict("--jq writes JSON: use it without --output.")
    : Effect.succeed(flags)
}

const fields = Options.text("fields").pipe(
  Options.withPseudoName("fields"),
  Options.withDescription("Fields of the output in their order, such as id,status,customFields.shift (default: all)."),
  Options.map((text) => text.split(",").map((name) => name.trim())),
  Options.optional
)

const jq = Options.text("jq").pipe(
  Options.withPseudoName("expression"),
  Options.withDescription("Expression of jq over the JSON of the output; texts are written without quotes."),
  Options.mapEffect((expression) => Effect.mapError(Jq.check(expression), invalid)),
  Options.optional
)

const template = Options.text("template").pipe(
  Options.withPseudoName("text"),
  Options.withDescription("Line for each row, such as '{{id}}: {{name}}'; \\n and \\t are a new line and a tab."),
  Options.mapEffect((text) => Either.mapLeft(Template.parse(text), invalid)),
  Options.optional
)

/** The flags of a command that outputs a response as it is, unless they transform it. */
export const transform: Options.Options<Transform> = Options.all({ jq, template }).pipe(Options.mapEffect(single))

/** The flags of every command that outputs rows. */
export const options: Options.Options<Flags> = Options.all({
  format: Options.choice("output", Format.names).pipe(
    Options.withAlias("o"),
    Options.withDescription("Format of the output (default: table on a terminal, ndjson elsewhere)."),
    Options.optional
  ),
  wide: Options.boolean("wide").pipe(
    Options.withAlias("w"),
    Options.withDescription("All columns of a table in full width.")
  ),
  fields,
  jq,
  template
}).pipe(Options.mapEffect((flags) => Effect.flatMap(single(flags), consistent)))
