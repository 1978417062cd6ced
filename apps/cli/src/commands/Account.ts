/**
 * `mfg account <operation>`: the operations of the account namespace, from their declarations.
 */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Json from "@mfgdata/domain/Json"
import type * as Operation from "@mfgdata/domain/Operation"
import * as Operations from "@mfgdata/domain/Operations"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { UsageError } from "../CliError.ts"
import * as Confirmation from "../Confirmation.ts"
import * as Connection from "../Connection.ts"
import * as Fields from "../Fields.ts"
import * as Calls from "../Operations.ts"
import * as Output from "../Output.ts"
import * as Program from "../Program.ts"
import * as Screen from "../Screen.ts"

type Texts = { readonly [parameter: string]: Option.Option<string> }

const parse = (text: string): Json.Json | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What a text can mean: JSON where it is some, such as true or 5, and itself. */
const meanings = (text: string): ReadonlyArray<Json.Json> => {
  const value = parse(text)
  return value === undefined ? [text] : [value, text]
}

const reason = (error: ParseResult.ParseError): string =>
  ParseResult.ArrayFormatter.formatErrorSync(error)
    .map(({ message }) => message.replaceAll(/\s+/g, " "))
    .join("; ")

/** The first meaning of a text that fits a parameter. */
const value = (
  { name, parameters }: Operation.Any,
  parameter: string,
  text: string
): Either.Either<Json.Json, UsageError> => {
  const field = parameters[parameter]
  // The fields of an operation need nothing from outside.
  const accepts = Schema.decodeUnknownEither(
    Schema.Struct(field === undefined ? {} : { [parameter]: field }) as unknown as Schema.Schema<unknown, unknown>
  )
  const found = meanings(text).find((meaning) => Either.isRight(accepts({ [parameter]: meaning })))
  if (found !== undefined) return Either.right(found)
  const problem = `mfg account ${name} does not take ${JSON.stringify(text)} for --${Fields.flag(parameter)}.`
  const expected = Either.match(accepts({ [parameter]: text }), { onLeft: reason, onRight: () => undefined })
  return Either.left(new UsageError({ problem, expected }))
}

const read = (operation: Operation.Any, texts: Texts): Effect.Effect<Json.JsonObject, UsageError> =>
  Effect.gen(function* () {
    const given: Record<string, Json.Json> = {}
    for (const [parameter, text] of Object.entries(texts)) {
      if (Option.isSome(text)) given[parameter] = yield* value(operation, parameter, text.value)
    }
    const missing = Object.entries(operation.parameters)
      .filter(([name, field]) => Schema.isSchema(field) && !(name in given))
      .map(([name]) => `--${Fields.flag(name)}`)
    if (missing.length > 0) {
      return yield* new UsageError({ problem: `mfg account ${operation.name} needs ${missing.join(", ")}.` })
    }
    return given
  })

const isRow = Schema.is(Json.JsonObject)

/** A list is shown as rows, an object as one, and nothing as nothing. */
const show = (answer: Json.Json, output: Output.Asked): Effect.Effect<void> => {
  if (answer === null) return Screen.note("Done.")
  if (!isRow(answer)) return Screen.write(`${JSON.stringify(answer)}\n`)
  const results = answer["results"]
  return Array.isArray(results)
    ? Output.show(results.filter(isRow), output, { none: "Nothing." })
    : Output.one(answer, output)
}

const isDestructive = ({ name }: Operation.Any): boolean => name.startsWith("delete")

/** A flag for each parameter; none where there are none. */
const textsOf = ({ parameters }: Operation.Any): Options.Options<Texts> => {
  const names = Object.keys(parameters)
  return names.length === 0
    ? Options.map(Options.none, () => ({}))
    : Options.all(Object.fromEntries(names.map((name) => [name, Options.optional(Options.text(Fields.flag(name)))])))
}

const commandOf = (operation: Operation.Any) =>
  Command.make(
    operation.name,
    {
      texts: textsOf(operation),
      yes: isDestructive(operation) ? Confirmation.option : Options.map(Options.none, () => true),
      output: Output.options,
      profile: Connection.profile
    },
    ({ output, profile, texts, yes }) =>
      Effect.gen(function* () {
        const parameters = yield* read(operation, texts)
        yield* Confirmation.need(`call ${operation.id}`, yes)
        yield* Connection.use(profile, (connection) =>
          Effect.flatMap(Calls.call(connection, operation, parameters), (answer) => show(answer, output))
        )
      })
  ).pipe(Command.withDescription(`${operation.summary}${operation.extension ? " (an extension)" : ""}.`))

const [first, ...rest] = Object.values<Operation.Any>(Operations.account).map(commandOf)

const command = Command.make("account").pipe(
  Command.withDescription("Operations on the calling user: profile, attributes, notification preferences."),
  // There are some.
  Command.withSubcommands([first!, ...rest])
)

export const program: Program.Program = Program.make(command)
