/**
 * Lays out the parts of a help: titles, paragraphs that fit the terminal, and terms with their descriptions.
 */
import type { Term } from "./Topic.ts"
import * as Terminal from "../Terminal.ts"

/** The title of a section. */
export const title = (text: string): string => Terminal.styled("bold", text)

/** The number of characters in a line: long lines are hard to read on a wide terminal too. */
export const room = (): number => Math.min(Terminal.columns(), 110)

/** Breaks a text into lines of at most `room` characters. */
export const wrap = (text: string, room: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > room) {
      lines.push(line)
      line = word
    } else line = line === "" ? word : `${line} ${word}`
  }
  return line === "" ? lines : [...lines, line]
}

const longest = 32

/** Lays out terms on the left and descriptions on the right; below a term that is long. */
export const listed = (terms: ReadonlyArray<Term>, room: number): ReadonlyArray<string> => {
  const width = Math.min(longest, Math.max(0, ...terms.map(([term]) => term.length)))
  const indent = " ".repeat(width + 4)
  return terms.flatMap(([term, text]) => {
    const [first = "", ...rest] = wrap(text, Math.max(30, room - width - 4))
    const head = `  ${term.padEnd(width)}`
    const below = rest.map((line) => indent + line)
    return term.length > width ? [head, indent + first, ...below] : [`${head}  ${first}`.trimEnd(), ...below]
  })
}
