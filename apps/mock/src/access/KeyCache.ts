/**
 * What is known of keys without asking the store. A verdict is forgotten soon enough that a key revoked elsewhere is
 * refused here within a second. Keys themselves are not kept, and digests are compared in constant time.
 */
import { hash, timingSafeEqual } from "node:crypto"

/** Milliseconds for which a verdict holds. */
export const lifetime = 900

const capacity = 10_000

export interface KeyCache<A> {
  readonly get: (digest: string) => A | undefined
  readonly set: (digest: string, verdict: A) => void
  /** A verdict that holds until the process ends. */
  readonly pin: (digest: string, verdict: A) => void
  readonly clear: () => void
}

interface Entry<A> {
  readonly digest: Buffer
  readonly verdict: A
  readonly until: number
}

/** What is kept of a key, at rest and in memory: SHA-256, in hexadecimal digits. */
export const digest = (key: string): string => hash("sha256", key)

/** Whether two digests are the same, in a time that does not tell where they differ. */
export const isSame = (one: Buffer, other: string): boolean => timingSafeEqual(one, Buffer.from(other, "latin1"))

/** A digest to compare others with. */
export const kept = (digest: string): Buffer => Buffer.from(digest, "latin1")

// Where an entry is looked for may show in the time it takes; what is found there is compared as a whole.
const place = (digest: string): string => digest.slice(0, 12)

/** An empty cache on a clock of milliseconds that never goes backwards. */
export const make = <A>(now: () => number): KeyCache<A> => {
  const entries = new Map<string, Entry<A>>()
  const pinned = new Map<string, Entry<A>>()
  const find = (among: ReadonlyMap<string, Entry<A>>, digest: string) => {
    const entry = among.get(place(digest))
    return entry !== undefined && isSame(entry.digest, digest) ? entry : undefined
  }
  return {
    get: (digest) => {
      const entry = find(pinned, digest) ?? find(entries, digest)
      return entry !== undefined && entry.until > now() ? entry.verdict : undefined
    },
    set: (digest, verdict) => {
      entries.delete(place(digest))
      entries.set(place(digest), { digest: kept(digest), verdict, until: now() + lifetime })
      if (entries.size <= capacity) return
      const [oldest] = entries.keys()
      if (oldest !== undefined) entries.delete(oldest)
    },
    pin: (digest, verdict) => void pinned.set(place(digest), { digest: kept(digest), verdict, until: Infinity }),
    clear: () => entries.clear()
  }
}
