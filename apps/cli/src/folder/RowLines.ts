/**
 * Reads and writes files with a row in each line: one line at a time, so that memory does not depend on their length.
 */
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import { closeSync, openSync, readSync, renameSync, writeSync } from "node:fs"
import { StringDecoder } from "node:string_decoder"
import * as Fields from "../Fields.ts"
import * as RowObject from "../RowObject.ts"

export interface Line {
  readonly number: number
  readonly text: string
}

const pieceSize = 262_144

/** The lines of a file that are not empty. */
export function* read(path: string): Generator<Line, void, undefined> {
  const file = openSync(path, "r")
  try {
    const decoder = new StringDecoder("utf8")
    const piece = Buffer.alloc(pieceSize)
    let rest = ""
    let number = 0
    for (;;) {
      const count = readSync(file, piece, 0, pieceSize, null)
      const texts = (rest + (count === 0 ? `${decoder.end()}\n` : decoder.write(piece.subarray(0, count)))).split("\n")
      rest = texts.pop() ?? ""
      for (const line of texts) {
        number++
        const text = line.trim()
        if (text !== "") yield { number, text }
      }
      if (count === 0) return
    }
  } finally {
    closeSync(file)
  }
}

/** The object in a line; `undefined` where there is none. */
export const parse = (text: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return RowObject.is(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The line of a row: known fields in the order of display, and the others by their names. */
export const formatter = (resource: Resource.Any): ((row: JsonObject) => string) => {
  const known = Fields.names(resource)
  const isKnown = new Set(known)
  return (row) => {
    const others = Object.keys(row).filter((name) => !isKnown.has(name))
    // JSON leaves out the fields without a value.
    const line: { [name: string]: Json | undefined } = {}
    for (const name of known) line[name] = row[name]
    for (const name of others.toSorted()) line[name] = row[name]
    return JSON.stringify(line)
  }
}

/** Compares keys by their characters, alike on every machine. */
export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Writes lines to a file, which appears when it is complete. */
export const write = (path: string, lines: Iterable<string>): void => {
  const draft = `${path}.new`
  const file = openSync(draft, "w")
  try {
    let piece = ""
    for (const line of lines) {
      piece += `${line}\n`
      if (piece.length > pieceSize) {
        writeSync(file, piece)
        piece = ""
      }
    }
    writeSync(file, piece)
  } finally {
    closeSync(file)
  }
  renameSync(draft, path)
}
