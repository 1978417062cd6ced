import { assert, describe, it } from "@effect/vitest"
import * as KeyCache from "../../src/access/KeyCache.ts"

const make = () => {
  const clock = { millis: 0 }
  return { clock, cache: KeyCache.make<string>(() => clock.millis) }
}

const digest = KeyCache.digest("mfg_some_key")

/** Another digest that falls into the same slot. */
const neighbour = digest.slice(0, -1) + (digest.endsWith("0") ? "1" : "0")

describe("KeyCache", () => {
  it("expires an entry after a second", () => {
    const { cache, clock } = make()
    cache.set(digest, "known")
    clock.millis = KeyCache.lifetime - 1
    assert.strictEqual(cache.get(digest), "known")
    clock.millis = KeyCache.lifetime
    assert.isUndefined(cache.get(digest))
    assert.isBelow(KeyCache.lifetime, 1000)
  })

  it("compares the whole digest", () => {
    assert.isTrue(KeyCache.isSame(KeyCache.toBytes(digest), digest))
    assert.isFalse(KeyCache.isSame(KeyCache.toBytes(digest), neighbour))
    const { cache } = make()
    cache.set(digest, "known")
    assert.isUndefined(cache.get(neighbour))
    cache.pin(digest, "pinned")
    assert.isUndefined(cache.get(neighbour))
  })

  it("keeps pinned entries", () => {
    const { cache, clock } = make()
    cache.pin(digest, "pinned")
    cache.clear()
    clock.millis = Number.MAX_SAFE_INTEGER
    assert.strictEqual(cache.get(digest), "pinned")
  })

  it("removes all other entries when it is cleared", () => {
    const { cache } = make()
    cache.set(digest, "known")
    cache.clear()
    assert.isUndefined(cache.get(digest))
  })

  it("is bounded, and evicts the oldest entry first", () => {
    const { cache } = make()
    cache.set(digest, "known")
    for (let index = 0; index < 10_000; index++) cache.set(KeyCache.digest(String(index)), "other")
    assert.isUndefined(cache.get(digest))
    assert.strictEqual(cache.get(KeyCache.digest("0")), "other")
  })

  it("stores SHA-256 of the key", () => {
    assert.strictEqual(KeyCache.digest("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  })
})
