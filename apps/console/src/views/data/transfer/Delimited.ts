/**
 * Reads and writes delimited text: CSV as RFC 4180 has it, and the tab-separated text that spreadsheets copy.
 */

/** A field; an empty one without quotes is null. */
export type Field = string | null

/** A record, and the line of the text on which it starts, counted from 1. */
export interface Line {
  readonly line: number
  readonly fields: ReadonlyArray<Field>
}

export type Parsed =
  | { readonly _tag: "Lines"; readonly lines: ReadonlyArray<Line> }
  | { readonly _tag: "QuoteMisplaced"; readonly line: number }

const countBreaks = (text: string): number => text.split(/\r\n|\n|\r/).length - 1

/**
 * The records of a text; blank lines are skipped. A quote inside a field without quotes belongs to it, as spreadsheets
 * copy such cells; a quoted field that does not end is an error.
 */
export const parse = (text: string, separator: string): Parsed => {
  const bare = new RegExp(`[^${separator}\\r\\n]*`, "y")
  const quoted = /"((?:[^"]|"")*)"/y
  const end = /\r\n|\n|\r|$/y
  const lines: Array<Line> = []
  let position = text.startsWith("\uFEFF") ? 1 : 0
  let line = 1
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position
    const found = pattern.exec(text)
    if (found !== null) position += found[0].length
    return found
  }
  while (position < text.length) {
    const start = line
    const fields: Array<Field> = []
    do {
      if (fields.length > 0) position++
      if (text[position] === '"') {
        const found = match(quoted)
        const next = text[position]
        if (found === null || (next !== undefined && next !== separator && next !== "\n" && next !== "\r"))
          return { _tag: "QuoteMisplaced", line }
        const value = (found[1] ?? "").replaceAll('""', '"')
        line += countBreaks(value)
        fields.push(value)
      } else fields.push(match(bare)?.[0] || null)
    } while (text[position] === separator)
    match(end)
    line++
    if (fields.length > 1 || fields[0] !== null) lines.push({ line: start, fields })
  }
  return { _tag: "Lines", lines }
}

const field = (value: Field, separator: string): string =>
  value === null
    ? ""
    : value === "" || /["\r\n]/.test(value) || value.includes(separator)
      ? `"${value.replaceAll('"', '""')}"`
      : value

/** The text of one record, with its line end. */
export const print = (fields: ReadonlyArray<Field>, separator: string): string =>
  `${fields.map((value) => field(value, separator)).join(separator)}\r\n`

/** The separator of a text by its first line: a tab, a semicolon or a comma. */
export const separatorOf = (text: string): string => {
  const [header = ""] = text.split(/\r|\n/, 1)
  const counts = ["\t", ";", ","].map((separator) => ({ separator, count: header.split(separator).length }))
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).count === 1
    ? ","
    : counts.reduce((best, next) => (next.count > best.count ? next : best)).separator
}
