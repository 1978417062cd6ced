/**
 * The acts on the cells and rows of a grid, which become edits of the queue.
 */
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import * as Catalogue from "../../service/Catalogue.ts"
import { copy } from "../../ui/clipboard.ts"
import * as Toasts from "../../ui/Toasts.tsx"
import * as EditQueue from "./edits/EditQueue.ts"
import * as Edits from "./edits/Edits.ts"
import * as NewId from "./edits/NewId.ts"
import * as SendEdits from "./edits/SendEdits.ts"
import * as GridLine from "./grid/GridLine.ts"
import type * as GridMove from "./grid/GridMove.ts"
import * as Delimited from "./transfer/Delimited.ts"
import * as Paste from "./transfer/Paste.ts"
import * as CellInput from "./value/CellInput.ts"
import type * as CellText from "./value/CellText.ts"

export interface GridActs {
  /** Adds a row to create, and returns the identity of the edit. */
  readonly add: () => string
  readonly edit: (row: number, column: Catalogue.ColumnInfo, text: string, seen?: Json) => void
  /** Clears the cells of a range. */
  readonly clear: (range: GridMove.Range) => void
  /** Marks the rows of a range for deletion, or takes the marks back. */
  readonly remove: (range: GridMove.Range) => void
  readonly duplicate: (range: GridMove.Range) => void
  /** The cells of a range, as spreadsheets paste them. */
  readonly copy: (range: GridMove.Range) => string
  readonly copyCell: (place: GridMove.Place) => Promise<void>
  readonly copyRow: (place: GridMove.Place) => Promise<void>
  /** Puts pasted text over the cells from a place on, or adds it as new rows. */
  readonly paste: (place: GridMove.Place, text: string, isNew: boolean) => void
  /** The whole value of a cell, which is retrieved where it is cut. */
  readonly whole: (row: number, column: string) => Promise<Json>
  /** The values of new rows that the person need not type: the company of the rows in the grid. */
  readonly defaults: () => EditQueue.Inputs
}

const lineNumbers = ({ bottom, top }: GridMove.Range): ReadonlyArray<number> =>
  Array.from({ length: bottom - top + 1 }, (_, index) => top + index)

/** The values of a row that a person has seen whole. */
const baseOf = ({ cut, values }: CellText.GridRow): JsonObject =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !cut.has(name)))

const retrieve = async (resource: string, key: string): Promise<JsonObject> => {
  const found = await Edits.rows.retrieve(resource, key)
  if (found === undefined) throw new Error("The row does not exist any more.")
  return found.row
}

const orToast = async (run: () => Promise<void>): Promise<void> => {
  try {
    await run()
  } catch (error) {
    Toasts.show(error instanceof Error ? error.message : String(error), { kind: "error" })
  }
}

