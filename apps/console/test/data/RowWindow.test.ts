import { assert, describe, it } from "vitest"
import * as RowWindow from "../../src/views/data/grid/RowWindow.ts"

/** A table whose requests are recorded. */
const table = (rows: number, options: Partial<RowWindow.Options> = {}) => {
  const requests: Array<string> = []
  const state = { rows, fails: false }
  const window = RowWindow.make({
    fetch: async ({ after, limit, offset }, signal) => {
      requests.push(after === undefined ? `${offset}+${limit}` : `>${after.values["id"]}+${limit}`)
      await Promise.resolve()
      signal.throwIfAborted()
      if (state.fails) throw new Error("the service is away")
      const count = Math.max(Math.min(limit, state.rows - offset), 0)
      return Array.from({ length: count }, (_, index) => ({ id: offset + index }))
    },
    onChange: () => {},
    pageSize: 10,
    keep: 4,
    ...options
  })
  const show = async (first: number, last: number) => {
    window.show(first, last)
    await window.settled()
  }
  return { requests, state, window, show }
}

describe("a window of rows", () => {
  it("fetches the pages in view once, after the last row before them where it is known", async () => {
    const { requests, show, window } = table(1000)
    await show(0, 5)
    await show(3, 14)
    await show(0, 19)
    await show(500, 505)
    assert.deepStrictEqual(requests, ["0+10", ">9+10", "500+10"])
    assert.strictEqual(window.at(14)?.values["id"], 14)
    assert.isUndefined(window.at(300))
  })

  it("holds the same number of rows wherever a reader of 100 000 rows scrolls", async () => {
    const { show, window } = table(100_000)
    for (let first = 0; first < 100_000; first += 997) await show(first, first + 15)
    assert.isAtMost(window.held().length, 40)
    assert.strictEqual(window.at(99_700)?.values["id"], 99_700)
  })

  it("knows the number of rows only after it saw their end, or after a count", async () => {
    const { show, window } = table(25)
    await show(0, 5)
    assert.deepStrictEqual(window.length(), { rows: 10, exact: false })
    await show(5, 29)
    assert.deepStrictEqual(window.length(), { rows: 25, exact: true })
    const even = table(20)
    await even.show(0, 19)
    assert.deepStrictEqual(even.window.length(), { rows: 20, exact: false })
    await even.show(15, 25)
    assert.deepStrictEqual(even.window.length(), { rows: 20, exact: true })
    const counted = table(1000)
    counted.window.count(1000)
    await counted.show(990, 999)
    assert.deepStrictEqual(counted.window.length(), { rows: 1000, exact: true })
  })

  it("finds the end again after rows were removed, and further rows after a count", async () => {
    const { show, state, window } = table(100)
    window.count(100)
    state.rows = 33
    await show(90, 99)
    assert.isBelow(window.length().rows, 91)
    for (let step = 0; step < 12 && !window.length().exact; step++)
      await show(window.length().rows - 1, window.length().rows - 1)
    assert.deepStrictEqual(window.length(), { rows: 33, exact: true })
    state.rows = 50
    window.refresh()
    await show(30, 49)
    assert.deepStrictEqual(window.length().rows, 50)
  })

  it("ends at the limit of the query", async () => {
    const { requests, show, window } = table(1000, { limit: 15 })
    await show(0, 40)
    assert.deepStrictEqual(window.length(), { rows: 15, exact: true })
    assert.deepStrictEqual(requests, ["0+10", "10+5"])
  })

  it("stops requests for pages that are out of view", async () => {
    const { show, window } = table(1000)
    window.show(0, 5)
    await show(700, 705)
    assert.isUndefined(window.at(0))
    assert.isDefined(window.at(700))
  })

  it("keeps an error until a request succeeds, and the rows in view during a refresh", async () => {
    const { show, state, window } = table(30)
    await show(0, 5)
    state.fails = true
    window.refresh()
    assert.isDefined(window.at(3))
    await window.settled()
    assert.match(String(window.error()), /away/)
    assert.isDefined(window.at(3))
    state.fails = false
    await show(0, 5)
    assert.isUndefined(window.error())
  })

  it("keeps the beginning of a value of many megabytes", async () => {
    const long = "x".repeat(5_000_000)
    const window = RowWindow.make({
      fetch: async () => [{ id: "a", notes: long, content: { long } }],
      onChange: () => {}
    })
    window.show(0, 1)
    await window.settled()
    const row = window.at(0)
    assert.isBelow(JSON.stringify(row?.values).length, 5000)
    assert.strictEqual(row?.cut.get("notes"), 5_000_000)
    assert.isAbove(row?.cut.get("content") ?? 0, 5_000_000)
  })
})
