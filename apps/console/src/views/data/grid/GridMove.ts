/**
 * The place of the keyboard in a grid, and the places that keys lead to. Row -1 is the header, and column 0 the header of
 * each row.
 */

export interface Place {
  readonly row: number
  readonly column: number
}

export interface Bounds {
  readonly rows: number
  readonly columns: number
  /** The rows that fit into the view. */
  readonly page: number
}

/** The part of a keyboard event that moves. */
export interface Key {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
}

/** The place inside the grid that is nearest to one. */
export const clamp = ({ column, row }: Place, { columns, rows }: Bounds): Place => ({
  row: Math.max(-1, Math.min(row, rows - 1)),
  column: Math.max(0, Math.min(column, columns))
})

/** The place that a key leads to; `undefined` for a key that does not move. */
export const next = ({ column, row }: Place, { ctrlKey, key, metaKey }: Key, bounds: Bounds): Place | undefined => {
  const far = ctrlKey || metaKey
  const [last, bottom] = [bounds.columns, bounds.rows - 1]
  const places: { readonly [key: string]: Place } = {
    ArrowUp: { row: far ? 0 : row - 1, column },
    ArrowDown: { row: far ? bottom : row + 1, column },
    ArrowLeft: { row, column: far ? 0 : column - 1 },
    ArrowRight: { row, column: far ? last : column + 1 },
    PageUp: { row: Math.max(row - bounds.page, 0), column },
    PageDown: { row: row + bounds.page, column },
    Home: { row: far ? 0 : row, column: 0 },
    End: { row: far ? bottom : row, column: last }
  }
  const place = places[key]
  return place === undefined ? undefined : clamp(place, bounds)
}

/** The rectangle between two places. */
export interface Range {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

/** The rectangle between two places: from the header of a row on it is the whole row. */
export const range = (one: Place, other: Place, columns: number): Range => {
  const [left, right] = [Math.min(one.column, other.column), Math.max(one.column, other.column)]
  return {
    top: Math.max(Math.min(one.row, other.row), 0),
    bottom: Math.max(one.row, other.row),
    left: Math.max(left, 1),
    right: left === 0 ? columns : right
  }
}
