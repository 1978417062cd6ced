/**
 * Finds the end of the lines of a CSV body that are read, and a field that is too long, before the body is decoded.
 */
import type { Buffer } from "node:buffer"
import type * as Csv from "../Csv.ts"
import type { Slices } from "../../world/Slices.ts"
import * as CharacterCount from "./CharacterCount.ts"

export type Scan =
  | { readonly _tag: "Lines"; readonly end: number }
  /** The line is counted from zero, without blank lines. */
  | { readonly _tag: "FieldTooLong"; readonly line: number }

const quote = 0x22
const comma = 0x2c
const carriageReturn = 0x0d
const lineFeed = 0x0a

/** The number of bytes between two points at which a scan can be suspended. */
const stride = 16 * 1024

/** The quotes around a field, which do not count. */
const quotes = 2

/** Scans a body. */
export const scan = function* (bytes: Buffer, { characters, lines: most }: Csv.Limits): Slices<Scan> {
  let line = 0
  let field = 0
  let isQuoted = false
  let isBlank = true
  for (let position = 0; position < bytes.length; position++) {
    if (position % stride === 0) yield
    const byte = bytes[position] ?? 0
    const isEnd = !isQuoted && (byte === lineFeed || byte === carriageReturn)
    if (byte === quote) isQuoted = !isQuoted
    if (isEnd && !isBlank && ++line === most) return { _tag: "Lines", end: position }
    isBlank = isEnd
    field = isEnd || (byte === comma && !isQuoted) ? 0 : field + CharacterCount.ofByte(byte)
    if (field > characters + quotes) return { _tag: "FieldTooLong", line }
  }
  return { _tag: "Lines", end: bytes.length }
}
