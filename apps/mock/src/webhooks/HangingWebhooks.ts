/**
 * Records the webhooks that do not answer: those whose last attempt timed out or has run for some seconds. A webhook is
 * removed when it answers.
 */
import type { Outcome } from "./Sender.ts"

export interface HangingWebhooks {
  readonly add: (key: string) => void
  readonly has: (key: string) => boolean
  /** Records the outcome of an attempt. */
  readonly note: (key: string, outcome: Outcome) => void
}

/** The number of webhooks above which the oldest ones are removed, such as those that were deleted since. */
const capacity = 10_000

export const make = (): HangingWebhooks => {
  const keys = new Set<string>()
  const add = (key: string) => {
    keys.add(key)
    const [oldest] = keys
    if (keys.size > capacity && oldest !== undefined) keys.delete(oldest)
  }
  return {
    add,
    has: (key) => keys.has(key),
    note: (key, { _tag }) => {
      if (_tag === "Answered") keys.delete(key)
      else if (_tag === "TimedOut") add(key)
    }
  }
}
