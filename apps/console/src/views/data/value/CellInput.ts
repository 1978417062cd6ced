/**
 * Converts the text of an input to the value of a column. The checks are those of the column's type; all further rules
 * are the service's.
 */
import type { Json } from "@mfgdata/domain/Json"
import type { ColumnInfo } from "../../../service/Catalogue.ts"
import * as CellText from "./CellText.ts"

/** The text of a field, with its value or the reason why it has none. */
export type Input =
  | { readonly text: string; readonly value: Json; readonly problem?: never }
  | { readonly text: string; readonly value?: never; readonly problem: string }

type Read = { readonly value: Json } | { readonly problem: string }

const json = (text: string, expected: string): Read => {
  try {
    // JSON.parse returns JSON.
    return { value: JSON.parse(text) as Json }
  } catch (error) {
    return { problem: `expected ${expected}: ${error instanceof Error ? error.message : String(error)}` }
  }
}

const element = /\s*(?:"((?:[^"\\]|\\[^])*)"|([^\s"{},\\](?:[^"{},\\]*[^\s"{},\\])?))\s*(,|$)/y

/** The texts of a list in the notation of PostgreSQL, `{a,"b, c"}`. */
const list = (text: string): ReadonlyArray<string> | undefined => {
  const inner = text.slice(1, -1)
  const texts: Array<string> = []
  if (inner.trim() === "") return texts
  for (let position = 0, more = true; more;) {
    element.lastIndex = position
    const found = element.exec(inner)
    if (found === null) return undefined
    texts.push(found[1]?.replaceAll(/\\([^])/g, "$1") ?? found[2] ?? "")
    position += found[0].length
    more = found[3] === ","
  }
  return texts
}

const array = (text: string): Read => {
  const expected = 'an array such as ["a","b"]'
  if (text.startsWith("{") && text.endsWith("}")) {
    const value = list(text)
    return value === undefined ? { problem: `expected ${expected}` } : { value }
  }
  const read = json(text, expected)
  return "problem" in read || Array.isArray(read.value) ? read : { problem: `expected ${expected}` }
}

const object = (text: string): Read => {
  const read = json(text, "a JSON object")
  if ("problem" in read) return read
  const { value } = read
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? read
    : { problem: "expected a JSON object" }
}

/** Reports whether a text such as `2026-01-31` is a day of the calendar. */
const isDate = (text: string): boolean => {
  const date = /^\d{4}-\d\d-\d\d$/.test(text) && !text.startsWith("0000") ? new Date(`${text}T00:00:00Z`) : undefined
  return date !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** The beginning of a timestamp in any of the forms of ISO 8601; the service checks the rest. */
const isTimestamp = (text: string): boolean => /^\d{4}-[\dW-]+[Tt ]\d\d/.test(text)

const truths: { readonly [text: string]: boolean } = { true: true, t: true, false: false, f: false }

const flawOf = (text: string): string | undefined =>
  text.includes("\u0000") ? "U+0000" : text.isWellFormed() ? undefined : "a lone surrogate"

const read = ({ nullable, reference, type, vocabulary }: ColumnInfo, text: string): Read => {
  const trimmed = text.trim()
  if (text === "" && nullable) return { value: null }
  switch (type) {
    case "number": {
      const value = Number(trimmed)
      return trimmed === "" || !Number.isFinite(value) ? { problem: "expected a number such as 12.5" } : { value }
    }
    case "boolean": {
      const value = truths[trimmed.toLowerCase()]
      return value === undefined ? { problem: "expected true or false" } : { value }
    }
    case "object":
      return object(trimmed)
    case "array":
      return array(trimmed)
    case "date":
      return isDate(trimmed) ? { value: trimmed } : { problem: "expected a calendar date such as 2026-01-31" }
    case "timestamp":
      return isTimestamp(trimmed)
        ? { value: trimmed }
        : { problem: "expected a timestamp such as 2026-01-31T08:30:00Z" }
    case "text": {
      const flaw = flawOf(text)
      if (flaw !== undefined) return { problem: `expected text without ${flaw}` }
      if (text !== "") return { value: text }
      if (reference !== undefined) return { problem: `expected the ${reference.field} of a ${reference.resource}` }
      return vocabulary === undefined
        ? { value: text }
        : { problem: `expected a word such as ${vocabulary.known[0] ?? "Draft"}` }
    }
  }
}

/** The input of a text that was typed into a column. An empty text is null where the column allows it. */
export const parse = (column: ColumnInfo, text: string): Input => ({ text, ...read(column, text) })

/** The input of a value. */
export const fromValue = (value: Json): Input => ({ text: CellText.plain(value), value })

/** The text of a value in an editor: objects and arrays are indented. */
export const toText = (value: Json | undefined): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value, undefined, 2) : CellText.plain(value)
