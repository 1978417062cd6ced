/**
 * Writes refused rows to a file: a line for each, with the reason.
 */
import type { Json } from "@mfgdata/domain/Json"
import * as Effect from "effect/Effect"
import { closeSync, existsSync, fsyncSync, openSync, truncateSync, writeSync } from "node:fs"
import type { FileFailed } from "../CliError.ts"
import * as FileAccess from "../FileAccess.ts"

/** A refused row. */
interface Refusal {
  readonly resource: string
  readonly line: number
  /** The code of the service, or `invalid` for a row that was not sent. */
  readonly code: string
  readonly reason: string
  readonly row: Json
}

export interface Rejects {
  /** The file, which the first refusal creates. */
  readonly path: string
  readonly bytes: () => number
  readonly add: (refusals: ReadonlyArray<Refusal>) => Effect.Effect<void, FileFailed>
}

/** Appends to a file after its first `kept` bytes, which belong to processed batches. */
export const make = (path: string, kept: number): Rejects => {
  let bytes = kept
  let isOpened = false
  return {
    path,
    bytes: () => bytes,
    add: (refusals) =>
      refusals.length === 0
        ? Effect.void
        : FileAccess.writing(path, () => {
            if (!isOpened && existsSync(path)) truncateSync(path, kept)
            isOpened = true
            const file = openSync(path, "a", 0o600)
            try {
              const text = refusals.map((refusal): string => `${JSON.stringify(refusal)}\n`).join("")
              bytes += writeSync(file, text)
              fsyncSync(file)
            } finally {
              closeSync(file)
            }
          })
  }
}
