/**
 * The whole text of a value, in lines that fit the terminal.
 */
import type { Json } from "@mfgdata/domain/Json"
import * as ControlCharacters from "@mfgdata/shell/ControlCharacters"
import * as Cell from "@mfgdata/shell/output/Cell"

/** The text of a value: JSON is indented. */
export const of = (value: Json): string =>
  value === null ? "(empty)" : typeof value === "string" ? value : JSON.stringify(value, null, 2)

/** The most characters of a value that are shown: lines of more would take long to lay out. */
const most = 200_000

/** The lines of a text, broken at a number of terminal columns. */
export const lines = (text: string, columns: number): ReadonlyArray<string> =>
  text
    .slice(0, most)
    .split(/\r?\n/)
    .flatMap((paragraph) => {
      const broken: Array<string> = []
      let line = ""
      let width = 0
      for (const character of ControlCharacters.escape(paragraph)) {
        const own = Cell.width(character)
        if (width + own > columns) {
          broken.push(line)
          line = ""
          width = 0
        }
        line += character
        width += own
      }
      return [...broken, line]
    })
