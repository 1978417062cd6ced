/**
 * A line of the screen: texts with their styles, which fit the terminal.
 */
import * as Cell from "@mfgdata/shell/output/Cell"

export type Style = "plain" | "bar" | "bold" | "selected" | "dim" | "link" | "error"

export interface Span {
  readonly text: string
  readonly style: Style
}

export type Line = ReadonlyArray<Span>

export const span = (text: string, style: Style = "plain"): Span => ({ text, style })

/** The text of a line. */
export const text = (line: Line): string => line.map(({ text }) => text).join("")

/** A line of one style, cut to the terminal. */
export const fit = (text: string, columns: number, style: Style = "plain"): Line => [
  span(Cell.truncate(text, columns), style)
]

/** A line of one style in the whole width, with a text at its left and, where there is room, one at its right. */
export const bar = (left: string, right: string, columns: number, style: Style): Line => {
  const room = columns - Cell.width(left) - Cell.width(right)
  return room < 1
    ? [span(Cell.pad(Cell.truncate(left, columns), columns, false), style)]
    : [span(left + " ".repeat(room) + right, style)]
}

/** The part of a list of items that is shown around the selected one, and the index of its first item. */
export const around = <A>(
  items: ReadonlyArray<A>,
  selected: number,
  height: number
): { readonly shown: ReadonlyArray<A>; readonly first: number } => {
  const first = Math.max(0, Math.min(selected - Math.floor(height / 2), items.length - height))
  return { shown: items.slice(first, first + height), first }
}
