/**
 * Parses and prints comma-separated values. Values are printed as PostgreSQL prints the fields of a record.
 */
import * as ArrayLiteral from "@mfgdata/domain/ArrayLiteral"
import type { Json } from "@mfgdata/domain/Json"
import type { Slices } from "../world/Slices.ts"

const bare = /[^",\r\n]*/y
const lineEnd = /\r\n|\n|\r/y

/** The limits of a text: further lines are not read, and longer fields, as they are sent, are refused. */
export interface Limits {
  readonly lines: number
  readonly characters: number
}

const unlimited: Limits = { lines: Infinity, characters: Infinity }

export type Parsed =
  | { readonly _tag: "Lines"; readonly lines: ReadonlyArray<ReadonlyArray<string>> }
  | { readonly _tag: "QuoteMisplaced" }
  /** The line is counted from zero, as those that are returned. */
  | { readonly _tag: "FieldTooLong"; readonly line: number }

/** The number of characters that are handled without a pause. */
const stride = 64 * 1024

/** The position of the quote that closes the one at `start`, or -1; or of a later one if the field is too long. */
const closing = function* (text: string, start: number, most: number): Slices<number> {
  let pause = start + stride
  let end = text.indexOf('"', start + 1)
  while (end >= 0 && text[end + 1] === '"' && end - start - 1 <= most) {
    end = text.indexOf('"', end + 2)
    if (end < pause) continue
    pause = end + stride
    yield
  }
  return end
}

/** Replaces the pairs of quotes in a quoted field. */
const unquote = function* (text: string, start: number, end: number): Slices<string> {
  if (end - start <= stride) return text.slice(start, end).replaceAll('""', '"')
  const parts: Array<string> = []
  for (let from = start; from < end;) {
    let to = Math.min(from + stride, end)
    let quotes = 0
    while (to - quotes > from && text[to - quotes - 1] === '"') quotes++
    // A pair is not divided.
    to += quotes % 2
    parts.push(text.slice(from, to).replaceAll('""', '"'))
    from = to
    yield
  }
  return parts.join("")
}

/** The fields of each line without their quotes. Blank lines are skipped. */
export const parse = function* (text: string, { characters, lines: most }: Limits = unlimited): Slices<Parsed> {
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
        const end = yield* closing(text, position, characters)
        if (end < 0) return { _tag: "QuoteMisplaced" }
        if (end - position - 1 > characters) return { _tag: "FieldTooLong", line: lines.length }
        fields.push(yield* unquote(text, position + 1, end))
        position = end + 1
      } else {
        const field = match(bare) ?? ""
        if (field.length > characters) return { _tag: "FieldTooLong", line: lines.length }
        fields.push(field)
      }
      if (text[position] !== ",") break
      position++
    }
    if (match(lineEnd) === undefined && position < text.length) return { _tag: "QuoteMisplaced" }
    lines.push(fields)
  }
  return { _tag: "Lines", lines }
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

/** A text as a field. */
export const text = (text: string): string =>
  text === "" || /[\s",()\\]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

const field = (value: Json, isList: boolean): string => (value === null ? "" : text(plain(value, isList)))

/** A row as JSON. */
export interface Row {
  readonly [name: string]: Json
}

/**
 * A header of the keys of the first row, and a line for each row. The last line has no line end; no rows make an empty
 * text.
 */
export const print = function* (rows: Iterable<Row>, isList: IsList): Slices<string> {
  let columns: ReadonlyArray<{ readonly name: string; readonly isList: boolean }> | undefined
  const lines: Array<string> = []
  for (const row of rows) {
    if (columns === undefined) {
      columns = Object.keys(row).map((name) => ({ name, isList: isList(name) }))
      lines.push(columns.map(({ name }) => field(name, false)).join(","))
    }
    lines.push(columns.map(({ isList, name }) => field(row[name] ?? null, isList)).join(","))
    yield
  }
  return lines.join("\n")
}
