/**
 * `mfg account <operation>`: calls the operations of the account namespace.
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
import * as Confirmation from "@mfgdata/shell/Confirmation"
import * as Connection from "../service/Connection.ts"
import * as Fields from "../Fields.ts"
import * as Calls from "../service/Operations.ts"
import * as Output from "@mfgdata/shell/output/Output"
import * as Program from "@mfgdata/shell/Program"
import * as Terminal from "@mfgdata/shell/Terminal"

type Texts = { readonly [parameter: string]: Option.Option<string> }

const parse = (text: string): Json.Json | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The readings of a text: JSON, such as true or 5, if it is valid, then the text itself. */
const readings = (text: string): ReadonlyArray<Json.Json> => {
  const value = parse(text)
  return value === undefined ? [text] : [value, text]
}

const reason = (error: ParseResult.ParseError): string =>
  ParseResult.ArrayFormatter.formatErrorSync(error)
    .map(({ message }) => message.replaceAll(/\s+/g, " "))
    .join("; ")

/** The first reading of a text that a parameter accepts. */
const value = (
  { name, parameters }: Operation.Any,
  parameter: string,
  text: string
): Either.Either<Json.Json, UsageError> => {
  const field = parameters[parameter]
  // The schemas of an operation need no context.
  const accepts = Schema.decodeUnknownEither(
    Schema.Struct(field === undefined ? {} : { [parameter]: field }) as unknown as Schema.Schema<unknown, unknown>
  )
  const accepted = readings(text).find((value) => Either.isRight(accepts({ [parameter]: value })))
  if (accepted !== undefined) return Either.right(accepted)
  const problem = `Invalid value ${JSON.stringify(text)} for --${Fields.flag(parameter)} of mfg account ${name}.`
  const expected = Either.match(accepts({ [parameter]: text }), { onLeft: reason, onRight: () => undefined })
  return Either.left(new UsageError({ problem, expected }))
}

const read = (operation: Operation.Any, texts: Texts): Effect.Effect<Json.JsonObject, UsageError> =>
  Effect.gen(function* () {
    const values: Record<string, Json.Json> = {}
    for (const [parameter, text] of Object.entries(texts)) {
      if (Option.isSome(text)) values[parameter] = yield* value(operation, parameter, text.value)
    }
    const missing = Object.entries(operation.parameters)
      .filter(([name, field]) => Schema.isSchema(field) && !(name in values))
      .map(([name]) => `--${Fields.flag(name)}`)
    if (missing.length > 0) {
      return yield* new UsageError({ problem: `Missing ${missing.join(", ")} of mfg account ${operation.name}.` })
    }
    return values
  })

const isRow = Schema.is(Json.JsonObject)

/** Shows a response: its results as rows, an object as one row. */
const show = (response: Json.Json, output: Output.Flags): Effect.Effect<void, UsageError> => {
  if (response === null) return Terminal.note("Done.")
  if (!isRow(response)) return Terminal.write(`${JSON.stringify(response)}\n`)
  const results = response["results"]
  return Array.isArray(results)
    ? Output.show(results.filter(isRow), output, { none: "No results." })
    : Output.one(response, output)
}

const isDestructive = ({ name }: Operation.Any): boolean => name.startsWith("delete")

/** A flag for each parameter. */
const textsOf = ({ parameters }: Operation.Any): Options.Options<Texts> => {
  const names = Object.keys(parameters)
  return names.length === 0
    ? Options.map(Options.none, () => ({}))
    : Options.all(
        Object.fromEntries(
          names.map((name) => [
            name,
            Options.text(Fields.flag(name)).pipe(
              Options.withDescription(`Parameter ${name} of the operation.`),
              Options.optional
            )
          ])
        )
      )
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
          Effect.flatMap(Calls.call(connection, operation, parameters), (response) => show(response, output))
        )
      })
  ).pipe(Command.withDescription(`${operation.summary}${operation.extension ? " (an extension)" : ""}.`))

const [firstOperation, ...otherOperations] = Object.values<Operation.Any>(Operations.account).map(commandOf)

const command = Command.make("account").pipe(
  Command.withDescription("Operations on the calling user: profile, attributes, notification preferences."),
  // The namespace has operations.
  Command.withSubcommands([firstOperation!, ...otherOperations])
)

export const program: Program.Program = Program.make(command)
