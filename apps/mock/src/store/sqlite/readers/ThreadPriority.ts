/**
 * Lowers the priority of threads of this process on Linux, where each has its own: where cores are few, the event loop
 * would wait for them.
 */
import { readdirSync, readFileSync } from "node:fs"
import { constants, getPriority, setPriority } from "node:os"

const tasks = "/proc/self/task"

const lowered = new Set<string>()

/** Lowers the threads whose name has this prefix. On other systems, and where it is not allowed, it does nothing. */
export const lower = (prefix: string): void => {
  if (process.platform !== "linux") return
  try {
    const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority
    const priority = Math.min(getPriority() + PRIORITY_BELOW_NORMAL, PRIORITY_LOW)
    for (const id of readdirSync(tasks)) {
      if (lowered.has(id) || !readFileSync(`${tasks}/${id}/comm`, "utf8").startsWith(prefix)) continue
      setPriority(Number(id), priority)
      lowered.add(id)
    }
  } catch {
    // A thread has ended, or a sandbox refuses the call.
  }
}
