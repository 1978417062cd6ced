/**
 * The lines of a grid: the rows to create, then the rows of the service, each with its edit.
 */
import type { Json } from "@mfgdata/domain/Json"
import type { ResourceInfo } from "../../../service/Catalogue.ts"
import * as CellInput from "../value/CellInput.ts"
import * as CellText from "../value/CellText.ts"
import type * as EditQueue from "../edits/EditQueue.ts"
import type { RowWindow } from "./RowWindow.ts"

export type Line =
  | { readonly _tag: "Draft"; readonly edit: EditQueue.Create }
  | {
      readonly _tag: "Row"
      readonly row: CellText.GridRow
      /** `undefined` where the query does not select the key: such a row cannot be edited. */
      readonly key: string | undefined
      readonly edit: EditQueue.Update | EditQueue.Delete | undefined
    }
  | { readonly _tag: "Loading" }

export interface Lines {
  readonly drafts: ReadonlyArray<EditQueue.Create>
  readonly window: RowWindow
  readonly edits: ReadonlyMap<string, EditQueue.Update | EditQueue.Delete>
  readonly resource: ResourceInfo
}

/** The lines of a resource. */
export const make = (resource: ResourceInfo, window: RowWindow, queue: EditQueue.Queue): Lines => {
  const own = queue.filter((edit) => edit.resource === resource.name)
  return {
    resource,
    window,
    drafts: own.filter((edit) => edit._tag === "Create"),
    edits: new Map(own.flatMap((edit) => (edit._tag === "Create" ? [] : [[edit.key, edit]])))
  }
}

const loading: Line = { _tag: "Loading" }

/** The line at an index. */
export const at = ({ drafts, edits, resource, window }: Lines, index: number): Line => {
  const edit = drafts[index]
  if (edit !== undefined) return { _tag: "Draft", edit }
  const row = window.at(index - drafts.length)
  if (row === undefined) return loading
  const value = row.values[resource.key]
  const key = value === undefined || value === null || row.cut.has(resource.key) ? undefined : String(value)
  return { _tag: "Row", row, key, edit: key === undefined ? undefined : edits.get(key) }
}

/** A cell as it is shown. */
export interface Cell {
  readonly text: string
  readonly isChanged: boolean
  readonly problem: string | undefined
  /** The number of characters of a value that is cut. */
  readonly cut: number | undefined
}

const inputOf = (line: Line, column: string): CellInput.Input | undefined =>
  line._tag === "Loading" || line.edit === undefined || line.edit._tag === "Delete"
    ? undefined
    : line.edit.inputs[column]

/** The cell of a column. */
export const cell = (line: Line, column: string): Cell => {
  const input = inputOf(line, column)
  const failure = line._tag === "Loading" ? undefined : line.edit?.failure
  const problem =
    input?.problem ??
    failure?.fields[column] ??
    (failure?.conflict?.fields.includes(column) === true ? failure.message : undefined)
  if (input !== undefined) return { text: CellText.cell(input.text), isChanged: true, problem, cut: undefined }
  const value = line._tag === "Row" ? line.row.values[column] : undefined
  return {
    text: CellText.cell(value),
    isChanged: false,
    problem,
    cut: line._tag === "Row" ? line.row.cut.get(column) : undefined
  }
}

/** The value that a person sees in a cell. */
export const seen = (line: Line, column: string): Json =>
  line._tag === "Row" ? (line.row.values[column] ?? null) : null

/** The text of a cell in an editor. */
export const editable = (line: Line, column: string): string =>
  inputOf(line, column)?.text ?? CellInput.toText(seen(line, column))

/** True for a value that needs an editor of many lines. */
export const isLong = (line: Line, column: string, type: string): boolean =>
  type === "object" ||
  type === "array" ||
  /\n/.test(editable(line, column)) ||
  editable(line, column).length > 200 ||
  (line._tag === "Row" && line.row.cut.has(column))
