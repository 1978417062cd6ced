/**
 * The views that a person keeps in the browser: queries under names, and the widths of columns.
 */

/** A place for texts, such as `localStorage`. */
export interface Place {
  readonly getItem: (key: string) => string | null
  readonly setItem: (key: string, value: string) => void
}

/** A named query of a resource. */
export interface SavedView {
  readonly name: string
  readonly query: string
}

export interface Layout {
  readonly views: ReadonlyArray<SavedView>
  readonly widths: { readonly [column: string]: number }
}

const none: Layout = { views: [], widths: {} }

const keyOf = (resource: string): string => `mfgdata.console.grid.${resource}`

const isView = (value: unknown): value is SavedView =>
  typeof value === "object" &&
  value !== null &&
  "name" in value &&
  typeof value.name === "string" &&
  "query" in value &&
  typeof value.query === "string"

const entries = (value: unknown): ReadonlyArray<readonly [string, unknown]> =>
  typeof value === "object" && value !== null ? Object.entries(value) : []

/** The views and widths of a resource; whatever cannot be read is left out. */
export const read = (place: Place, resource: string): Layout => {
  try {
    const stored = Object.fromEntries(entries(JSON.parse(place.getItem(keyOf(resource)) ?? "null")))
    const { views, widths } = stored
    return {
      views: Array.isArray(views) ? views.filter(isView) : [],
      widths: Object.fromEntries(
        entries(widths).flatMap(([column, width]) =>
          typeof width === "number" && width >= minWidth && width <= maxWidth ? [[column, width]] : []
        )
      )
    }
  } catch {
    return none
  }
}

/** Stores a layout; returns false where the browser refuses. */
export const write = (place: Place, resource: string, layout: Layout): boolean => {
  try {
    place.setItem(keyOf(resource), JSON.stringify(layout))
    return true
  } catch {
    return false
  }
}

/** The layout with a view, in place of another one with its name. */
export const withView = ({ views, widths }: Layout, view: SavedView): Layout => ({
  views: [...views.filter(({ name }) => name !== view.name), view],
  widths
})

/** The layout without a view. */
export const withoutView = ({ views, widths }: Layout, name: string): Layout => ({
  views: views.filter((view) => view.name !== name),
  widths
})

const minWidth = 48
const maxWidth = 900

/** The layout with the width of a column. */
export const withWidth = ({ views, widths }: Layout, column: string, width: number): Layout => ({
  views,
  widths: { ...widths, [column]: Math.min(Math.max(Math.round(width), minWidth), maxWidth) }
})
