/**
 * The names of the rows that a comparison makes: each row holds one in a column of text, so that the run, or the next one
 * after it was killed, finds the row again and no other.
 */
import { createHash, randomBytes } from "node:crypto"
import { hostname } from "node:os"

/** The start of every name. */
export const prefix = "mfg-compare-"

const host = createHash("sha256").update(hostname()).digest("hex").slice(0, 6)

/** The names of one run. */
export interface Run {
  readonly prefix: string
  readonly next: () => string
}

const form = /^mfg-compare-([0-9a-z]+)-([0-9a-f]{6})-(\d+)-[0-9a-f]{4}-/

/** Starts the names of a run of this process. */
export const start = (now: number, pid: number = process.pid): Run => {
  const ofRun = `${prefix}${now.toString(36)}-${host}-${pid}-${randomBytes(2).toString("hex")}-`
  let count = 0
  return { prefix: ofRun, next: () => `${ofRun}${++count}` }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process of another user.
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

/** The age at which a run on another machine counts as stopped: the longest ones take a few hours. */
const longestRun = 12 * 60 * 60 * 1000

/** Reports whether a text is the name of a row of a run that has ended. */
export const isLeft = (text: string, now: number, own: Run): boolean => {
  const [, startedAt = "", ofHost, pid = ""] = form.exec(text) ?? []
  if (startedAt === "" || text.startsWith(own.prefix)) return false
  if (ofHost !== host) return now - parseInt(startedAt, 36) > longestRun
  return Number(pid) === process.pid || !isAlive(Number(pid))
}
