/**
 * Makes a folder for the files of a bench, which is removed when the process exits, also after a signal.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Makes a folder. */
export const make = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "mfgdata-bench-"))
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143]
  ] as const) {
    process.once(signal, () => process.exit(code))
  }
  return folder
}
