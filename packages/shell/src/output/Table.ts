/**
 * Lays out rows as a table that fits a terminal: numbers to the right, long values cut, columns without room hidden.
 */
import type { Json } from "@mfgdata/domain/Json"
import * as Cell from "./Cell.ts"

/** A row of a command's output. */
export type Row = { readonly [field: string]: Json }

interface Column {
  readonly name: string
  readonly width: number
  readonly right: boolean
}

/** The layout of a table, which its first rows decide. */
export interface Layout {
  readonly columns: ReadonlyArray<Column>
  /** The columns without room, or without any value. */
  readonly hidden: ReadonlyArray<string>
  /** True when a cell of the first rows is cut. */
  readonly cut: boolean
}

export interface Options {
  /** The number of characters in a line; `Infinity` shows everything. */
  readonly room: number
  /** The columns in their order (default: those of the rows). */
  readonly names?: ReadonlyArray<string> | undefined
}

const gap = "  "
/** The least width of a column that is cut: a date and the start of a text stay readable. */
const narrowest = 10

const sum = (columns: ReadonlyArray<Column>): number =>
  columns.reduce((total, { width }) => total + width, gap.length * (columns.length - 1))

const namesOf = (rows: ReadonlyArray<Row>): ReadonlyArray<string> => [
  ...new Set(rows.flatMap((row) => Object.keys(row)))
]

const measure = (rows: ReadonlyArray<Row>, name: string): Column => {
  const values = rows.map((row) => row[name] ?? null)
  const filled = values.filter((value) => value !== null)
  return {
    name,
    width: Math.max(Cell.width(name), ...values.map((value) => Cell.width(Cell.text(value)))),
    right: filled.length > 0 && filled.every((value) => typeof value === "number")
  }
}

const isEmpty = (rows: ReadonlyArray<Row>, name: string): boolean => rows.every((row) => (row[name] ?? null) === null)

/** Narrows the widest column until all fit or all are narrow; the first column, the key, keeps its width. */
const squeeze = (columns: ReadonlyArray<Column>, room: number): ReadonlyArray<Column> => {
  const squeezed = columns.map((column) => ({ ...column }))
  const [, ...others] = squeezed
  for (let over = sum(squeezed) - room; over > 0; over--) {
    const widest = others.reduce((a, b) => (b.width > a.width ? b : a), { width: 0 })
    if (widest.width <= narrowest) break
    widest.width--
  }
  return squeezed
}

/** The layout for some rows. */
export const layout = (rows: ReadonlyArray<Row>, { names = namesOf(rows), room }: Options): Layout => {
  const isUnlimited = room === Infinity
  const empty = isUnlimited || rows.length === 0 ? [] : names.filter((name) => isEmpty(rows, name))
  const whole = names.filter((name) => !empty.includes(name)).map((name) => measure(rows, name))
  if (isUnlimited) return { columns: whole, hidden: [], cut: false }
  let columns = squeeze(whole, room)
  const dropped: Array<string> = []
  while (sum(columns) > room && columns.length > 1) {
    dropped.unshift(columns.at(-1)?.name ?? "")
    columns = squeeze(whole.slice(0, columns.length - 1), room)
  }
  return {
    columns,
    hidden: [...dropped, ...empty],
    cut: columns.some(({ width }, index) => width < (whole[index]?.width ?? 0))
  }
}

const line = (cells: ReadonlyArray<string>, columns: ReadonlyArray<Column>): string =>
  columns
    .map(({ right, width }, index) => Cell.pad(Cell.truncate(cells[index] ?? "", width), width, right))
    .join(gap)
    .trimEnd()

/** The line with the names of the columns. */
export const header = ({ columns }: Layout): string =>
  line(
    columns.map(({ name }) => name),
    columns
  )

/** A line for each row. */
export const lines = ({ columns }: Layout, rows: ReadonlyArray<Row>): ReadonlyArray<string> =>
  rows.map((row) =>
    line(
      columns.map(({ name }) => Cell.text(row[name] ?? null)),
      columns
    )
  )

/** The lines of one row: a field in each. */
export const upright = (row: Row, room: number): ReadonlyArray<string> => {
  const names = Object.keys(row)
  const width = Math.max(0, ...names.map(Cell.width))
  return names.map((name) =>
    `${Cell.pad(name, width, false)}${gap}${Cell.truncate(Cell.text(row[name] ?? null), Math.max(narrowest, room - width - gap.length))}`.trimEnd()
  )
}
