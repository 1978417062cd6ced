/**
 * The screen of a terminal: applies the output of a program to lines of characters, as a terminal does.
 */
export interface VirtualScreen {
  readonly write: (output: string) => void
  readonly resize: (columns: number, rows: number) => void
  /** The lines without the blanks at their ends. */
  readonly lines: () => ReadonlyArray<string>
  /** True while the program uses the other screen of the terminal. */
  readonly isOther: () => boolean
  readonly hasCursor: () => boolean
}

/** A control sequence, a control character, or a character; the last part is a sequence that has not ended. */
// oxlint-disable-next-line no-control-regex -- the output of a program has control characters
const token = /\u001B\[([?\d;]*)([A-Za-z])|\u001B[^[]|[\u0000-\u001F\u007F]|\P{Cc}|\u001B\[?[?\d;]*$/gu

const isWide = (character: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(character)

/** Makes a screen. */
export const make = (columns: number, rows: number): VirtualScreen => {
  let size = { columns, rows }
  let cells: Array<Array<string>> = []
  let main: Array<Array<string>> = []
  let [x, y] = [0, 0]
  let [isOther, hasCursor, wraps] = [false, true, true]
  let rest = ""
  const lineAt = (index: number): Array<string> => (cells[index] ??= [])
  const down = () => {
    if (y < size.rows - 1) y++
    else cells = cells.slice(1, size.rows)
  }
  const put = (character: string) => {
    const width = /\p{Mark}/u.test(character) ? 0 : isWide(character) ? 2 : 1
    if (x + width > size.columns) {
      // Without line breaks the rest of a line is cut.
      if (!wraps) return
      x = 0
      down()
    }
    const line = lineAt(y)
    while (line.length < x) line.push(" ")
    if (width === 0) line[x - 1] = (line[x - 1] ?? "") + character
    else line.splice(x, width, character, ...(width === 2 ? [""] : []))
    x += width
  }
  const control = (parameters: string, final: string) => {
    const [first = 0, second = 0] = parameters.replace("?", "").split(";").map(Number)
    switch (final) {
      case "H":
        y = Math.min(Math.max(1, first) - 1, size.rows - 1)
        x = Math.max(1, second) - 1
        return
      case "A":
        y = Math.max(0, y - Math.max(1, first))
        return
      case "K":
        return void lineAt(y).splice(x)
      case "J":
        if (first === 2) cells = []
        else {
          lineAt(y).splice(x)
          cells.splice(y + 1)
        }
        return
      case "h":
      case "l": {
        const isSet = final === "h"
        if (parameters === "?25") hasCursor = isSet
        if (parameters === "?7") wraps = isSet
        if (parameters === "?1049" && isSet !== isOther) {
          isOther = isSet
          ;[cells, main] = [main, cells]
          if (isSet) cells = []
        }
        return
      }
      default:
    }
  }
  return {
    write: (output) => {
      const text = rest + output
      rest = ""
      for (const [part, parameters, final] of text.matchAll(token)) {
        if (final !== undefined) control(parameters ?? "", final)
        else if (part === "\r") x = 0
        else if (part === "\n") down()
        else if (part.startsWith("\u001B")) rest = part
        else if (!/\p{Cc}/u.test(part)) put(part)
      }
    },
    resize: (columns, rows) => void (size = { columns, rows }),
    lines: () => Array.from({ length: size.rows }, (_, index) => (cells[index] ?? []).join("").trimEnd()),
    isOther: () => isOther,
    hasCursor: () => hasCursor
  }
}
