/**
 * Comma-separated values: reading bodies, and writing rows the way PostgreSQL writes records.
 */
import * as ArrayLiteral from "@mfgdata/domain/ArrayLiteral"
import type { Json } from "@mfgdata/domain/Json"

const bare = /[^",\r\n]*/y
const lineEnd = /\r\n|\n|\r/y

/** Where a field ends whose quotes open at `start`; -1 when they never close. */
const closing = (text: string, start: number): number => {
  let end = text.indexOf('"', start + 1)
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
  return end
}

/** The fields of each line, quotes removed and blank lines left out; `undefined` when a quote is out of place. */
export const parse = (text: string): ReadonlyArray<ReadonlyArray<string>> | undefined => {
  const lines: Array<ReadonlyArray<string>> = []
  let position = 0
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = position
    const [found] = pattern.exec(text) ?? []
    position += found?.length ?? 0
    return found
  }
  while (position < text.length) {
    if (match(lineEnd) !== undefined) continue
    const fields: Array<string> = []
    for (;;) {
      if (text[position] === '"') {
        const end = closing(text, position)
        if (end < 0) return undefined
        fields.push(text.slice(position + 1, end).replaceAll('""', '"'))
        position = end + 1
      } else fields.push(match(bare) ?? "")
      if (text[position] !== ",") break
      position++
    }
    if (match(lineEnd) === undefined && position < text.length) return undefined
    lines.push(fields)
  }
  return lines
}

const plain = (value: Json): string => {
  if (typeof value === "string") return value
  if (typeof value === "boolean") return value ? "t" : "f"
  // The catalogue's arrays hold texts; what else a JSON path leads to is written as JSON.
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return ArrayLiteral.print(value)
  return JSON.stringify(value)
}

const field = (value: Json): string => {
  if (value === null) return ""
  const text = plain(value)
  return text === "" || /[\s",()\\]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A header of the rows' keys and a line per row, without a line end behind the last; nothing for no rows. */
export const print = (rows: ReadonlyArray<{ readonly [name: string]: Json }>): string => {
  const [first] = rows
  if (first === undefined) return ""
  const names = Object.keys(first)
  return [names, ...rows.map((row) => names.map((name) => row[name] ?? null))]
    .map((values) => values.map(field).join(","))
    .join("\n")
}
