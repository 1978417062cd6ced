import { assert, describe, it } from "vitest"
import { add, most } from "../src/views/history/Changes.ts"
import type { Change } from "../src/views/history/HistoryFilter.ts"
import { isAccessible } from "./support/accessibility.ts"
import * as Console from "./support/console.ts"

const console = Console.make()

const keyOf = async (world: string): Promise<string> => {
  const made = await console.send(`/_mock/keys?world=${world}`, { method: "POST", body: '{"name":"test"}' })
  return ((await made.json()) as { readonly key: string }).key
}

const rowOf = async (id: string, key = console.apiKey()): Promise<Record<string, unknown>> =>
  (await console.send(`/rest/warehouseTransfer?id=eq.${id}`, { headers: { Authorization: `Bearer ${key}` } })).json()

const note = async (id: string, notes: string, key = console.apiKey()): Promise<string | null> => {
  const response = await console.send(`/rest/warehouseTransfer?id=eq.${id}`, {
    method: "PATCH",
    headers: { Authorization: `Bearer ${key}` },
    body: JSON.stringify({ notes })
  })
  assert.isTrue(response.ok)
  return response.headers.get("X-Request-Id")
}

const hostile = `<img src=x onerror="document.title='bad'">`

describe("the history", () => {
  it("follows changes, pauses, and undoes one change and the undo", async () => {
    const visit = await console.signedIn("/history")
    await visit.sees("No change matches.")
    await note("wt_000003", hostile)
    await visit.sees(hostile)
    await isAccessible(visit)
    await visit.press("p")
    await visit.sees("Follow")
    await note("wt_000004", "unseen while paused")
    await visit.sees("Follow (1 new)")
    await visit.seesNo("unseen while paused")
    await visit.press("p")
    await visit.sees("unseen while paused")

    await visit.page.locator(".history-entry:first-child button").click()
    await visit.sees("The change is undone.")
    assert.notStrictEqual((await rowOf("wt_000004"))["notes"], "unseen while paused")
    await visit.click("button", "Redo")
    await visit.sees("The undo is undone.")
    assert.strictEqual((await rowOf("wt_000004"))["notes"], "unseen while paused")
  })

  it("filters by the address, also what follows", async () => {
    const request = await note("wt_000005", "of one request")
    const visit = await console.signedIn(`/history?request=${request}`)
    await visit.sees("of one request")
    assert.strictEqual(await visit.page.evaluate(() => document.querySelectorAll(".history-entry").length), 1)
    await visit.open("/history?resource=warehouseTransfer&key=wt_000006")
    await visit.sees("History")
    await note("wt_000005", "another row")
    await note("wt_000006", "the row of the filter")
    await visit.sees("the row of the filter")
    await visit.seesNo("another row")
    await visit.fill("Since (UTC)", "yesterday")
    await visit.press("Enter")
    await visit.sees("Expected a date and time")
    await visit.fill("Since (UTC)", "2099-01-01")
    await visit.press("Enter")
    await visit.sees("No change matches.")
    assert.include(visit.page.url(), "since=2099-01-01")
  })

  it("rewinds a world to a moment after it has shown the consequence, by the keyboard", async () => {
    await console.send("/_mock/worlds", { method: "POST", body: '{"name":"rewound"}' })
    const key = await keyOf("rewound")
    const before = (await rowOf("wt_000007", key))["notes"]
    const moment = new Date().toISOString()
    await note("wt_000007", "to be rewound", key)
    const visit = await console.signedIn("/history?world=rewound", { scheme: "dark", width: 360 })
    await visit.sees("to be rewound")
    await isAccessible(visit)
    await visit.click("button", "Rewind")
    await visit.fill("Moment", "soon")
    await visit.sees("Expected a date and time")
    await visit.fill("Moment", moment)
    await visit.sees("changes since then")
    await isAccessible(visit)
    await visit.press("Enter")
    await visit.sees("rows are as they were")
    assert.deepEqual((await rowOf("wt_000007", key))["notes"], before)
  })

  it("keeps a bounded number of changes, each once", () => {
    const change = (sequence: number, text = ""): Change =>
      // The fields that the list reads.
      ({ sequence, before: null, after: { text } }) as unknown as Change
    const all = Array.from({ length: most.changes + 5 }, (_, sequence) => change(sequence))
    const kept = add(all.slice(0, 10), all)
    assert.strictEqual(kept.length, most.changes)
    assert.strictEqual(kept[0]?.sequence, most.changes + 4)
    const wide = add(kept, [change(most.changes + 5, "x".repeat(most.characters))])
    assert.deepEqual(
      wide.map(({ sequence }) => sequence),
      [most.changes + 5]
    )
  })
})
