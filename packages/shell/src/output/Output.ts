/**
 * Writes rows to standard output: a table on a terminal, NDJSON elsewhere, or what the flags of the output ask for.
 */
import type { UsageError } from "@mfgdata/domain/UsageError"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Csv from "./Csv.ts"
import * as Field from "./Field.ts"
import * as Jq from "./Jq.ts"
import type { Format } from "./Format.ts"
import type * as OutputFlags from "./OutputFlags.ts"
import * as Table from "./Table.ts"
import * as Template from "./Template.ts"
import * as Terminal from "../Terminal.ts"

export type Row = Table.Row

export { options, transform } from "./OutputFlags.ts"
export type { Flags, Transform } from "./OutputFlags.ts"
type Flags = OutputFlags.Flags

/** The way that rows are written. */
export type Form =
  | { readonly _tag: Format }
  | { readonly _tag: "jq"; readonly expression: string }
  | { readonly _tag: "template"; readonly template: Template.Template }

/** The way that the flags ask for. */
export const formOf = ({ format, jq, template }: Flags): Form => {
  if (Option.isSome(jq)) return { _tag: "jq", expression: jq.value }
  if (Option.isSome(template)) return { _tag: "template", template: template.value }
  return { _tag: Option.getOrElse(format, () => (Terminal.isTerminal() ? "table" : "ndjson")) }
}

/** True when the output is a table, which people read. */
export const isTable = (flags: Flags): boolean => formOf(flags)._tag === "table"

/** The number of characters in a line of a table; only a terminal limits it. */
const room = ({ wide }: Flags): number => (wide || !Terminal.isTerminal() ? Infinity : Terminal.columns())

const namesOf = (rows: ReadonlyArray<Row>): ReadonlyArray<string> => [
  ...new Set(rows.flatMap((row) => Object.keys(row)))
]

/** The hint at columns that a table cuts or hides. */
const hintOf = (layout: Table.Layout): string | undefined => {
  const { cut, hidden } = layout
  if (hidden.length === 0 && !cut) return undefined
  const left = hidden.length === 0 ? "cut to fit" : `not shown: ${hidden.join(", ")}`
  return `(${left}; --wide shows everything)`
}

const hint = (layout: Table.Layout): Effect.Effect<void> => {
  const text = hintOf(layout)
  return text === undefined ? Effect.void : Terminal.note(Terminal.styledError("dim", text))
}

const yaml = (value: Row | ReadonlyArray<Row>): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => import("yaml")),
    // Lines are not folded, so that a text stays on its line.
    ({ stringify }) => stringify(value, { lineWidth: 0 })
  )

export interface StreamOptions {
  readonly flags: Flags
  /** The columns in their order (default: those of the rows). */
  readonly names?: ReadonlyArray<string> | undefined
  /** The message in place of a table without rows. */
  readonly none?: string | undefined
}

/** The rows with the fields of `--fields` alone. */
const withFields = <E, R>(
  pieces: Stream.Stream<ReadonlyArray<Row>, E, R>,
  fields: ReadonlyArray<string>
): Stream.Stream<ReadonlyArray<Row>, E | UsageError, R> =>
  Stream.mapEffect(pieces, (rows) =>
    Effect.as(
      Field.check(rows, fields, "fields"),
      rows.map((row) => Object.fromEntries(fields.map((path) => [path, Field.value(row, path)])))
    )
  )

