/**
 * The grid: an ARIA grid over a window of rows, of which only those in view are rendered. The keyboard is on one cell;
 * every line has the same height.
 */
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks"
import * as Address from "../../../router/Address.ts"
import type { ColumnInfo, ResourceInfo } from "../../../service/Catalogue.ts"
import { CellEditor } from "./CellEditor.tsx"
import * as Edits from "../edits/Edits.ts"
import type { GridActs } from "../GridActs.ts"
import { GridHead } from "./GridHead.tsx"
import * as GridLine from "./GridLine.ts"
import * as GridMove from "./GridMove.ts"
import type * as GridQuery from "../query/GridQuery.ts"
import { GridRowLine, pathOf } from "./GridRowLine.tsx"
import { useGridView } from "./useGridView.ts"

const rowHeight = 30
export interface GridProps {
  readonly resource: ResourceInfo
  readonly columns: ReadonlyArray<ColumnInfo>
  readonly lines: GridLine.Lines
  readonly order: ReadonlyArray<GridQuery.Sort>
  readonly widthOf: (column: ColumnInfo) => number
  readonly acts: Pick<GridActs, "edit" | "clear" | "remove" | "duplicate" | "copy" | "paste">
  /** Opens a long value, or one that cannot be changed. */
  readonly onOpen: (row: number, column: ColumnInfo) => void
  /** Opens the form of a row to create. */
  readonly onDraft: (id: string) => void
  readonly onReview: () => void
  readonly onSort: (column: string, isFurther: boolean) => void
  readonly onResize: (column: string, width: number) => void
  /** Finds the number of rows, for a jump to the last one. */
  readonly onCount: () => Promise<void>
  readonly onActive: (place: GridMove.Place, range: GridMove.Range) => void
}

interface Editing {
  readonly text: string
  readonly isSelected: boolean
}

const placeOf = (target: EventTarget | null): GridMove.Place | undefined => {
  const cell = target instanceof Element ? target.closest<HTMLElement>("[data-row]") : null
  return cell === null ? undefined : { row: Number(cell.dataset["row"]), column: Number(cell.dataset["column"]) }
}

/** True for a key that types a character. */
const types = ({ altKey, ctrlKey, key, metaKey }: KeyboardEvent): boolean =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey

