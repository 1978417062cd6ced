/**
 * Renders one value in a cell of a table: its text without control characters, its width, and its truncation.
 */
import type { Json } from "@mfgdata/domain/Json"

const named: { readonly [character: string]: string } = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }

/** Escapes control characters, which would move the cursor or colour the terminal. */
const visible = (text: string): string =>
  text.replaceAll(
    // oxlint-disable-next-line no-control-regex -- control characters are the subject of the search
    /[\u0000-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069]/g,
    (character) => named[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

/** The text of a value: empty for null, a string as it is, JSON otherwise. */
export const text = (value: Json): string =>
  value === null ? "" : visible(typeof value === "string" ? value : JSON.stringify(value))

// oxlint-disable-next-line no-control-regex -- the common case, without a look at each character
const simple = /^[\u0020-\u007E]*$/
const nothing = /^(?:\p{Mark}|\u200B|\u200C|\u200D|\uFE0F)$/u
const broad =
  /^[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]$|^\p{Emoji_Presentation}$/u

const widthOf = (character: string): number => (nothing.test(character) ? 0 : broad.test(character) ? 2 : 1)

/** The number of terminal columns that a text takes. */
export const width = (text: string): number =>
  simple.test(text) ? text.length : Array.from(text, widthOf).reduce((sum, each) => sum + each, 0)

/** Truncates a text to `room` columns, with `…` at the end. */
export const cut = (text: string, room: number): string => {
  if (width(text) <= room) return text
  let kept = ""
  let left = room - 1
  for (const character of text) {
    left -= widthOf(character)
    if (left < 0) break
    kept += character
  }
  return `${kept}…`
}

/** Pads a text to `room` columns: at its start when `right`, else at its end. */
export const fill = (text: string, room: number, right: boolean): string => {
  const blanks = " ".repeat(Math.max(0, room - width(text)))
  return right ? blanks + text : text + blanks
}
