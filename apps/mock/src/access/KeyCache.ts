/**
 * Caches lookups of keys by digest. Entries expire soon enough that a key revoked by another instance is refused within a
 * second. Keys themselves are not kept, and digests are compared in constant time.
 */
import { hash, timingSafeEqual } from "node:crypto"

/** The time to live of an entry, in milliseconds. */
export const lifetime = 900

const capacity = 10_000

export interface KeyCache<A> {
  readonly get: (digest: string) => A | undefined
  /** The entry of a digest, also after its time to live. */
  readonly peek: (digest: string) => A | undefined
  readonly set: (digest: string, value: A) => void
  /** Adds an entry that never expires. */
  readonly pin: (digest: string, value: A) => void
  readonly clear: () => void
}

interface Entry<A> {
  readonly digest: Buffer
  readonly value: A
  readonly until: number
}

/** The SHA-256 of a key in hexadecimal digits, as stored and cached. */
export const digest = (key: string): string => hash("sha256", key)

/** Compares two digests in constant time. */
export const isSame = (one: Buffer, other: string): boolean => timingSafeEqual(one, Buffer.from(other, "latin1"))

/** A digest as bytes, to compare others with. */
export const toBytes = (digest: string): Buffer => Buffer.from(digest, "latin1")

// The lookup by a prefix may leak through timing; the whole digest is then compared in constant time.
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
      return entry !== undefined && entry.until > now() ? entry.value : undefined
    },
    peek: (digest) => (find(pinned, digest) ?? find(entries, digest))?.value,
    set: (digest, value) => {
      entries.delete(place(digest))
      entries.set(place(digest), { digest: toBytes(digest), value, until: now() + lifetime })
      if (entries.size <= capacity) return
      const [oldest] = entries.keys()
      if (oldest !== undefined) entries.delete(oldest)
    },
    pin: (digest, value) => void pinned.set(place(digest), { digest: toBytes(digest), value, until: Infinity }),
    clear: () => entries.clear()
  }
}
