/**
 * Places the cells of a spreadsheet over the cells of a grid, and as new rows after its last row.
 */
import * as Catalogue from "../../../service/Catalogue.ts"
import * as CellInput from "../value/CellInput.ts"
import * as Delimited from "./Delimited.ts"

/** A pasted cell of a row: those of `row` 0 belong to the row at which the paste begins. */
interface PastedCell {
  readonly row: number
  readonly column: string
  readonly input: CellInput.Input
}

export interface Pasted {
  readonly rows: number
  readonly cells: ReadonlyArray<PastedCell>
  /** The pasted columns that the service sets. */
  readonly skipped: ReadonlyArray<string>
  /** Set for a table with the names of its columns. */
  readonly isTable: boolean
}

/** Cells as their texts: quoted where a spreadsheet quotes, and bare where the quotes are text. */
const cellsOf = (text: string): ReadonlyArray<ReadonlyArray<Delimited.Field>> => {
  const parsed = Delimited.parse(text, "\t")
  if (parsed._tag === "Lines") return parsed.lines.map(({ fields }) => fields)
  const lines = text.replace(/(?:\r\n|\n|\r)$/, "").split(/\r\n|\n|\r/)
  return lines.map((line) => line.split("\t"))
}

/**
 * The inputs of a pasted text from a column on. A first line with the names of columns chooses them, so that whole tables
 * can be pasted; columns that the service sets are skipped.
 */
export const read = (
  resource: Catalogue.ResourceInfo,
  columns: ReadonlyArray<string>,
  start: string,
  text: string
): Pasted => {
  const all = cellsOf(text)
  const [header = []] = all
  const isTable =
    all.length > 1 &&
    header.length > 1 &&
    header.every((name) => Catalogue.columnOf(resource, name ?? "") !== undefined)
  const names: ReadonlyArray<Delimited.Field | undefined> = isTable ? header : columns.slice(columns.indexOf(start))
  const lines = isTable ? all.slice(1) : all
  const skipped = new Set<string>()
  const cells = lines.flatMap((fields, row) =>
    fields.flatMap((field, index): ReadonlyArray<PastedCell> => {
      const column = Catalogue.columnOf(resource, names[index] ?? "")
      if (column === undefined) return []
      if (column.write === "never") {
        skipped.add(column.name)
        return []
      }
      return [{ row, column: column.name, input: CellInput.parse(column, field ?? "") }]
    })
  )
  return { rows: lines.length, cells, skipped: [...skipped], isTable }
}
