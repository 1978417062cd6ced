/**
 * Prints the values of cells as text on one line: cut where they are long, and with control and bidirectional characters
 * made visible, so that no value can reorder or hide its surroundings.
 */
import type { Json, JsonObject } from "@mfgdata/domain/Json"

/** The characters of a value that a page of rows keeps; the row itself is retrieved to edit or read the rest. */
const kept = 2000

const picture = (character: string): string => {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? "\u2421" : `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`
}

// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const hidden = /[\u0000-\u001F\u007F-\u009F\u00AD\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g

/** The text with its control and bidirectional characters as visible signs. */
export const visible = (text: string): string => text.replaceAll(hidden, picture)

/** The text with its hidden characters visible, except the ends of lines and tabs. */
export const visibleLines = (text: string): string =>
  text.replaceAll(hidden, (character) => (character === "\n" || character === "\t" ? character : picture(character)))

/** A value as text: null is empty, and objects and arrays are JSON. */
export const plain = (value: Json | undefined): string =>
  value === null || value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value)

/** A value as the text of a cell. */
export const cell = (value: Json | undefined, most = 200): string => {
  const text = plain(value)
  return visible(text.length <= most ? text : `${text.slice(0, most)}…`)
}

/** A row of a page, with the lengths of the values that were cut. */
export interface GridRow {
  readonly values: JsonObject
  readonly cut: ReadonlyMap<string, number>
}

const none: ReadonlyMap<string, number> = new Map()

/** The row without the rest of its long values: a cut object or array is the beginning of its JSON. */
export const toGridRow = (row: JsonObject): GridRow => {
  let cut: Map<string, number> | undefined
  const values: Record<string, Json> = {}
  for (const [name, value] of Object.entries(row)) {
    const text = typeof value === "string" ? value : typeof value === "object" ? plain(value) : ""
    if (text.length <= kept) values[name] = value
    else {
      // A slice of a long text keeps the whole text in memory; the copy does not.
      values[name] = JSON.parse(JSON.stringify(text.slice(0, kept))) as string
      cut = (cut ?? new Map<string, number>()).set(name, text.length)
    }
  }
  return { values, cut: cut ?? none }
}

/** The number of characters for people, such as `1.2 M characters`. */
export const sizeOf = (characters: number): string =>
  characters < 1000
    ? `${characters} characters`
    : characters < 1_000_000
      ? `${(characters / 1000).toFixed(0)} K characters`
      : `${(characters / 1_000_000).toFixed(1)} M characters`
