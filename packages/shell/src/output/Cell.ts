/**
 * Renders one value in a cell of a table: its text without control characters, its width, and its truncation.
 */
import type { Json } from "@mfgdata/domain/Json"
import * as ControlCharacters from "../ControlCharacters.ts"

/** The text of a value: empty for null, a string as it is, JSON otherwise. */
export const text = (value: Json): string =>
  value === null ? "" : ControlCharacters.escape(typeof value === "string" ? value : JSON.stringify(value))

// oxlint-disable-next-line no-control-regex -- the fast path: printable ASCII takes one column per character
const printableAscii = /^[\u0020-\u007E]*$/
const zeroWidth = /^(?:\p{Mark}|\u200B|\u200C|\u200D|\uFE0F)$/u
const fullWidth =
  /^[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]$|^\p{Emoji_Presentation}$/u

const widthOf = (character: string): number => (zeroWidth.test(character) ? 0 : fullWidth.test(character) ? 2 : 1)

/** The number of terminal columns that a text takes. */
export const width = (text: string): number =>
  printableAscii.test(text) ? text.length : Array.from(text, widthOf).reduce((sum, each) => sum + each, 0)

/** Truncates a text to a number of columns, with `…` at the end. */
export const truncate = (text: string, columns: number): string => {
  if (width(text) <= columns) return text
  let kept = ""
  let left = columns - 1
  for (const character of text) {
    left -= widthOf(character)
    if (left < 0) break
    kept += character
  }
  return `${kept}…`
}

/** Pads a text to a number of columns: at its start when `alignRight`, else at its end. */
export const pad = (text: string, columns: number, alignRight: boolean): string => {
  const blanks = " ".repeat(Math.max(0, columns - width(text)))
  return alignRight ? blanks + text : text + blanks
}
