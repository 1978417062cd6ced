/**
 * Lays out a page of rows: the key at the left, and the other columns from the one that makes the selected one visible.
 */
import type { JsonObject } from "@mfgdata/domain/Json"
import * as Cell from "@mfgdata/shell/output/Cell"
import * as Line from "./Line.ts"
import type * as Model from "./Model.ts"

interface Column {
  readonly name: string
  readonly title: string
  readonly width: number
  readonly isNumber: boolean
  /** The index among the columns of the list. */
  readonly index: number
}

const gap = "  "

/** The greatest width of a column. */
const widest = 40

const measure = (list: Model.ListScreen, rows: ReadonlyArray<JsonObject>): ReadonlyArray<Column> =>
  list.columns.map((name, index) => {
    const sign = list.sort?.column !== name ? "" : list.sort.descending ? " ↓" : " ↑"
    const values = rows.map((row) => row[name] ?? null)
    // A long value is cut before it is measured.
    const widths = values.map((value) => Cell.width(Cell.text(value).slice(0, widest + 1)))
    const filled = values.filter((value) => value !== null)
    return {
      name,
      title: name + sign,
      width: Math.min(widest, Math.max(Cell.width(name) + sign.length, ...widths)),
      isNumber: filled.length > 0 && filled.every((value) => typeof value === "number"),
      index
    }
  })

const total = (columns: ReadonlyArray<Column>): number =>
  columns.reduce((sum, { width }) => sum + width + gap.length, -gap.length)

/** The columns that the terminal shows: the key, and as many others as fit, among them the selected one. */
const visible = (list: Model.ListScreen, columns: ReadonlyArray<Column>, room: number): ReadonlyArray<Column> => {
  const [key, ...others] = columns
  if (key === undefined) return []
  // A long key leaves room for another column.
  const fixed = { ...key, width: others.length === 0 ? Math.min(key.width, room) : Math.min(key.width, room >> 1) }
  let first = 0
  while (first < list.column - 1 && total([fixed, ...others.slice(first, list.column)]) > room) first++
  const shown: Array<Column> = [fixed]
  for (const column of others.slice(first)) {
    const left = room - total(shown) - gap.length
    if (left < Math.min(column.width, 4)) break
    shown.push({ ...column, width: Math.min(column.width, left) })
  }
  return shown
}

const cell = (text: string, { isNumber, width }: Column): string =>
  Cell.pad(Cell.truncate(text, width), width, isNumber)

/** The text of the value, without the part that no column is wide enough for. */
const shortText = (row: JsonObject, name: string): string => Cell.text(row[name] ?? null).slice(0, 4 * widest)

/** The header and the rows. */
export const lines = (
  list: Model.ListScreen,
  { columns: room }: Model.Size,
  height: number
): ReadonlyArray<Line.Line> => {
  const rows = list.page?.rows.slice(0, height) ?? []
  const columns = visible(list, measure(list, rows), room)
  const separated = (spans: ReadonlyArray<Line.Span>): Line.Line =>
    spans.flatMap((span, index) =>
      index === 0 ? [span] : [Line.span(gap, span.style === "selected" ? "plain" : span.style), span]
    )
  const header = separated(
    columns.map((column) => Line.span(cell(column.title, column), column.index === list.column ? "selected" : "bold"))
  )
  const body = rows.map((row, index): Line.Line => {
    const text = columns.map((column) => cell(shortText(row, column.name), column)).join(gap)
    return index === list.selected ? Line.bar(text, "", room, "selected") : Line.fit(text.trimEnd(), room)
  })
  const none = list.page !== undefined && rows.length === 0 ? [Line.fit("No rows match.", room, "dim")] : []
  return [header, ...body, ...none]
}
