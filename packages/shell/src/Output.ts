/**
 * Writes rows to standard output: a table on a terminal, NDJSON elsewhere, or the format that `--output` names.
 */
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Csv from "./Csv.ts"
import * as Table from "./Table.ts"
import * as Terminal from "./Terminal.ts"

export type Row = Table.Row

/** The formats of rows. */
const formats = ["table", "json", "ndjson", "csv"] as const

export type Format = (typeof formats)[number]

/** The values of the flags. */
export interface Flags {
  readonly format: Option.Option<Format>
  readonly wide: boolean
}

/** The flags of every command that outputs rows. */
export const options: Options.Options<Flags> = Options.all({
  format: Options.choice("output", formats).pipe(
    Options.withAlias("o"),
    Options.withDescription("Format of the output (default: table on a terminal, ndjson elsewhere)."),
    Options.optional
  ),
  wide: Options.boolean("wide").pipe(
    Options.withAlias("w"),
    Options.withDescription("All columns of a table in full width.")
  )
})

/** The format of the output. */
export const formatOf = ({ format }: Flags): Format =>
  Option.getOrElse(format, () => (Terminal.isTerminal() ? "table" : "ndjson"))

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

export interface StreamOptions {
  readonly flags: Flags
  /** The columns in their order (default: those of the rows). */
  readonly names?: ReadonlyArray<string> | undefined
  /** The message in place of a table without rows. */
  readonly none?: string | undefined
}

/** Writes rows in pieces; the first piece decides the layout of a table. */
export const stream = <E, R>(
  pieces: Stream.Stream<ReadonlyArray<Row>, E, R>,
  { flags, names, none = "No rows." }: StreamOptions
): Effect.Effect<void, E, R> => {
  const format = formatOf(flags)
  switch (format) {
    case "table": {
      let layout: Table.Layout | undefined
      return Stream.runForEach(pieces, (rows) => {
        if (rows.length === 0) return Effect.void
        const isFirst = layout === undefined
        layout ??= Table.layout(rows, { room: room(flags), names })
        const head = isFirst ? `${Terminal.styled("bold", Table.header(layout))}\n` : ""
        return Terminal.write(head + Table.lines(layout, rows).join("\n") + "\n")
      }).pipe(Effect.zipRight(Effect.suspend(() => (layout === undefined ? Terminal.note(none) : hint(layout)))))
    }
    case "json": {
      let isFirst = true
      return Stream.runForEach(pieces, (rows) => {
        if (rows.length === 0) return Effect.void
        const text = rows.map((row) => JSON.stringify(row, null, 2).replaceAll(/^/gm, "  ")).join(",\n")
        const before = isFirst ? "[\n" : ",\n"
        isFirst = false
        return Terminal.write(before + text)
      }).pipe(Effect.zipRight(Effect.suspend(() => Terminal.write(isFirst ? "[]\n" : "\n]\n"))))
    }
    case "ndjson":
      return Stream.runForEach(pieces, (rows) => Terminal.write(rows.map((row) => `${JSON.stringify(row)}\n`).join("")))
    case "csv": {
      let columns = names
      return Stream.runForEach(pieces, (rows) => {
        if (rows.length === 0) return Effect.void
        const known = columns ?? namesOf(rows)
        const head = columns === undefined || columns === names ? Csv.line(known) : ""
        columns = [...known]
        return Terminal.write(head + rows.map((row) => Csv.line(known.map((name) => row[name] ?? null))).join(""))
      })
    }
  }
}

/** Writes rows. */
export const show = (
  rows: ReadonlyArray<Row>,
  flags: Flags,
  options: Omit<StreamOptions, "flags"> = {}
): Effect.Effect<void> => stream(Stream.make(rows), { flags, ...options })

/** Writes one row: a field in each line of a table, one object in JSON. */
export const one = (row: Row, flags: Flags): Effect.Effect<void> => {
  const format = formatOf(flags)
  switch (format) {
    case "table":
      return Terminal.write(`${Table.upright(row, room(flags)).join("\n")}\n`)
    case "json":
      return Terminal.write(`${JSON.stringify(row, null, 2)}\n`)
    case "ndjson":
    case "csv":
      return show([row], flags)
  }
}
