/**
 * The values of a row as flags, a JSON text or a file, brought together.
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

/** What is given for a row. */
export interface Given {
  readonly fields: { readonly [column: string]: ReadonlyArray<string> }
  readonly json: Option.Option<string>
  readonly file: Option.Option<string>
}

const help = (column: Column.Column): string => {
  const { reference, type, vocabulary, write } = column
  return [
    type === "array" ? "An item, may be repeated; or a JSON array of texts" : `Takes ${Fields.expected(column)}`,
    write === "required" ? "required" : undefined,
    reference === undefined ? undefined : `names ${reference.resource}.${reference.field}`,
    vocabulary === undefined ? undefined : `known: ${vocabulary.known.join(", ")}`
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

/** The flags of every field that may be written, and of whole rows. */
export const options = (resource: Resource.Any): Options.Options<Given> =>
  Options.all({
    fields: Options.all(Object.fromEntries(Fields.writable(resource).map((column) => [column.name, option(column)]))),
    json: Options.text("json").pipe(
      Options.withDescription("Fields as one JSON object; flags of single fields stand before it."),
      Options.optional
    ),
    file: Options.text("file").pipe(
      Options.withAlias("f"),
      Options.withDescription("A file with such an object, or - for standard input."),
      Options.optional
    )
  })

const object = (source: string, text: string): Effect.Effect<JsonObject, UsageError> => {
  const refused = (problem: string) =>
    Effect.fail(
      new UsageError({
        problem: `${source} ${problem}.`,
        expected: "It takes one JSON object.",
        example: `{"name":"Founding day"}`
      })
    )
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value)) return refused("holds a list: mfg <resource> import writes many rows")
    // What JSON.parse makes of an object is one of ours.
    return typeof value === "object" && value !== null
      ? Effect.succeed(value as JsonObject)
      : refused("holds no object")
  } catch {
    return refused("is not JSON")
  }
}

const fromFlag = (column: Column.Column, texts: ReadonlyArray<string>) =>
  column.type === "array" ? Fields.list(column, texts) : Fields.value(column, texts[0] ?? "")

/** The values that were given; a flag stands before the JSON text, and that before the file. */
export const read = (resource: Resource.Any, given: Given): Effect.Effect<JsonObject, UsageError | FileFailed> =>
  Effect.gen(function* () {
    const file = Option.isSome(given.file)
      ? yield* Effect.flatMap(Input.text(given.file.value), (text) => object("The file", text))
      : {}
    const json = Option.isSome(given.json) ? yield* object("--json", given.json.value) : {}
    const flags: Record<string, Json> = {}
    for (const column of Fields.writable(resource)) {
      const texts = given.fields[column.name] ?? []
      if (texts.length > 0) flags[column.name] = yield* fromFlag(column, texts)
    }
    const values: JsonObject = { ...file, ...json, ...flags }
    for (const name of Object.keys(values)) yield* Fields.column(resource, name)
    return values
  })
