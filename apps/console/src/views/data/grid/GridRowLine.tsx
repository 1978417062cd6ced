/**
 * Renders one line of a grid, again only when something of it has changed.
 */
import { Component, type ComponentChildren } from "preact"
import * as Address from "../../../router/Address.ts"
import type { ColumnInfo } from "../../../service/Catalogue.ts"
import * as CellText from "../value/CellText.ts"
import * as GridLine from "./GridLine.ts"

export interface GridRowLineProps {
  readonly index: number
  /** The number of the row among those of the service, counted from 1; absent for a new row. */
  readonly number: number | undefined
  readonly line: GridLine.Line
  readonly resource: string
  readonly columns: ReadonlyArray<ColumnInfo>
  /** The column of the keyboard, where it is on this line. */
  readonly active: number | undefined
  /** The selected columns of this line. */
  readonly left: number
  readonly right: number
  readonly editor: ComponentChildren
  readonly idOf: (row: number, column: number) => string
  readonly height: number
}

/** The path of the page of a row. */
export const pathOf = (resource: string, key: string): string => `/${resource}/${encodeURIComponent(key)}`

const stateOf = (line: GridLine.Line): string => {
  if (line._tag === "Draft") return line.edit.failure === undefined ? "new" : "new failed"
  if (line._tag === "Loading") return "loading"
  if (line.edit === undefined) return ""
  return `${line.edit._tag === "Delete" ? "deleted" : "edited"}${line.edit.failure === undefined ? "" : " failed"}`
}

const marks: { readonly [state: string]: string } = { new: "new row", deleted: "to delete", edited: "edited" }

const isSameLine = (one: GridLine.Line, other: GridLine.Line): boolean =>
  one._tag === "Row" && other._tag === "Row"
    ? one.row === other.row && one.edit === other.edit
    : one._tag === "Draft" && other._tag === "Draft"
      ? one.edit === other.edit
      : one._tag === other._tag

export class GridRowLine extends Component<GridRowLineProps> {
  override shouldComponentUpdate(next: GridRowLineProps): boolean {
    const { active, columns, editor, index, left, line, number, right } = this.props
    return !(
      index === next.index &&
      number === next.number &&
      active === next.active &&
      left === next.left &&
      right === next.right &&
      columns === next.columns &&
      editor === next.editor &&
      isSameLine(line, next.line)
    )
  }

  override render({
    active,
    columns,
    editor,
    height,
    idOf,
    index,
    left,
    line,
    number,
    resource,
    right
  }: GridRowLineProps) {
    const state = stateOf(line)
    const [mark = ""] = state.split(" ")
    const key = line._tag === "Row" ? line.key : undefined
    return (
      <div
        role="row"
        aria-rowindex={index + 2}
        class={`grid-row ${state}`}
        style={{ transform: `translateY(${index * height}px)` }}
        title={line._tag === "Loading" ? undefined : line.edit?.failure?.message}
      >
        <div
          role="rowheader"
          aria-colindex={1}
          id={idOf(index, 0)}
          tabIndex={active === 0 ? 0 : -1}
          aria-selected={left <= 1 && right >= columns.length && columns.length > 0}
          class="grid-cell grid-number"
          data-row={index}
          data-column={0}
        >
          {key === undefined ? (
            (number ?? "+")
          ) : (
            <a href={Address.href(pathOf(resource, key))} tabIndex={-1} aria-label={`Row ${number}: open`}>
              {number}
            </a>
          )}
          {marks[mark] === undefined ? null : <span class="visually-hidden">, {marks[mark]}</span>}
        </div>
        {columns.map((column, place) => {
          const position = place + 1
          const isEdited = editor !== undefined && active === position
          const { cut, isChanged, problem, text } = GridLine.cell(line, column.name)
          return (
            <div
              key={column.name}
              role="gridcell"
              aria-colindex={position + 1}
              id={idOf(index, position)}
              tabIndex={active === position ? 0 : -1}
              aria-selected={position >= left && position <= right}
              aria-readonly={column.write === "never"}
              aria-invalid={problem === undefined ? undefined : true}
              title={problem}
              class={`grid-cell ${column.type} ${isChanged ? "changed" : ""} ${isEdited ? "editing" : ""}`}
              data-row={index}
              data-column={position}
            >
              {isEdited ? (
                editor
              ) : (
                <bdi>
                  {text}
                  {cut === undefined ? null : <small> {CellText.sizeOf(cut)}</small>}
                </bdi>
              )}
            </div>
          )
        })}
      </div>
    )
  }
}
