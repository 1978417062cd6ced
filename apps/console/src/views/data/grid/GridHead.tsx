/**
 * The header of a grid: sorts by a column, and changes its width.
 */
import type { ColumnInfo } from "../../../service/Catalogue.ts"
import type * as GridQuery from "../query/GridQuery.ts"

export interface GridHeadProps {
  readonly columns: ReadonlyArray<ColumnInfo>
  readonly order: ReadonlyArray<GridQuery.Sort>
  readonly active: number | undefined
  readonly idOf: (row: number, column: number) => string
  readonly widthOf: (column: ColumnInfo) => number
  readonly onSort: (column: string, isFurther: boolean) => void
  readonly onResize: (column: string, width: number) => void
}

const sorts = { asc: "ascending", desc: "descending" } as const
const arrows = { asc: "↑", desc: "↓" } as const

export const GridHead = ({ active, columns, idOf, onResize, onSort, order, widthOf }: GridHeadProps) => (
  <div role="rowgroup" class="grid-head">
    <div role="row" aria-rowindex={1} class="grid-row">
      <div
        role="columnheader"
        aria-colindex={1}
        id={idOf(-1, 0)}
        data-row={-1}
        data-column={0}
        tabIndex={active === 0 ? 0 : -1}
        class="grid-cell grid-number"
      >
        <span class="visually-hidden">Row</span>#
      </div>
      {columns.map((column, index) => {
        const { name, type } = column
        const place = order.findIndex((sort) => sort.column === name)
        const sort = order[place]
        const drag = (event: PointerEvent & { readonly currentTarget: HTMLElement }): void => {
          event.preventDefault()
          event.stopPropagation()
          const { currentTarget, pointerId } = event
          const width = widthOf(column)
          const move = ({ clientX }: PointerEvent): void => onResize(name, width + clientX - event.clientX)
          currentTarget.setPointerCapture(pointerId)
          currentTarget.addEventListener("pointermove", move)
          currentTarget.addEventListener(
            "lostpointercapture",
            () => currentTarget.removeEventListener("pointermove", move),
            {
              once: true
            }
          )
        }
        return (
          <div
            key={name}
            role="columnheader"
            aria-colindex={index + 2}
            aria-sort={sort === undefined ? "none" : sorts[sort.direction]}
            id={idOf(-1, index + 1)}
            data-row={-1}
            data-column={index + 1}
            tabIndex={active === index + 1 ? 0 : -1}
            class={`grid-cell ${type}`}
            title={`${name}: ${type}`}
            onClick={(event) => onSort(name, event.shiftKey)}
          >
            <span class="grid-title">{name}</span>
            {sort === undefined ? null : (
              <span aria-hidden="true">
                {arrows[sort.direction]}
                {order.length > 1 ? place + 1 : ""}
              </span>
            )}
            <span
              class="grid-resize"
              aria-hidden="true"
              onPointerDown={drag}
              onClick={(event) => event.stopPropagation()}
            />
          </div>
        )
      })}
    </div>
  </div>
)