export const Grid = (props: GridProps) => {
  const {
    acts,
    columns,
    lines,
    onActive,
    onCount,
    onDraft,
    onOpen,
    onResize,
    onReview,
    onSort,
    order,
    resource,
    widthOf
  } = props
  const { drafts, window: held } = lines
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  const [active, setActive] = useState<GridMove.Place>({ row: 0, column: 1 })
  const [anchor, setAnchor] = useState<GridMove.Place | undefined>(undefined)
  const [editing, setEditing] = useState<Editing | undefined>(undefined)
  const isOwner = useRef(false)
  const isShifted = useRef(false)

  const { count, exact, first, last, onScroll, rows, visible } = useGridView(box, lines, rowHeight)
  const bounds: GridMove.Bounds = { rows: count, columns: columns.length, page: Math.max(visible - 1, 1) }
  const place = GridMove.clamp(active, bounds)
  const range = GridMove.range(anchor ?? place, place, columns.length)
  const idOf = (row: number, column: number): string => `${id}-${row}-${column}`

  useEffect(() => {
    onActive(place, range)
  }, [place.row, place.column, range.top, range.bottom, range.left, range.right])

  const cellAt = ({ column, row }: GridMove.Place) => document.getElementById(idOf(row, column))

  useLayoutEffect(() => {
    if (!isOwner.current || editing !== undefined) return
    const cell = cellAt(place)
    cell?.focus({ preventScroll: true })
    cell?.scrollIntoView({ block: "nearest", inline: "nearest" })
  }, [place.row, place.column, editing, count === 0])

  // A line with the focus can go: the row to create that was sent, or taken back.
  useLayoutEffect(() => {
    if (isOwner.current && editing === undefined && document.activeElement === document.body) cellAt(place)?.focus()
  }, [drafts])

  const go = (to: GridMove.Place, isExtended: boolean): void => {
    isOwner.current = true
    setAnchor(isExtended ? (anchor ?? place) : undefined)
    setActive(to)
  }

  const columnAt = (column: number): ColumnInfo | undefined => columns[column - 1]

  const canEdit = ({ column, row }: GridMove.Place): boolean => {
    const line = GridLine.at(lines, row)
    if (columnAt(column)?.write === "never" || line._tag === "Loading") return false
    return line._tag === "Draft" || (line.key !== undefined && line.edit?._tag !== "Delete")
  }

  const edit = (at: GridMove.Place, typed: string | undefined): void => {
    const column = columnAt(at.column)
    const line = GridLine.at(lines, at.row)
    if (column === undefined) {
      if (line._tag === "Draft") onDraft(line.edit.id)
      else if (line._tag === "Row" && line.key !== undefined) Address.navigate(pathOf(resource.name, line.key))
      return
    }
    if (line._tag === "Loading") return
    const isLong = typed === undefined && GridLine.isLong(line, column.name, column.type)
    if (isLong || (column.write === "never" && typed === undefined)) onOpen(at.row, column)
    else if (canEdit(at))
      setEditing({ text: typed ?? GridLine.editable(line, column.name), isSelected: typed === undefined })
  }

  const press = (event: KeyboardEvent): void => {
    if (editing !== undefined || event.isComposing) return
    const mod = event.ctrlKey || event.metaKey
    isShifted.current = event.shiftKey
    const handled = (): void => {
      event.preventDefault()
      event.stopPropagation()
    }
    const header = place.row === -1 ? columnAt(place.column) : undefined
    if (header !== undefined && event.altKey && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      onResize(header.name, widthOf(header) + (event.key === "ArrowLeft" ? -20 : 20))
      return handled()
    }
    if (event.altKey) return
    if (mod && event.key === "End" && !exact) {
      handled()
      void onCount().then(() => go({ row: drafts.length + held.length().rows - 1, column: place.column }, false))
      return
    }
    const to = GridMove.next(place, event, bounds)
    if (to !== undefined) {
      handled()
      return go(to, event.shiftKey)
    }
    if (event.key === "Enter" && mod) onReview()
    else if (header !== undefined && (event.key === "Enter" || event.key === " ")) onSort(header.name, event.shiftKey)
    else if (place.row === -1) return
    else if (event.key === "Enter" || event.key === "F2") edit(place, undefined)
    else if (event.key === " " && place.column === 0) {
      setAnchor({ row: place.row, column: 1 })
      setActive({ row: place.row, column: columns.length })
    } else if (event.key === "Escape" && anchor !== undefined) setAnchor(undefined)
    else if (event.key === "Delete") acts.remove(range)
    else if (event.key === "Backspace") acts.clear(range)
    else if (mod && event.key.toLowerCase() === "d") acts.duplicate(range)
    else if (mod && event.key.toLowerCase() === "z") Edits.undo()
    else if (mod && event.key.toLowerCase() === "a") {
      setAnchor({ row: 0, column: 1 })
      setActive({ row: drafts.length + rows - 1, column: columns.length })
    } else if (types(event) && place.column > 0 && canEdit(place)) edit(place, event.key)
    else return
    handled()
  }

  const finish = (text: string, key: "Enter" | "Tab" | "blur", isBack: boolean): void => {
    const column = columnAt(place.column)
    const line = GridLine.at(lines, place.row)
    setEditing(undefined)
    if (column !== undefined && text !== GridLine.editable(line, column.name)) acts.edit(place.row, column, text)
    const step = isBack ? -1 : 1
    if (key === "Enter") go(GridMove.clamp({ row: place.row + step, column: place.column }, bounds), false)
    else if (key === "Tab") go(GridMove.clamp({ row: place.row, column: place.column + step }, bounds), false)
    else isOwner.current = false
  }

  const editorColumn = columnAt(place.column)
  const editor =
    editing === undefined || editorColumn === undefined ? undefined : (
      <CellEditor
        resource={resource.name}
        column={editorColumn}
        text={editing.text}
        isSelected={editing.isSelected}
        onDone={finish}
        onCancel={() => setEditing(undefined)}
      />
    )

  const shown = Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) => first + index)
  // The line of the keyboard stays in the page, so that it keeps the focus while others scroll by.
  if (place.row >= 0 && place.row < count && (place.row < first || place.row > last)) shown.push(place.row)

  return (
    <div
      ref={box}
      class="grid"
      role="grid"
      aria-label={resource.name}
      aria-rowcount={exact ? count + 1 : -1}
      aria-colcount={columns.length + 1}
      aria-multiselectable="true"
      style={{ "--columns": `56px ${columns.map((column) => `${widthOf(column)}px`).join(" ")}` }}
      onScroll={onScroll}
      onKeyDown={press}
      onFocusIn={(event) => {
        isOwner.current = true
        const at = placeOf(event.target)
        if (at !== undefined && editing === undefined && (at.row !== place.row || at.column !== place.column))
          setActive(at)
      }}
      onFocusOut={(event) => {
        const to = event.relatedTarget
        if (!(to instanceof Node) || box.current?.contains(to) !== true)
          isOwner.current = to === null && isOwner.current
      }}
      onPointerDown={(event) => {
        const at = placeOf(event.target)
        if (at === undefined || event.button !== 0) return
        if (event.target instanceof Element && event.target.closest("a, button") !== null) return
        go(at, event.shiftKey)
      }}
      onPointerOver={(event) => {
        const at = placeOf(event.target)
        if (event.buttons !== 1 || editing !== undefined || at === undefined || at.row < 0 || !isOwner.current) return
        if (at.row !== place.row || at.column !== place.column) go(at, true)
      }}
      onDblClick={(event) => {
        const at = placeOf(event.target)
        if (at !== undefined && at.row >= 0 && at.column > 0) edit(at, undefined)
      }}
      onCopy={(event) => {
        if (editing !== undefined || !isOwner.current) return
        event.preventDefault()
        event.clipboardData?.setData("text/plain", acts.copy(range))
      }}
      onPaste={(event) => {
        if (editing !== undefined || !isOwner.current) return
        event.preventDefault()
        const isNew = isShifted.current || place.row === -1
        acts.paste({ row: range.top, column: range.left }, event.clipboardData?.getData("text/plain") ?? "", isNew)
      }}
    >
      <GridHead
        columns={columns}
        order={order}
        active={place.row === -1 ? place.column : undefined}
        idOf={idOf}
        widthOf={widthOf}
        onSort={onSort}
        onResize={onResize}
      />
      <div role="rowgroup" class="grid-space" style={{ height: `${count * rowHeight}px` }}>
        {shown.map((index) => {
          const line = GridLine.at(lines, index)
          const isActive = index === place.row
          const isIn = anchor !== undefined && index >= range.top && index <= range.bottom
          return (
            <GridRowLine
              key={line._tag === "Draft" ? line.edit.id : index - drafts.length}
              index={index}
              number={index < drafts.length ? undefined : index - drafts.length + 1}
              line={line}
              resource={resource.name}
              columns={columns}
              active={isActive ? place.column : undefined}
              left={isIn ? range.left : isActive ? place.column : 0}
              right={isIn ? range.right : isActive ? place.column : -1}
              editor={isActive ? editor : undefined}
              idOf={idOf}
              height={rowHeight}
            />
          )
        })}
      </div>
    </div>
  )
}
