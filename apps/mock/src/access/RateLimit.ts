/**
 * Limits the requests of each key, and of each company, per window, which begins with the first request. Each process
 * counts its own requests.
 */
import type * as Exchange from "../Exchange.ts"
import type { Rate } from "../Settings.ts"
import type { Caller } from "./Caller.ts"

/** The rates in force. */
export interface Rates {
  readonly key?: Rate | undefined
  readonly company?: Rate | undefined
}

/** The policies: each rate counts the requests of a key, or of a company. */
type Policy = keyof Rates

/** A rate that a request exceeds. */
export interface Exceeded extends Rate {
  readonly policy: Policy
  /** Seconds until the window ends, rounded up. */
  readonly secondsLeft: number
}

/** The decision about one request. */
interface Decision {
  readonly exceeded: Exceeded | undefined
  /** The `RateLimit` headers of the response. */
  readonly headers: Exchange.Headers
}

export interface RateLimit {
  /** Counts a request of a caller, unless it exceeds a rate. */
  readonly take: (caller: Pick<Caller, "keyId" | "companyId">) => Decision
}

interface Window {
  readonly untilMillis: number
  taken: number
}

/** The number of windows above which expired ones are removed. */
const capacity = 10_000

/** The windows of one policy, by key or company. */
const windowsOf = ({ windowMillis }: Rate, now: () => number) => {
  const windows = new Map<string, Window>()
  return (id: string): Window => {
    const millis = now()
    const known = windows.get(id)
    // A clock that was set back starts a new window.
    if (known !== undefined && millis < known.untilMillis && known.untilMillis - millis <= windowMillis) return known
    const begun = { untilMillis: millis + windowMillis, taken: 0 }
    windows.set(id, begun)
    if (windows.size > capacity) {
      for (const [id, { untilMillis }] of windows) if (untilMillis <= millis) windows.delete(id)
    }
    return begun
  }
}

/** Limits by the rates in force on a clock of milliseconds; undefined without any. */
export const make = ({ company, key }: Rates, now: () => number): RateLimit | undefined => {
  const policies = (["key", "company"] as const).flatMap((policy) => {
    const rate = policy === "key" ? key : company
    return rate === undefined ? [] : [{ policy, rate, windowOf: windowsOf(rate, now) }]
  })
  if (policies.length === 0) return undefined
  // The form of draft-ietf-httpapi-ratelimit-headers, where each policy has a name.
  const policyHeader = policies
    .map(({ policy, rate }) => `"${policy}";q=${rate.requests};w=${rate.windowMillis / 1000}`)
    .join(", ")

  return {
    take: ({ companyId, keyId }) => {
      const states = policies.map(({ policy, rate, windowOf }) => {
        const window = windowOf(policy === "key" ? keyId : companyId)
        return { policy, rate, window, secondsLeft: Math.ceil((window.untilMillis - now()) / 1000) }
      })
      const beyond = states.find(({ rate, window }) => window.taken >= rate.requests)
      if (beyond === undefined) for (const { window } of states) window.taken += 1
      const left = states.map(({ policy, rate, secondsLeft, window }) => ({
        policy,
        limit: rate.requests,
        remaining: Math.max(0, rate.requests - window.taken),
        secondsLeft,
        untilMillis: window.untilMillis
      }))
      // The headers without names show the policy that is closest to its limit.
      const least = left.reduce((one, other) => (other.remaining < one.remaining ? other : one))
      return {
        exceeded:
          beyond === undefined ? undefined : { policy: beyond.policy, ...beyond.rate, secondsLeft: beyond.secondsLeft },
        headers: {
          RateLimit: left
            .map(({ policy, remaining, secondsLeft }) => `"${policy}";r=${remaining};t=${secondsLeft}`)
            .join(", "),
          "RateLimit-Policy": policyHeader,
          "X-RateLimit-Limit": String(least.limit),
          "X-RateLimit-Remaining": String(least.remaining),
          // Milliseconds since 1970, as in the public system.
          "X-RateLimit-Reset": String(least.untilMillis)
        }
      }
    }
  }
}