/** Writes rows in pieces; the first piece decides the layout of a table. */
export const stream = <E, R>(
  given: Stream.Stream<ReadonlyArray<Row>, E, R>,
  { flags, names: columns, none = "No rows." }: StreamOptions
): Effect.Effect<void, E | UsageError, R> => {
  const form = formOf(flags)
  const fields = Option.getOrUndefined(flags.fields)
  const names = fields ?? columns
  const chosen: Stream.Stream<ReadonlyArray<Row>, E | UsageError, R> = fields === undefined
    ? given
    : withFields(given, fields)
  const pieces = Stream.filter(chosen, (rows) => rows.length > 0)
  switch (form._tag) {
    case "table": {
      let layout: Table.Layout | undefined
      return Stream.runForEach(pieces, (rows) => {
        const isFirst = layout === undefined
        layout ??= Table.layout(rows, { room: room(flags), names })
        const head = isFirst ? `${Terminal.styled("bold", Table.header(layout))}\n` : ""
        return Terminal.write(head + Table.lines(layout, rows).join("\n") + "\n")
      }).pipe(Effect.zipRight(Effect.suspend(() => (layout === undefined ? Terminal.note(none) : hint(layout)))))
    }
    case "json": {
      let isFirst = true
      return Stream.runForEach(pieces, (rows) => {
        const text = rows.map((row) => JSON.stringify(row, null, 2).replaceAll(/^/gm, "  ")).join(",\n")
        const before = isFirst ? "[\n" : ",\n"
        isFirst = false
        return Terminal.write(before + text)
      }).pipe(Effect.zipRight(Effect.suspend(() => Terminal.write(isFirst ? "[]\n" : "\n]\n"))))
    }
    case "ndjson":
      return Stream.runForEach(pieces, (rows) => Terminal.write(rows.map((row) => `${JSON.stringify(row)}\n`).join("")))
    case "yaml": {
      let isFirst = true
      return Stream.runForEach(pieces, (rows) => {
        isFirst = false
        return Effect.flatMap(yaml(rows), Terminal.write)
      }).pipe(Effect.zipRight(Effect.suspend(() => (isFirst ? Terminal.write("[]\n") : Effect.void))))
    }
    case "csv": {
      let columns = names
      return Stream.runForEach(pieces, (rows) => {
        const known = columns ?? namesOf(rows)
        const head = columns === undefined || columns === names ? Csv.line(known) : ""
        columns = [...known]
        return Terminal.write(head + rows.map((row) => Csv.line(known.map((name) => row[name] ?? null))).join(""))
      })
    }
    case "template": {
      const paths = Template.paths(form.template)
      return Stream.runForEach(pieces, (rows) =>
        Effect.zipRight(
          Field.check(rows, paths, "template"),
          Terminal.write(rows.map((row) => Template.line(form.template, row)).join(""))
        )
      )
    }
    case "jq":
      // An expression sees the whole list, as it sees the output of `--output json`.
      return Effect.flatMap(Stream.runCollect(pieces), (all) =>
        filtered(form.expression, Chunk.toReadonlyArray(all).flat())
      )
  }
}

const filtered = (expression: string, value: Row | ReadonlyArray<Row>): Effect.Effect<void, UsageError> =>
  Effect.flatMap(Jq.run(expression, JSON.stringify(value), Terminal.isTerminal()), Terminal.write)

/** Writes rows. */
export const show = (
  rows: ReadonlyArray<Row>,
  flags: Flags,
  options: Omit<StreamOptions, "flags"> = {}
): Effect.Effect<void, UsageError> => stream(Stream.make(rows), { flags, ...options })

const isRow = (value: unknown): value is Row => typeof value === "object" && value !== null && !Array.isArray(value)

/** Writes a JSON text as an expression or a template transforms it; undefined without any. */
export const transformed = (
  text: string,
  { jq, template }: OutputFlags.Transform
): Effect.Effect<void, UsageError> | undefined => {
  if (Option.isSome(jq)) return Effect.flatMap(Jq.run(jq.value, text, Terminal.isTerminal()), Terminal.write)
  if (Option.isNone(template)) return undefined
  const value: unknown = JSON.parse(text)
  const rows = (Array.isArray(value) ? value : [value]).filter(isRow)
  return show(rows, { format: Option.none(), wide: false, fields: Option.none(), jq, template })
}

/** Writes one row: a field in each line of a table, one object in JSON and YAML. */
export const one = (row: Row, flags: Flags): Effect.Effect<void, UsageError> => {
  const fields = Option.getOrUndefined(flags.fields)
  if (fields !== undefined) {
    const shown = Object.fromEntries(fields.map((path) => [path, Field.value(row, path)]))
    return Effect.zipRight(Field.check([row], fields, "fields"), one(shown, { ...flags, fields: Option.none() }))
  }
  const form = formOf(flags)
  switch (form._tag) {
    case "table":
      return Terminal.write(`${Table.upright(row, room(flags)).join("\n")}\n`)
    case "json":
      return Terminal.write(`${JSON.stringify(row, null, 2)}\n`)
    case "yaml":
      return Effect.flatMap(yaml(row), Terminal.write)
    case "jq":
      return filtered(form.expression, row)
    case "ndjson":
    case "csv":
    case "template":
      return show([row], flags)
  }
}
