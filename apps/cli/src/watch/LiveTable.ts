/**
 * Shows the latest changes as a table that is drawn again in its place on the terminal.
 */
import type { Json } from "@mfgdata/domain/Json"
import * as ControlCharacters from "@mfgdata/shell/ControlCharacters"
import * as Cell from "@mfgdata/shell/output/Cell"
import * as Field from "@mfgdata/shell/output/Field"
import * as Table from "@mfgdata/shell/output/Table"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as RowEvent from "./RowEvent.ts"

/** The size of a terminal. */
export interface Size {
  readonly columns: number
  readonly rows: number
}

const styles = { insert: "green", update: "yellow", delete: "red", leave: "dim" } as const

/** The time of a day on this machine. */
const clock = (time: string): string => {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? time : date.toTimeString().slice(0, 8)
}

const cells = (
  { change, key, row, time }: RowEvent.RowEvent,
  names: ReadonlyArray<string>,
  fields: ReadonlyArray<string> | undefined
): Table.Row => {
  if (fields !== undefined) {
    const event = { change, key, row, time }
    return Object.fromEntries(fields.map((path) => [path, Field.value(event, path)]))
  }
  const values = names.map((name): readonly [string, Json] => [name, row[name] ?? null])
  return { ...Object.fromEntries(values), change, time: clock(time) }
}

/** The lines of a table of changes, the latest first, with the columns `names` of the rows: the key, then the others. Each fits the terminal, as do all of them together. */
export const lines = (
  events: ReadonlyArray<RowEvent.RowEvent>,
  names: ReadonlyArray<string>,
  fields: ReadonlyArray<string> | undefined,
  { columns, rows }: Size,
  total: number
): ReadonlyArray<string> => {
  // The header, the line below the table, and the line of the cursor take room too.
  const shown = events.slice(0, Math.max(1, rows - 3))
  const data = shown.map((event) => cells(event, names, fields))
  const [key = "", ...others] = names
  const layout = Table.layout(data, { room: columns, names: fields ?? [key, "change", "time", ...others] })
  const fit = (line: string) => Cell.truncate(line, columns)
  const changes = `${total} ${total === 1 ? "change" : "changes"}`
  return [
    Terminal.styled("bold", fit(Table.header(layout))),
    ...Table.lines(layout, data).map((line, index) =>
      Terminal.styled(styles[shown[index]?.change ?? "leave"], fit(line))
    ),
    Terminal.styled("dim", fit(`(${changes})`))
  ]
}

/** The number of rows that are remembered: more than any terminal has lines. */
const capacity = 500

/** Makes a table; `show` adds an event. */
export const make = (
  names: ReadonlyArray<string>,
  fields: ReadonlyArray<string> | undefined
): Effect.Effect<(event: RowEvent.RowEvent) => Effect.Effect<void>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const latest = new Map<string, RowEvent.RowEvent>()
    const { stdout } = process
    let total = 0
    let drawn = 0
    const draw = (from: string) => {
      const size = { columns: Terminal.columns(), rows: stdout.rows ?? 24 }
      const events = [...latest.values()].toReversed()
      const text = lines(events, names, fields, size, total).map(ControlCharacters.escapeLines)
      drawn = text.length
      stdout.write(`${from}\u001B[J${text.join("\n")}\n`)
    }
    // The lines that a terminal breaks anew cannot be counted.
    const resize = () => drawn > 0 && draw("\u001B[H")
    yield* Effect.acquireRelease(
      Effect.sync(() => void stdout.on("resize", resize)),
      () => Effect.sync(() => void stdout.off("resize", resize))
    )
    return (event) =>
      Effect.sync(() => {
        total++
        latest.delete(event.key)
        latest.set(event.key, event)
        if (latest.size > capacity) latest.delete(latest.keys().next().value ?? "")
        draw(drawn === 0 ? "" : `\u001B[${drawn}A\r`)
      })
  })
