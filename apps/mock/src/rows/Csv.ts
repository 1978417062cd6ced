/**
 * Parses and prints comma-separated values. Values are printed as PostgreSQL prints the fields of a record.
 */
import * as ArrayLiteral from "@mfgdata/domain/ArrayLiteral"
import type { Json } from "@mfgdata/domain/Json"
import type { Slices } from "../world/Slices.ts"

const bare = /[^",\r\n]*/y
const lineEnd = /\r\n|\n|\r/y

/** The position of the quote that closes the one at `start`, or -1. */
const closing = (text: string, start: number): number => {
  let end = text.indexOf('"', start + 1)
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
  return end
}

/**
 * The fields of each line without their quotes, up to a number of lines. Blank lines are skipped; a misplaced quote makes
 * it `undefined`.
 */
export const parse = function* (
  text: string,
  most = Infinity
): Slices<ReadonlyArray<ReadonlyArray<string>> | undefined> {
  const lines: Array<ReadonlyArray<string>> = []
  let position = 0
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = position
    const [found] = pattern.exec(text) ?? []
    position += found?.length ?? 0
    return found
  }
  while (position < text.length && lines.length < most) {
    yield
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

/** Reports whether a name is an array column, whose lists of texts are printed as array literals. Other lists are JSON. */
export type IsList = (name: string) => boolean

const isText = (value: Json): value is string => typeof value === "string"

const plain = (value: Json, isList: boolean): string => {
  if (typeof value === "string") return value
  if (typeof value === "boolean") return value ? "t" : "f"
  if (isList && Array.isArray(value) && value.every(isText)) return ArrayLiteral.print(value)
  return JSON.stringify(value)
}

const field = (value: Json, isList: boolean): string => {
  if (value === null) return ""
  const text = plain(value, isList)
  return text === "" || /[\s",()\\]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Prints rows with the keys of the first one. */
export interface Printer {
  readonly header: string
  readonly line: (row: { readonly [name: string]: Json }) => string
}

export const printer = (first: { readonly [name: string]: Json }, isList: IsList): Printer => {
  const columns = Object.keys(first).map((name) => ({ name, isList: isList(name) }))
  return {
    header: columns.map(({ name }) => field(name, false)).join(","),
    line: (row) => columns.map(({ isList, name }) => field(row[name] ?? null, isList)).join(",")
  }
}

/** A header of the rows' keys and a line for each row. The last line has no line end; no rows make an empty text. */
export const print = (rows: ReadonlyArray<{ readonly [name: string]: Json }>, isList: IsList): string => {
  const [first] = rows
  if (first === undefined) return ""
  const { header, line } = printer(first, isList)
  return [header, ...rows.map(line)].join("\n")
}
