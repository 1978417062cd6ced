/**
 * How rows reach standard output: a table on a terminal, one JSON object a line elsewhere, or as asked.
 */
import * as Options from "@effect/cli/Options"
import type { PlatformError } from "@effect/platform/Error"
import * as Terminal from "@effect/platform/Terminal"
import type { Json } from "@mfgdata/domain"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** One line of what a command answers. Those of one answer have the same fields in the same order. */
export type Row = { readonly [field: string]: Json.Json }

type Render = (rows: ReadonlyArray<Row>) => string

const text = (value: Json.Json): string =>
  value === null ? "" : typeof value === "string" ? value : JSON.stringify(value)

/** The names of the fields, then their values row by row, all as text. */
const grid = (rows: ReadonlyArray<Row>): ReadonlyArray<ReadonlyArray<string>> =>
  rows[0] === undefined ? [] : [Object.keys(rows[0]), ...rows.map((row) => Object.values(row).map(text))]

const table: Render = (rows) => {
  const lines = grid(rows)
  const width = (index: number) => Math.max(...lines.map((line) => line[index]?.length ?? 0))
  const widths = lines[0]?.map((_, index) => width(index)) ?? []
  const padded = lines.map((line) => line.map((cell, index) => cell.padEnd(widths[index] ?? 0)))
  return padded.map((line) => `${line.join("  ").trimEnd()}\n`).join("")
}

// a field is quoted where its text could be taken for structure
const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll(`"`, `""`)}"` : cell)

const renders = {
  table,
  json: (rows) => `${JSON.stringify(rows, null, 2)}\n`,
  ndjson: (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
  csv: (rows) =>
    grid(rows)
      .map((line) => `${line.map(quoted).join(",")}\r\n`)
      .join("")
} satisfies { readonly [format: string]: Render }

export type Format = keyof typeof renders

// the keys of a literal are those declared
const formats = Object.keys(renders) as ReadonlyArray<Format>

/** The option of every command that answers rows. */
export const option: Options.Options<Option.Option<Format>> = Options.choice("output", formats).pipe(
  Options.withAlias("o"),
  Options.withDescription("How to show rows: unless told, a table on a terminal and ndjson elsewhere."),
  Options.optional
)

/** Shows rows on standard output. */
export const show = (
  rows: ReadonlyArray<Row>,
  asked: Option.Option<Format>
): Effect.Effect<void, PlatformError, Terminal.Terminal> =>
  Effect.gen(function* () {
    const terminal = yield* Terminal.Terminal
    const format = Option.isSome(asked) ? asked.value : (yield* terminal.isTTY) ? "table" : "ndjson"
    yield* terminal.display(renders[format](rows))
  })
