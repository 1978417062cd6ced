/**
 * Declares the flags for the values of a row, and merges flags, JSON and a file.
 */
import * as Options from "@effect/cli/Options"
import type * as Column from "@mfgdata/domain/Column"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type FileFailed, UsageError } from "../../CliError.ts"
import * as Fields from "../../Fields.ts"
import * as Input from "../../Input.ts"

/** The values of the flags. */
export interface Flags {
  readonly fields: { readonly [column: string]: ReadonlyArray<string> }
  readonly json: Option.Option<string>
  readonly file: Option.Option<string>
}

/** The form of a value as a noun phrase: `Date`, `JSON object`. */
const nounOf = (column: Column.Column): string => {
  const expected = Fields.expected(column).replace(/^an? /, "")
  return expected.charAt(0).toUpperCase() + expected.slice(1)
}

const help = (column: Column.Column): string => {
  const { reference, type, vocabulary, write } = column
  return [
    type === "array" ? "Item of the list, may be repeated; or a JSON array of strings" : nounOf(column),
    write === "required" ? "required" : undefined,
    reference === undefined ? undefined : `references ${reference.resource}.${reference.field}`,
    vocabulary === undefined ? undefined : `known values: ${vocabulary.known.join(", ")}`
  ]
    .filter((part) => part !== undefined)
    .join("; ")
    .concat(".")
}

const option = (column: Column.Column): Options.Options<ReadonlyArray<string>> => {
  const flag = Options.text(Fields.flag(column.name)).pipe(
    Options.withPseudoName(column.type),
    Options.withDescription(help(column))
  )
  return column.type === "array" ? Options.repeated(flag) : Options.map(Options.optional(flag), Option.toArray)
}

/** A flag for each writable field, and the flags for a whole row. */
export const options = (resource: Resource.Any): Options.Options<Flags> =>
  Options.all({
    fields: Options.all(Object.fromEntries(Fields.writable(resource).map((column) => [column.name, option(column)]))),
    json: Options.text("json").pipe(
      Options.withDescription("Fields as one JSON object; the flags of fields take precedence."),
      Options.optional
    ),
    file: Options.text("file").pipe(
      Options.withAlias("f"),
      Options.withDescription("File with such an object, or - for standard input."),
      Options.optional
    )
  })

const object = (source: string, text: string): Effect.Effect<JsonObject, UsageError> => {
  const refused = (problem: string) =>
    Effect.fail(
      new UsageError({
        problem: `Invalid ${source}: ${problem}, expected one JSON object.`,
        example: `{"name":"Founding day"}`
      })
    )
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value)) return refused("a list, which mfg <resource> import accepts")
    // JSON.parse returns JSON.
    return typeof value === "object" && value !== null ? Effect.succeed(value as JsonObject) : refused("not an object")
  } catch {
    return refused("not JSON")
  }
}

const fromFlag = (column: Column.Column, texts: ReadonlyArray<string>) =>
  column.type === "array" ? Fields.list(column, texts) : Fields.value(column, texts[0] ?? "")

/** Merges the values; a flag takes precedence over `--json`, and `--json` over `--file`. */
export const read = (resource: Resource.Any, flags: Flags): Effect.Effect<JsonObject, UsageError | FileFailed> =>
  Effect.gen(function* () {
    const file = Option.isSome(flags.file)
      ? yield* Effect.flatMap(Input.text(flags.file.value), (text) => object("--file", text))
      : {}
    const json = Option.isSome(flags.json) ? yield* object("--json", flags.json.value) : {}
    const fields: Record<string, Json> = {}
    for (const column of Fields.writable(resource)) {
      const texts = flags.fields[column.name] ?? []
      if (texts.length > 0) fields[column.name] = yield* fromFlag(column, texts)
    }
    const values: JsonObject = { ...file, ...json, ...fields }
    for (const name of Object.keys(values)) yield* Fields.column(resource, name)
    return values
  })
