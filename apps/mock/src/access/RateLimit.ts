/**
 * Limits the requests of each key per window, which begins with the first request. Each process counts its own requests.
 */
import type * as Exchange from "../Exchange.ts"
import type { Rate } from "../Settings.ts"

/** The decision about one request. */
interface Decision {
  readonly isWithin: boolean
  /** Seconds until the window ends, rounded up. */
  readonly secondsLeft: number
  /** The `RateLimit` headers of the response. */
  readonly headers: Exchange.Headers
}

export interface RateLimit {
  /** Counts a request of a key. */
  readonly take: (keyId: string) => Decision
}

interface Window {
  readonly untilMillis: number
  taken: number
}

/** The number of windows above which expired ones are removed. */
const capacity = 10_000

/** A limit on a clock of milliseconds. */
export const make = ({ requests, windowMillis }: Rate, now: () => number): RateLimit => {
  const windows = new Map<string, Window>()
  // The form of draft-ietf-httpapi-ratelimit-headers, where quotas have names; this one is the key's.
  const policy = `"key";q=${requests};w=${windowMillis / 1000}`

  const windowOf = (keyId: string): Window => {
    const millis = now()
    const known = windows.get(keyId)
    // A clock that was set back starts a new window.
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
          // Milliseconds since 1970, as in the public system.
          "X-RateLimit-Reset": String(window.untilMillis)
        }
      }
    }
  }
}
