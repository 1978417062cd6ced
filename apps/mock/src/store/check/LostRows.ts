/**
 * Writes what is left of rows that a repair cannot keep to a file, one line of JSON for each row or damaged part.
 */
import * as fs from "node:fs"

/** The remains of a row, or of the rows between two others. */
export interface Lost {
  readonly table: string
  readonly row?: number
  readonly after?: number
  readonly before?: number | undefined
  readonly reason: string
  /** Its values; text that is not UTF-8 as `{ "hex": ... }`. */
  readonly columns?: { readonly [column: string]: unknown } | undefined
}

export interface LostRows {
  readonly add: (lost: Lost) => void
  readonly count: () => number
  /** Completes the file, and returns its path; undefined if nothing was lost. */
  readonly close: () => string | undefined
}

/** Lost rows in a file, which is created with the first of them, for its owner alone. */
export const make = (file: string): LostRows => {
  let descriptor: number | undefined
  let count = 0
  return {
    add: (lost) => {
      descriptor ??= fs.openSync(file, "ax", 0o600)
      fs.writeSync(descriptor, `${JSON.stringify(lost)}\n`)
      count += 1
    },
    count: () => count,
    close: () => {
      if (descriptor === undefined) return undefined
      fs.fsyncSync(descriptor)
      fs.closeSync(descriptor)
      return file
    }
  }
}
