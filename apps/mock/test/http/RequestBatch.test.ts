/** What is done in a turn of the event loop, and in which order. */
import { assert, describe, it } from "@effect/vitest"
import { setImmediate } from "node:timers/promises"
import * as RequestBatch from "../../src/http/RequestBatch.ts"

const spin = (millis: number) => {
  const end = performance.now() + millis
  while (performance.now() < end);
}

/** What becomes of requests that arrive together, in order. */
const done = async (requests: ReadonlyArray<string>, millis: number): Promise<ReadonlyArray<string>> => {
  const turn = RequestBatch.make()
  const seen: Array<string> = []
  for (const request of requests) {
    turn.answer(() => {
      spin(millis)
      seen.push(`answered ${request}`)
      turn.write(() => seen.push(`wrote ${request}`))
    })
  }
  assert.isEmpty(seen)
  while (seen.length < 2 * requests.length) await setImmediate()
  return seen
}

describe("Turn", () => {
  it("answers what arrived together before it writes any of it", async () => {
    assert.deepStrictEqual(await done(["one", "two"], 0), ["answered one", "answered two", "wrote one", "wrote two"])
  })

  it("writes what is there when answering takes long", async () => {
    assert.deepStrictEqual(await done(["one", "two"], 5), ["answered one", "wrote one", "answered two", "wrote two"])
  })

  it("takes up what comes later", async () => {
    const turn = RequestBatch.make()
    const seen: Array<string> = []
    turn.answer(() => turn.answer(() => seen.push("second")))
    await setImmediate()
    await setImmediate()
    assert.deepStrictEqual(seen, ["second"])
  })
})
