/**
 * How rows reach standard output: a table on a terminal, one JSON object a line elsewhere, or as asked.
 */
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Csv from "./output/Csv.ts"
import * as Table from "./output/Table.ts"
import * as Screen from "./Screen.ts"

export type Row = Table.Row

/** The forms that rows can take. */
const formats = ["table", "json", "ndjson", "csv"] as const

export type Format = (typeof formats)[number]

/** What is asked of the output. */
export interface Asked {
  readonly format: Option.Option<Format>
  readonly wide: boolean
}

/** The options of every command that answers rows. */
export const options: Options.Options<Asked> = Options.all({
  format: Options.choice("output", formats).pipe(
    Options.withAlias("o"),
    Options.withDescription("How to show what is answered; unless told, a table on a terminal and ndjson elsewhere."),
    Options.optional
  ),
  wide: Options.boolean("wide").pipe(
    Options.withAlias("w"),
    Options.withDescription("Show every column of a table whole, however long its lines become.")
  )
})

/** The form that is asked for, or fits where it goes. */
export const formatOf = ({ format }: Asked): Format =>
  Option.getOrElse(format, () => (Screen.isTerminal() ? "table" : "ndjson"))

/** How many characters a line of a table may have: elsewhere than on a terminal nothing is cut. */
const room = ({ wide }: Asked): number => (wide || !Screen.isTerminal() ? Infinity : Screen.columns())

const namesOf = (rows: ReadonlyArray<Row>): ReadonlyArray<string> => [
  ...new Set(rows.flatMap((row) => Object.keys(row)))
]

/** What a table left out, and how to see it. */
const hintOf = (layout: Table.Layout): string | undefined => {
  const { cut, hidden } = layout
  if (hidden.length === 0 && !cut) return undefined
  const left = hidden.length === 0 ? "cut to fit" : `not shown: ${hidden.join(", ")}`
  return `(${left}; --wide shows everything)`
}

const hint = (layout: Table.Layout): Effect.Effect<void> => {
  const text = hintOf(layout)
  return text === undefined ? Effect.void : Screen.note(Screen.styledError("dim", text))
}

/** Rows, as they come. The first pieces decide how a table is set. */
export interface Streamed {
  readonly asked: Asked
  /** The columns in the order of a table; left out, those of the rows. */
  readonly names?: ReadonlyArray<string> | undefined
  /** What a table says when there is no row. */
  readonly none?: string | undefined
}

/** Shows rows as they come, in pieces. */
export const stream = <E, R>(
  pieces: Stream.Stream<ReadonlyArray<Row>, E, R>,
  { asked, names, none = "No rows." }: Streamed
): Effect.Effect<void, E, R> => {
  const format = formatOf(asked)
  switch (format) {
    case "table": {
      let layout: Table.Layout | undefined
      return Stream.runForEach(pieces, (rows) => {
        if (rows.length === 0) return Effect.void
        const isFirst = layout === undefined
        layout ??= Table.layout(rows, { room: room(asked), names })
        const head = isFirst ? `${Screen.styled("bold", Table.header(layout))}\n` : ""
        return Screen.write(head + Table.lines(layout, rows).join("\n") + "\n")
      }).pipe(Effect.zipRight(Effect.suspend(() => (layout === undefined ? Screen.note(none) : hint(layout)))))
    }
    case "json": {
      let isFirst = true
      return Stream.runForEach(pieces, (rows) => {
        if (rows.length === 0) return Effect.void
        const text = rows.map((row) => JSON.stringify(row, null, 2).replaceAll(/^/gm, "  ")).join(",\n")
        const before = isFirst ? "[\n" : ",\n"
        isFirst = false
        return Screen.write(before + text)
      }).pipe(Effect.zipRight(Effect.suspend(() => Screen.write(isFirst ? "[]\n" : "\n]\n"))))
    }
    case "ndjson":
      return Stream.runForEach(pieces, (rows) => Screen.write(rows.map((row) => `${JSON.stringify(row)}\n`).join("")))
    case "csv": {
      let columns = names
      return Stream.runForEach(pieces, (rows) => {
        if (rows.length === 0) return Effect.void
        const known = columns ?? namesOf(rows)
        const head = columns === undefined || columns === names ? Csv.line(known) : ""
        columns = [...known]
        return Screen.write(head + rows.map((row) => Csv.line(known.map((name) => row[name] ?? null))).join(""))
      })
    }
  }
}

/** Shows rows that are at hand. */
export const show = (
  rows: ReadonlyArray<Row>,
  asked: Asked,
  options: Omit<Streamed, "asked"> = {}
): Effect.Effect<void> => stream(Stream.make(rows), { asked, ...options })

/** Shows one row: its fields below each other on a terminal, one object in JSON. */
export const one = (row: Row, asked: Asked): Effect.Effect<void> => {
  const format = formatOf(asked)
  switch (format) {
    case "table":
      return Screen.write(`${Table.upright(row, room(asked)).join("\n")}\n`)
    case "json":
      return Screen.write(`${JSON.stringify(row, null, 2)}\n`)
    case "ndjson":
    case "csv":
      return show([row], asked)
  }
}
