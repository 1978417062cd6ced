/**
 * Names, quoted texts and paths into JSON: what the grammars of filters, select and order share. Every reader has its
 * writer beside it.
 */
import * as Filter from "../Filter.ts"
import { endOfInput } from "../QueryError.ts"
import type { Scanner } from "./Scanner.ts"

const fieldName = "field name (* or [a..z0..9_$])"
/** What could have continued a name, or come after it. */
export const afterName = ["letter", "digit", '"-"', '"->>"', '"->"']

const quotedText = /"[^"\\]*(?:\\[^][^"\\]*)*"/y
const bareName = /[\p{L}0-9_ $]+(?:-(?!>)[\p{L}0-9_ $]+)*/uy
const identifier = /[\p{L}0-9_ $]+/uy
const bareKey = /[^(\-:.,>)]+(?:-(?!>)[^(\-:.,>)]+)*/y
const index = /-?\d{1,9}(?=[ \t]*(?:->|::|[.,)]|$))/y
const digits = /\d*/y

/** A text in double quotes, in which a backslash escapes any character; `undefined` when none begins or it never ends. */
export const readQuoted = (scanner: Scanner): string | undefined =>
  scanner
    .match(quotedText)
    ?.slice(1, -1)
    .replace(/\\([^])/g, "$1")

/** Likewise, where a quote has been seen and has to be closed. */
const readClosed = (scanner: Scanner): string =>
  readQuoted(scanner) ?? scanner.fail([JSON.stringify('"')], scanner.text.length)

export const writeQuoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`

/** A name, bare and trimmed or quoted and as it is; `others` are what could stand in its place. */
export const readName = (scanner: Scanner, others: ReadonlyArray<string> = []): string => {
  if (scanner.peek() === '"') return readClosed(scanner)
  const start = scanner.position
  const name = scanner.match(bareName)?.trim()
  return name === undefined || name === "" ? scanner.fail([fieldName, ...others], start) : name
}

/** The name of a type or a configuration, which has no quoted form; `expected` stands where it must. */
export const readIdentifier = (scanner: Scanner, expected: ReadonlyArray<string>): string => {
  const start = scanner.position
  const name = scanner.match(identifier)?.trim()
  return name === undefined || name === "" ? scanner.fail(expected, start) : name
}

/** A word that means something else in some place where a name can stand. */
const reserved = /^(?:select|columns|on_conflict|order|limit|offset|and|or|not|count|left|inner)$/

export const writeName = (name: string): string =>
  /^[A-Za-z0-9_$]+$/.test(name) && !reserved.test(name) ? name : writeQuoted(name)

/** `[name.]*name`: the way to an embed. */
export const readNames = (scanner: Scanner): ReadonlyArray<string> => {
  const names = [readName(scanner)]
  while (scanner.take(".")) names.push(readName(scanner))
  return names
}

const readKey = (scanner: Scanner): string | number => {
  if (scanner.peek() === '"') return readClosed(scanner)
  const position = scanner.match(index)
  // Adding zero makes -0 the zero it is.
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

/** `(->key|->>key)*` after a column's name. */
export const readSteps = (scanner: Scanner, column: string): Filter.Path => {
  if (!scanner.startsWith("->")) return Filter.column(column)
  const json: Array<Filter.Step> = []
  while (scanner.take("->")) json.push({ arrow: scanner.take(">") ? "->>" : "->", key: readKey(scanner) })
  return { column, json }
}

/** A column and its steps, blanks around them allowed. */
export const readPath = (scanner: Scanner, others?: ReadonlyArray<string>): Filter.Path => {
  scanner.spaces()
  const path = readSteps(scanner, readName(scanner, others))
  scanner.spaces()
  return path
}

export const writePath = ({ column, json }: Filter.Path): string => writeName(column) + json.map(writeStep).join("")

const writeStep = ({ arrow, key }: Filter.Step): string =>
  arrow + (typeof key === "number" || /^[A-Za-z_]\w*$/.test(key) ? key : writeQuoted(key))
