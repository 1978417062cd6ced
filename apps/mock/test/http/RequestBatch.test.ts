/** Checks the order of work in a turn of the event loop. */
import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { setImmediate } from "node:timers/promises"
import * as RequestBatch from "../../src/http/RequestBatch.ts"

let now = 0
beforeEach(() => void vi.spyOn(performance, "now").mockImplementation(() => now))
afterEach(() => vi.restoreAllMocks())

/** Handles requests that arrive together, and returns the order of work. */
const run = async (requests: ReadonlyArray<string>, millis: number): Promise<ReadonlyArray<string>> => {
  const batch = RequestBatch.make()
  const seen: Array<string> = []
  for (const request of requests) {
    batch.handle(() => {
      now += millis
      seen.push(`handled ${request}`)
      batch.write(() => seen.push(`wrote ${request}`))
    })
  }
  assert.isEmpty(seen)
  while (seen.length < 2 * requests.length) await setImmediate()
  return seen
}

describe("RequestBatch", () => {
  it("handles requests that arrive together before it writes a response", async () => {
    assert.deepStrictEqual(await run(["one", "two"], 0), ["handled one", "handled two", "wrote one", "wrote two"])
  })

  it("writes finished responses when handling takes long", async () => {
    assert.deepStrictEqual(await run(["one", "two"], 5), ["handled one", "wrote one", "handled two", "wrote two"])
  })

  it("handles a request that arrives during a batch", async () => {
    const batch = RequestBatch.make()
    const seen: Array<string> = []
    batch.handle(() => batch.handle(() => seen.push("second")))
    await setImmediate()
    await setImmediate()
    assert.deepStrictEqual(seen, ["second"])
  })

  it("gives each company the same time, and takes away the time of large requests", async () => {
    const batch = RequestBatch.make()
    const seen: Array<string> = []
    const handle = (name: string, companyId: string, millis: number) =>
      batch.handle(() => {
        now += millis
        seen.push(name)
      }, companyId)
    for (let index = 0; index < 10; index++) handle("large", "one", 3)
    for (let index = 0; index < 10; index++) handle("small", "other", 0.5)
    while (seen.length < 20) await setImmediate()
    assert.isAtMost(seen.lastIndexOf("small"), 12)
    assert.deepStrictEqual(seen.slice(-6), Array<string>(6).fill("large"))
  })

  it("handles more requests of a company than it keeps", async () => {
    const batch = RequestBatch.make()
    const handled: Array<number> = []
    const handle = (index: number) =>
      batch.handle(() => {
        now += 1
        handled.push(index)
      })
    for (let index = 0; index < 5000; index++) handle(index)
    while (handled.length < 5000) await setImmediate()
    handle(5000)
    await setImmediate()
    assert.deepStrictEqual(
      handled,
      Array.from({ length: 5001 }, (_, index) => index)
    )
  })
})
