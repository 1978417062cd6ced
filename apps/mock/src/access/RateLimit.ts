/**
 * How often a key may ask: a number of requests in a window, which begins with the first of them. Each process counts
 * what it answers itself.
 */
import type * as Exchange from "../Exchange.ts"
import type { Rate } from "../Settings.ts"

/** What became of a request. */
interface Verdict {
  readonly isWithin: boolean
  /** Seconds until the window ends, rounded up. */
  readonly secondsLeft: number
  /** What every answer tells of it. */
  readonly headers: Exchange.Headers
}

export interface RateLimit {
  /** Counts a request by a key. */
  readonly take: (keyId: string) => Verdict
}

interface Window {
  readonly untilMillis: number
  taken: number
}

/** Windows beyond this number are looked through for those that are over. */
const capacity = 10_000

/** A limit on a clock of milliseconds. */
export const make = ({ requests, windowMillis }: Rate, now: () => number): RateLimit => {
  const windows = new Map<string, Window>()
  // The form of draft-ietf-httpapi-ratelimit-headers, where quotas have names; this one is the key's.
  const policy = `"key";q=${requests};w=${windowMillis / 1000}`

  const windowOf = (keyId: string): Window => {
    const millis = now()
    const known = windows.get(keyId)
    // A clock that was set back begins anew, too.
    if (known !== undefined && millis < known.untilMillis && known.untilMillis - millis <= windowMillis) return known
    const begun = { untilMillis: millis + windowMillis, taken: 0 }
    windows.set(keyId, begun)
    if (windows.size > capacity) {
      for (const [id, { untilMillis }] of windows) if (untilMillis <= millis) windows.delete(id)
    }
    return begun
  }

  return {
    take: (keyId) => {
      const window = windowOf(keyId)
      const isWithin = window.taken < requests
      if (isWithin) window.taken += 1
      const remaining = requests - window.taken
      const secondsLeft = Math.ceil((window.untilMillis - now()) / 1000)
      return {
        isWithin,
        secondsLeft,
        headers: {
          RateLimit: `"key";r=${remaining};t=${secondsLeft}`,
          "RateLimit-Policy": policy,
          "X-RateLimit-Limit": String(requests),
          "X-RateLimit-Remaining": String(remaining),
          // Milliseconds since 1970, as the public system says it.
          "X-RateLimit-Reset": String(window.untilMillis)
        }
      }
    }
  }
}
