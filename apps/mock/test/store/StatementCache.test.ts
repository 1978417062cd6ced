import { assert, describe, it } from "@effect/vitest"
import * as StatementCache from "../../src/store/StatementCache.ts"

const counting = (capacity: number) => {
  const prepared: Array<string> = []
  const cache = StatementCache.make(capacity, (text) => {
    prepared.push(text)
    return { text }
  })
  return { cache, prepared }
}

describe("StatementCache", () => {
  it("prepares a text once", () => {
    const { cache, prepared } = counting(2)
    assert.strictEqual(cache.get("a"), cache.get("a"))
    assert.deepStrictEqual(prepared, ["a"])
  })

  it("removes the least recently used statement", () => {
    const { cache, prepared } = counting(2)
    for (const text of ["a", "b", "a", "c", "a", "b"]) cache.get(text)
    assert.deepStrictEqual(prepared, ["a", "b", "c", "b"])
    assert.strictEqual(cache.size(), 2)
  })

  it("prepares a removed statement again", () => {
    const { cache, prepared } = counting(2)
    cache.get("a")
    cache.drop("a")
    cache.get("a")
    assert.deepStrictEqual(prepared, ["a", "a"])
  })

  it("stores nothing for a text that cannot be prepared", () => {
    const cache = StatementCache.make(2, (text): string => {
      throw new Error(text)
    })
    assert.throws(() => cache.get("a"), "a")
    assert.strictEqual(cache.size(), 0)
  })
})
