import { assert, describe, it } from "vitest"
import * as Console from "./support/console.ts"
import { mount } from "./support/mount.ts"

const console = Console.make()

describe("live events", () => {
  it("arrive as they happen, and go on after the last one when the service was away", async () => {
    const visit = await console.signedIn("/nowhere/at/all", { keys: { adminKey: console.adminKey() } })
    await visit.sees("Nothing is here")
    await mount(visit, "live.tsx")
    await visit.sees("Traffic")
    // The stream begins with the request after it: the first ones may be before it.
    await visit.until(async () => {
      await fetch("/rest/kanban?limit=1", { headers: { apikey: "x" } })
      return document.body.innerText.includes("/rest/kanban?limit=1")
    })
    await console.send("/rest/holiday?limit=1")
    await visit.sees("/rest/holiday?limit=1")
    await console.goAway()
    await visit.sees("The service does not answer")
    await console.comeBack()
    await console.send("/rest/holiday?limit=2")
    await visit.sees("/rest/holiday?limit=2")
    const lines = await visit.page.$$eval("li", (items) => items.map(({ innerText }) => innerText))
    assert.lengthOf(
      lines.filter((line) => line === "/rest/holiday?limit=1"),
      1
    )
  })
})