/** The acts on the lines of a grid with some columns. */
export const make = (lines: GridLine.Lines, columns: ReadonlyArray<Catalogue.ColumnInfo>): GridActs => {
  const { resource, window } = lines

  const change = (
    queue: EditQueue.Queue,
    row: number,
    column: string,
    input: CellInput.Input,
    seen?: Json
  ): EditQueue.Queue => {
    const line = GridLine.at(lines, row)
    if (line._tag === "Draft") return EditQueue.change(queue, line.edit.id, column, input)
    if (line._tag === "Loading" || line.key === undefined) return queue
    const place = { resource: resource.name, key: line.key }
    return EditQueue.update(queue, NewId.make(), place, column, seen ?? GridLine.seen(line, column), input)
  }

  const marked = (range: GridMove.Range) =>
    lineNumbers(range).flatMap((index) => {
      const line = GridLine.at(lines, index)
      return line._tag === "Row" && line.key !== undefined ? [{ key: line.key, base: baseOf(line.row) }] : []
    })

  const defaults = (): EditQueue.Inputs => {
    const company = Catalogue.columnOf(resource, "companyId")
    const known = window.held().find(([, row]) => typeof row.values["companyId"] === "string")?.[1].values["companyId"]
    return company === undefined || company.write === "never" || known === undefined
      ? {}
      : { companyId: CellInput.fromValue(known) }
  }

  const whole = async (row: number, column: string): Promise<Json> => {
    const line = GridLine.at(lines, row)
    if (line._tag !== "Row" || line.key === undefined || !line.row.cut.has(column)) return GridLine.seen(line, column)
    return (await retrieve(resource.name, line.key))[column] ?? null
  }

  const editable = (range: GridMove.Range) =>
    columns.slice(range.left - 1, range.right).filter(({ write }) => write !== "never")

  return {
    defaults,
    whole,
    add: () => Edits.create(resource.name, defaults()),
    edit: (row, column, text, seen) =>
      Edits.change((queue) => change(queue, row, column.name, CellInput.parse(column, text), seen)),
    clear: (range) =>
      Edits.change((queue) =>
        lineNumbers(range)
          .flatMap((row) => editable(range).map((column) => ({ row, column })))
          .reduce((next, { column, row }) => change(next, row, column.name, CellInput.parse(column, "")), queue)
      ),
    remove: (range) => {
      const drafts = lineNumbers(range).flatMap((index) => lines.drafts[index] ?? [])
      if (drafts.length > 0) Edits.change((queue) => drafts.reduce((next, { id }) => EditQueue.drop(next, id), queue))
      const rows = marked(range)
      if (rows.length > 0) Edits.toggleDeletion(resource.name, rows)
    },
    duplicate: (range) =>
      void orToast(async () => {
        for (const { key } of marked(range)) {
          const values = SendEdits.toCopy(resource.name, await retrieve(resource.name, key))
          const inputs = Object.entries(values).map(([name, value]) => [name, CellInput.fromValue(value)] as const)
          Edits.create(resource.name, Object.fromEntries(inputs))
        }
      }),
    copy: (range) => {
      const names = columns.slice(range.left - 1, range.right).map(({ name }) => name)
      const all = lineNumbers(range).map((index) => GridLine.at(lines, index))
      if (all.some(({ _tag }) => _tag === "Loading"))
        Toasts.show("Some of the rows are not loaded yet, and are empty. Export has all of them.", { kind: "error" })
      if (all.some((line) => names.some((name) => GridLine.cell(line, name).cut !== undefined)))
        Toasts.show("Long values are cut. Copy the row as JSON to have all of it.", { kind: "error" })
      return all
        .map((line) =>
          Delimited.print(
            names.map((name) => GridLine.editable(line, name) || null),
            "\t"
          )
        )
        .join("")
        .replace(/\r\n$/, "")
    },
    copyCell: ({ column, row }) =>
      orToast(async () =>
        copy(JSON.stringify(await whole(row, columns[column - 1]?.name ?? resource.key), undefined, 2))
      ),
    copyRow: ({ row }) =>
      orToast(async () => {
        const line = GridLine.at(lines, row)
        if (line._tag === "Row" && line.key !== undefined)
          await copy(JSON.stringify(await retrieve(resource.name, line.key), undefined, 2))
      }),
    paste: (place, text, isNew) => {
      const names = columns.map(({ name }) => name)
      const pasted = Paste.read(resource, names, names[Math.max(place.column - 1, 0)] ?? "", text)
      if (pasted.cells.length === 0) return
      const end = lines.drafts.length + window.length().rows
      const isAdded = isNew || pasted.isTable
      Edits.change((queue) => {
        const added = new Map<number, EditQueue.Inputs>()
        const changed = pasted.cells.reduce((next, { column, input, row }) => {
          if (!isAdded && place.row + row < end) return change(next, place.row + row, column, input)
          added.set(row, { ...(added.get(row) ?? defaults()), [column]: input })
          return next
        }, queue)
        return [...added.values()].reduce(
          (next, inputs) => EditQueue.create(next, NewId.make(), resource.name, inputs),
          changed
        )
      })
      const skipped = pasted.skipped.length === 0 ? "" : ` The service sets ${pasted.skipped.join(", ")} itself.`
      Toasts.show(`Pasted ${pasted.rows} ${pasted.rows === 1 ? "row" : "rows"}, not sent yet.${skipped}`, {
        undo: Edits.undo
      })
    }
  }
}
