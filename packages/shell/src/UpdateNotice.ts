/**
 * Announces a newer version of a program, once a day at most. npm asks its registry in the background, so that no command
 * waits for the answer, and a later command reads it.
 */
import { spawn } from "node:child_process"
import { closeSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import type { Executable } from "./Executable.ts"
import * as Terminal from "./Terminal.ts"
import * as Variable from "./Variable.ts"

/** The variable that turns the notice off. */
export const variable = "MFG_NO_UPDATE_NOTICE"

const offs = [variable, "NO_UPDATE_NOTIFIER", "CI"]

const dayMillis = 86_400_000

/** True when a file was written in the last day. */
const isRecent = (path: string): boolean => {
  const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  return written !== undefined && Math.abs(Date.now() - written) < dayMillis
}

const numbers = (version: string): ReadonlyArray<number> => version.split(".").map(Number)

/** True for a release that is newer than a version. */
const isNewer = (release: string, version: string): boolean => {
  if (!/^\d+\.\d+\.\d+$/.test(release)) return false
  const [current = ""] = version.split(/[-+]/)
  const own = numbers(current)
  const difference = numbers(release).map((number, index) => number - (own[index] ?? 0))
  const first = difference.find((number) => number !== 0) ?? 0
  return first > 0 || (first === 0 && version.includes("-"))
}

/** Starts npm, which writes the latest version into a file after this process has ended. */
const ask = (packageName: string, answer: string): void => {
  const output = openSync(answer, "w", 0o600)
  const npm = spawn("npm", ["view", packageName, "version", "--no-update-notifier"], {
    cwd: homedir(),
    detached: true,
    stdio: ["ignore", output, "ignore"],
    // npm is a script on Windows.
    shell: process.platform === "win32",
    windowsHide: true
  })
  // The notice needs npm.
  npm.on("error", () => {})
  npm.unref()
  closeSync(output)
}

/** Shows the notice, and asks for the next one. Nothing of this fails a command. */
export const show = (executable: Executable, packageName: string): void => {
  if (!Terminal.isErrorTerminal() || offs.some((name) => Variable.read(name) !== undefined)) return
  try {
    const answer = join(Variable.cacheFolder(executable.name), "latest-version")
    const shown = join(Variable.cacheFolder(executable.name), "update-notice")
    if (!isRecent(answer)) {
      mkdirSync(Variable.cacheFolder(executable.name), { recursive: true, mode: 0o700 })
      return ask(packageName, answer)
    }
    const latest = readFileSync(answer, "utf8").trim()
    if (isRecent(shown) || !isNewer(latest, executable.version)) return
    writeFileSync(shown, "")
    const notice = `${executable.name} ${latest} is available, this is ${executable.version}: npm install --global ${packageName}@latest (${variable}=1 turns this notice off)`
    process.stderr.write(`${Terminal.styledError("dim", notice)}\n`)
  } catch {
    // A cache that cannot be written has no notice.
  }
}
