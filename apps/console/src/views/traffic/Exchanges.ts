/**
 * The exchanges that the page keeps: the newest first, a bounded number with bounded bodies, so that the page may stay
 * open for a day.
 */
import type { Exchange } from "./TrafficFilter.ts"

/** The bounds of what the page keeps: exchanges, and characters of their bodies. */
export const most = { exchanges: 2000, characters: 16_000_000 }

const charactersOf = ({ request, response }: Exchange): number => request.body.length + response.body.length

/** Adds exchanges in any order, each once, and lets the oldest go. */
export const add = (kept: ReadonlyArray<Exchange>, added: ReadonlyArray<Exchange>): ReadonlyArray<Exchange> => {
  const known = new Set(kept.map(({ sequence }) => sequence))
  const fresh = added.filter(({ sequence }) => !known.has(sequence) && known.add(sequence))
  const all = [...fresh, ...kept].toSorted((one, other) => other.sequence - one.sequence).slice(0, most.exchanges)
  let characters = 0
  const end = all.findIndex((exchange) => (characters += charactersOf(exchange)) > most.characters)
  return end === -1 ? all : all.slice(0, Math.max(1, end))
}
