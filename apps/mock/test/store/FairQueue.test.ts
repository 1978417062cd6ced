import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FairQueue from "../../src/store/FairQueue.ts"

/** A queue that logs what it starts; work `company/key/number` runs until it is ended by name. */
const logged = (limits: FairQueue.Limits) => {
  const queue = FairQueue.make(limits)
  const started: Array<string> = []
  const releases = new Map<string, () => void>()
  const add = (name: string) => {
    const [companyId = "", keyId = ""] = name.split("/")
    return queue.acquire({ companyId, keyId }, (release) => {
      started.push(name)
      releases.set(name, release)
    })
  }
  const end = (name: string) => releases.get(name)?.()
  const endAll = () => {
    for (let index = 0; index < started.length; index++) end(started[index] ?? "")
  }
  return { queue, started, add, end, endAll }
}

describe("FairQueue", () => {
  it("starts work immediately while a slot is free, and then in order", () => {
    const { add, end, queue, started } = logged({ slots: 2, places: 8 })
    for (const name of ["a/k/1", "b/k/1", "a/k/2", "c/k/1"]) add(name)
    assert.deepStrictEqual(started, ["a/k/1", "b/k/1"])
    assert.strictEqual(queue.waiting(), 2)
    end("b/k/1")
    assert.deepStrictEqual(started, ["a/k/1", "b/k/1", "c/k/1"])
    end("a/k/1")
    assert.deepStrictEqual(started, ["a/k/1", "b/k/1", "c/k/1", "a/k/2"])
    assert.strictEqual(queue.waiting(), 0)
  })

  for (const [slots, most] of [
    [1, 1],
    [2, 1],
    [4, 2],
    [5, 2]
  ] as const) {
    it(`lets one company take ${most} of ${slots} slots`, () => {
      const { add, started } = logged({ slots, places: 64 })
      for (let number = 0; number < 8; number++) add(`a/k${number}/1`)
      assert.lengthOf(started, most)
      if (slots > 1) {
        add("b/k/1")
        assert.strictEqual(started.at(-1), "b/k/1")
      }
    })
  }

  it("alternates between companies, then between the keys of one", () => {
    const { add, endAll, started } = logged({ slots: 1, places: 64 })
    const names = ["a/x/1", "a/x/2", "a/x/3", "a/x/4", "a/y/1", "b/x/1", "b/x/2", "a/z/1"]
    for (const name of names) add(name)
    endAll()
    assert.deepStrictEqual(started, ["a/x/1", "a/x/2", "b/x/1", "a/y/1", "b/x/2", "a/z/1", "a/x/3", "a/x/4"])
  })

  it("refuses work when all places of its company are taken, and only then when all are", () => {
    const { add, queue } = logged({ slots: 1, places: 4 })
    const isAccepted = (name: string) => Either.isRight(add(name))
    assert.deepStrictEqual(["a/k/1", "a/k/2", "a/l/3", "a/k/4"].map(isAccepted), [true, true, true, false])
    assert.deepStrictEqual(["b/k/1", "b/k/2", "c/k/1"].map(isAccepted), [true, true, false])
    assert.strictEqual(queue.waiting(), 4)
    const refused = Either.getOrThrow(Either.flip(add("a/k/5")))
    assert.deepStrictEqual(refused.reason, { _tag: "QueueFull", places: 2, retryAfterSeconds: 1 })
  })

  it("removes waiting work that is canceled, and frees its place", () => {
    const { add, end, queue, started } = logged({ slots: 1, places: 2 })
    add("a/k/1")
    const cancel = Either.getOrThrow(add("a/k/2"))
    assert.isTrue(Either.isLeft(add("a/k/3")))
    cancel()
    cancel()
    assert.strictEqual(queue.waiting(), 0)
    assert.isTrue(Either.isRight(add("a/k/4")))
    end("a/k/1")
    assert.deepStrictEqual(started, ["a/k/1", "a/k/4"])
    cancel()
    assert.isTrue(Either.isRight(add("a/k/5")))
  })

  it("frees a slot once, however often it is released", () => {
    const { add, end, started } = logged({ slots: 2, places: 8 })
    for (const name of ["a/k/1", "b/k/1", "c/k/1", "d/k/1"]) add(name)
    end("a/k/1")
    end("a/k/1")
    assert.deepStrictEqual(started, ["a/k/1", "b/k/1", "c/k/1"])
  })
})
