/**
 * The changes that the page keeps: the newest first, a bounded number of bounded size.
 */
import type { Change } from "./HistoryFilter.ts"

/** The bounds of what the page keeps: changes, and characters of their rows. */
export const most = { changes: 1000, characters: 16_000_000 }

const sizes = new WeakMap<Change, number>()

const sizeOf = (change: Change): number => {
  const known = sizes.get(change)
  if (known !== undefined) return known
  const size = JSON.stringify([change.before, change.after]).length
  sizes.set(change, size)
  return size
}

/** Adds changes in any order, each once, and lets the oldest go. */
export const add = (kept: ReadonlyArray<Change>, added: ReadonlyArray<Change>): ReadonlyArray<Change> => {
  const bySequence = new Map([...kept, ...added].map((change) => [change.sequence, change]))
  const all = [...bySequence.values()].toSorted((one, other) => other.sequence - one.sequence).slice(0, most.changes)
  let characters = 0
  const end = all.findIndex((change) => (characters += sizeOf(change)) > most.characters)
  return end === -1 ? all : all.slice(0, Math.max(1, end))
}
