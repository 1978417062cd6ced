import { assert, describe, it } from "@effect/vitest"
import * as BodyBuffers from "../../src/http/BodyBuffers.ts"

const megabyte = 1024 * 1024

describe("BodyBuffers", () => {
  const make = () => BodyBuffers.make({ size: megabyte, most: 2 })

  it("lends memory again after it was given back", () => {
    const { lend } = make()
    const [first, giveBack] = lend(megabyte)
    const [second] = lend(megabyte - 1)
    assert.notStrictEqual(second.buffer, first.buffer)
    assert.lengthOf(second, megabyte - 1)
    giveBack()
    assert.strictEqual(lend(600_000)[0].buffer, first.buffer)
    assert.notStrictEqual(lend(600_000)[0].buffer, first.buffer)
  })

  it("takes memory back once", () => {
    const { lend } = make()
    const [first, giveBack] = lend(megabyte)
    giveBack()
    giveBack()
    assert.strictEqual(lend(megabyte)[0].buffer, first.buffer)
    assert.notStrictEqual(lend(megabyte)[0].buffer, first.buffer)
  })

  it("keeps a number of buffers, and none for small bodies", () => {
    const { lend } = make()
    const lent = [1, 2, 3].map(() => lend(megabyte))
    for (const [, giveBack] of lent) giveBack()
    const buffers = new Set(lent.map(([{ buffer }]) => buffer))
    const again = [1, 2, 3].map(() => lend(megabyte)[0].buffer)
    assert.deepStrictEqual(
      again.map((buffer) => buffers.has(buffer)),
      [true, true, false]
    )
    const [small, giveBack] = lend(1000)
    giveBack()
    assert.notStrictEqual(lend(1000)[0].buffer, small.buffer)
  })
})
