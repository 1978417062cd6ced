/**
 * Divides the bytes of a JSON array into those of its elements, and counts what is in them, before anything is built: not
 * even a text, because a refused body would leave it to the garbage collector. The scan does not check the syntax: an
 * array is well-formed if each element is, and it ends with a bracket.
 */
import * as Json from "@mfgdata/domain/Json"
import type { Buffer } from "node:buffer"
import type { Slices } from "../../world/Slices.ts"
import * as CharacterCount from "./CharacterCount.ts"

/** The maximum numbers of a body and of one of its rows. */
export interface Limits {
  readonly rows: number
  readonly values: number
  readonly keysOfRow: number
  readonly valuesOfRow: number
  /** The length of one text as it is sent, without its quotes. */
  readonly charactersOfText: number
  readonly depth: number
}

export const limits: Omit<Limits, "rows"> = {
  values: 1_000_000,
  keysOfRow: 200,
  valuesOfRow: 100_000,
  charactersOfText: 4 * 1024 * 1024,
  // The row is a level too.
  depth: Json.maximumDepth + 1
}

/** A limit that a body exceeds; `row` is the place of the row, counted from one. */
export type Excess =
  | { readonly _tag: "TooManyRows"; readonly limit: number }
  | { readonly _tag: "TooManyValues"; readonly limit: number }
  | {
      readonly _tag: "RowTooLarge"
      readonly measure: "keys" | "depth" | "values" | "characters"
      readonly limit: number
      readonly row: number
    }

export type Scan =
  /** `isClosed` is false for an array without its last bracket, or with text after it. */
  { readonly _tag: "Elements"; readonly isArray: boolean; readonly isClosed: boolean } | Excess

/** The number of bytes between two points at which a scan can be suspended. */
const stride = 16 * 1024

const quote = 0x22
const open = 0x5b
const close = 0x5d
const backslash = 0x5c

/** The maximum number of bytes of a character, as UTF-16 counts it. */
const widest = 3

/** The position after the text that begins with the quote at `start`; a text that is too long is not read to its end. */
const afterText = (bytes: Buffer, start: number, most: number): number => {
  let end = bytes.indexOf(quote, start + 1)
  while (end >= 0 && end - start - 1 <= most * widest) {
    let first = end
    while (bytes[first - 1] === backslash) first--
    // An odd number of backslashes escapes the quote.
    if ((end - first) % 2 === 0) return end + 1
    end = bytes.indexOf(quote, end + 1)
  }
  return end < 0 ? bytes.length : end + 1
}

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d

const afterSpace = (bytes: Buffer, start: number): number => {
  let position = start
  while (isSpace(bytes[position])) position++
  return position
}

/**
 * Scans JSON in UTF-8. For an array it calls `onElement` with the start and the end of each element; a value of another
 * kind is one element.
 */
export const scan = function* (
  bytes: Buffer,
  { charactersOfText, depth: deepest, keysOfRow, rows, values: most, valuesOfRow }: Limits,
  onElement: (start: number, end: number) => void
): Slices<Scan> {
  const begin = afterSpace(bytes, 0)
  const isArray = bytes[begin] === open
  const outer = isArray ? 1 : 0
  let position = isArray ? begin + 1 : begin
  let start = position
  let pause = position + stride
  let row = 1
  let depth = outer
  let keys = 0
  let values = 1
  let valuesBefore = 0

  for (; position < bytes.length; position++) {
    if (position >= pause) {
      pause = position + stride
      yield
    }
    switch (bytes[position] ?? 0) {
      case quote: {
        const end = afterText(bytes, position, charactersOfText)
        if (CharacterCount.exceeds(bytes, position + 1, end - 1, charactersOfText)) {
          return { _tag: "RowTooLarge", measure: "characters", limit: charactersOfText, row }
        }
        position = end - 1
        break
      }
      case open:
      case 0x7b: // {
        depth += 1
        values += 1
        if (depth - outer > deepest) return { _tag: "RowTooLarge", measure: "depth", limit: deepest, row }
        break
      case close:
      case 0x7d: // }
        depth -= 1
        if (isArray && depth === 0) {
          const isEmpty = row === 1 && afterSpace(bytes, start) === position
          if (!isEmpty) onElement(start, position)
          const isClosed = bytes[position] === close && afterSpace(bytes, position + 1) === bytes.length
          return { _tag: "Elements", isArray, isClosed }
        }
        break
      case 0x3a: // :
        if (depth === outer + 1 && ++keys > keysOfRow) {
          return { _tag: "RowTooLarge", measure: "keys", limit: keysOfRow, row }
        }
        break
      case 0x2c: // ,
        values += 1
        if (values > valuesOfRow) return { _tag: "RowTooLarge", measure: "values", limit: valuesOfRow, row }
        if (valuesBefore + values > most) return { _tag: "TooManyValues", limit: most }
        if (isArray && depth === 1) {
          onElement(start, position)
          start = position + 1
          if (++row > rows) return { _tag: "TooManyRows", limit: rows }
          valuesBefore += values
          keys = 0
          values = 1
        }
    }
  }
  if (!isArray) onElement(0, bytes.length)
  return { _tag: "Elements", isArray, isClosed: !isArray }
}
