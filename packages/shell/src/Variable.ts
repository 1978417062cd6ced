/**
 * Reads variables of the environment.
 */
import { homedir } from "node:os"
import { join } from "node:path"

/** The value of a variable; none for an empty one. */
export const read = (name: string): string | undefined => {
  const value = process.env[name]
  return value === undefined || value === "" ? undefined : value
}

/** The folder of the files that a program can make again: in `XDG_CACHE_HOME`, or below `~/.cache`. */
export const cacheFolder = (program: string): string => {
  const windows = process.platform === "win32" ? process.env["LOCALAPPDATA"] : undefined
  return join(read("XDG_CACHE_HOME") ?? windows ?? join(homedir(), ".cache"), program)
}
