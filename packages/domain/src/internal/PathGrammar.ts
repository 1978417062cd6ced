/**
 * Parses and prints the common parts of filters, select and order: names, quoted texts and paths into JSON.
 */
import * as Filter from "../Filter.ts"
import { endOfInput } from "../QueryError.ts"
import type { Scanner } from "./Scanner.ts"

const fieldName = "field name (* or [a..z0..9_$])"
/** The expected characters inside or after a name. */
export const afterName = ["letter", "digit", '"-"', '"->>"', '"->"']

const quotedText = /"[^"\\]*(?:\\[^][^"\\]*)*"/y
const bareName = /[\p{L}0-9_ $]+(?:-(?!>)[\p{L}0-9_ $]+)*/uy
const identifier = /[\p{L}0-9_ $]+/uy
const bareKey = /[^(\-:.,>)]+(?:-(?!>)[^(\-:.,>)]+)*/y
const index = /-?\d{1,9}(?=[ \t]*(?:->|::|[.,)]|$))/y
const digits = /\d*/y

/** Reads a text in double quotes, with backslash escapes; `undefined` without a complete one. */
export const readQuoted = (scanner: Scanner): string | undefined =>
  scanner
    .match(quotedText)
    ?.slice(1, -1)
    .replace(/\\([^])/g, "$1")

/** Reads a text after its opening quote; fails where it is not closed. */
const readClosed = (scanner: Scanner): string =>
  readQuoted(scanner) ?? scanner.fail([JSON.stringify('"')], scanner.text.length)

export const writeQuoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`

/** Reads a name, bare and trimmed, or quoted; `others` are expected as well. */
export const readName = (scanner: Scanner, others: ReadonlyArray<string> = []): string => {
  if (scanner.peek() === '"') return readClosed(scanner)
  const start = scanner.position
  const name = scanner.match(bareName)?.trim()
  return name === undefined || name === "" ? scanner.fail([fieldName, ...others], start) : name
}

/** Reads the name of a type or a configuration, which has no quoted form. */
export const readIdentifier = (scanner: Scanner, expected: ReadonlyArray<string>): string => {
  const start = scanner.position
  const name = scanner.match(identifier)?.trim()
  return name === undefined || name === "" ? scanner.fail(expected, start) : name
}

/** Names that have to be quoted, because they have another meaning in some place. */
const reserved = /^(?:select|columns|on_conflict|order|limit|offset|and|or|not|count|left|inner)$/

export const writeName = (name: string): string =>
  /^[A-Za-z0-9_$]+$/.test(name) && !reserved.test(name) ? name : writeQuoted(name)

/** Reads `[name.]*name`, the path of an embed. */
export const readNames = (scanner: Scanner): ReadonlyArray<string> => {
  const names = [readName(scanner)]
  while (scanner.take(".")) names.push(readName(scanner))
  return names
}

const readKey = (scanner: Scanner): string | number => {
  if (scanner.peek() === '"') return readClosed(scanner)
  const position = scanner.match(index)
  // Adding zero turns -0 into 0.
  if (position !== undefined) return Number(position) + 0
  if (scanner.take("-")) {
    scanner.fail(scanner.match(digits) === "" ? ["digit"] : ["digit", '"->"', '"::"', '"."', '","', endOfInput])
  }
  const start = scanner.position
  const key = scanner.match(bareKey)?.trim()
  return key === undefined || key === ""
    ? scanner.fail(["any non reserved character different from: .,>()"], start)
    : key
}

/** Reads `(->key|->>key)*` after the name of a column. */
export const readSteps = (scanner: Scanner, column: string): Filter.Path => {
  if (!scanner.startsWith("->")) return Filter.column(column)
  const json: Array<Filter.Step> = []
  while (scanner.take("->")) json.push({ arrow: scanner.take(">") ? "->>" : "->", key: readKey(scanner) })
  return { column, json }
}

/** Reads a column and its steps, with optional blanks around them. */
export const readPath = (scanner: Scanner, others?: ReadonlyArray<string>): Filter.Path => {
  scanner.spaces()
  const path = readSteps(scanner, readName(scanner, others))
  scanner.spaces()
  return path
}

export const writePath = ({ column, json }: Filter.Path): string => writeName(column) + json.map(writeStep).join("")

const writeStep = ({ arrow, key }: Filter.Step): string =>
  arrow + (typeof key === "number" || /^[A-Za-z_]\w*$/.test(key) ? key : writeQuoted(key))
