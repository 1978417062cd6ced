import { assert, describe, it } from "vitest"
import { isAccessible } from "./support/accessibility.ts"
import * as Console from "./support/console.ts"

const console = Console.make()

const holidays = async (world: string) => {
  const made = await console.send(`/_mock/keys?world=${world}`, { method: "POST", body: '{"name":"test"}' })
  const { key } = (await made.json()) as { readonly key: string }
  const response = await console.send("/rest/holiday?select=name", { headers: { Authorization: `Bearer ${key}` } })
  return ((await response.json()) as ReadonlyArray<{ readonly name: string }>).map(({ name }) => name)
}

describe("the worlds", () => {
  it("forks a world that the whole page then shows, compares it and deletes it", async () => {
    const visit = await console.signedIn("/worlds")
    await visit.sees("Isolated copies")
    await visit.click("button", "New world")
    await visit.fill("Name", "trial")
    await visit.press("Enter")
    await visit.sees("trial (shown)")
    assert.include(visit.page.url(), "world=trial")
    await visit.sees("fork of main")

    await visit.fill("Name of a snapshot", "before")
    await visit.press("Enter")
    await visit.sees("Restore before")
    await isAccessible(visit)
    const made = await console.send("/_mock/keys?world=trial", { method: "POST", body: '{"name":"test"}' })
    const { key } = (await made.json()) as { readonly key: string }
    await console.send("/rest/holiday", {
      method: "POST",
      headers: { Authorization: `Bearer ${key}` },
      body: JSON.stringify({ name: "<b>Trial day</b>", date: "2027-03-01", companyId: "demo" })
    })
    await visit.click("link", "Changes since before")
    await visit.sees("<b>Trial day</b>")
    await visit.sees("only in the second")
    await isAccessible(visit)

    await visit.open("/worlds?world=trial")
    await visit.click("button", "Restore before")
    await visit.sees("become those of the snapshot")
    await visit.click("button", "Restore")
    await visit.sees("is as in before")
    assert.notInclude(await holidays("trial"), "<b>Trial day</b>")

    await visit.click("button", "Actions on trial")
    await visit.click("menuitem", "Delete")
    await visit.sees("Its forks stay")
    await visit.press("Tab", "Tab")
    await visit.click("button", "Delete")
    await visit.seesNo("trial (shown)")
    assert.notInclude(visit.page.url(), "world=trial")
  })

  it("freezes and moves the clock, with a warning in the head, by the keyboard alone", async () => {
    const made = await console.send("/_mock/worlds", { method: "POST", body: '{"name":"timed"}' })
    assert.strictEqual(made.status, 201)
    const visit = await console.signedIn("/worlds?world=timed")
    await visit.sees("Freeze")
    const toggle = async (name: string) => {
      await visit.page.evaluate((name: string) => {
        ;[...document.querySelectorAll("button")].find(({ innerText }) => innerText.trim() === name)?.focus()
      }, name)
      await visit.press("Enter")
    }
    await toggle("Freeze")
    await visit.sees("Clock frozen")
    await visit.fill("Set to", "2031-05-01 12:00")
    await visit.press("Enter")
    await visit.sees("2031-05-01T12:00")
    await visit.fill("Set to", "soon")
    await visit.sees("Expected a date and time")
    await toggle("Resume")
    await visit.seesNo("Clock frozen")
  })

  it("switches the world in the head", async () => {
    await console.send("/_mock/worlds", { method: "POST", body: '{"name":"other","seed":"empty"}' })
    const visit = await console.signedIn("/worlds")
    await visit.click("button", "World main")
    await visit.click("menuitemcheckbox", "other")
    await visit.sees("other (shown)")
    await visit.open("/holiday?world=other")
    await visit.sees("other")
  })

  it.each([
    ["light", 1280],
    ["dark", 360]
  ] as const)("are accessible in %s, %i pixels wide", async (scheme, width) => {
    const visit = await console.signedIn("/worlds", { scheme, width })
    await visit.sees("Snapshots of main")
    await isAccessible(visit)
  })
})

describe("the faults", () => {
  it("arms a ready set and a rule of a form, warns, and clears them", async () => {
    const visit = await console.signedIn("/faults")
    await visit.sees("No fault is on.")
    await visit.click("button", "New rule")
    await visit.page.select("select", "status")
    await visit.fill("Status", "418")
    await visit.fill("At most so many times", "1")
    await visit.click("button", "Arm")
    await visit.sees("status 418 (times 1)")
    await visit.sees("Faults on")
    const response = await console.send("/rest/holiday?limit=1")
    assert.strictEqual(response.status, 418)
    await visit.click("button", "Refresh")
    await visit.sees("1 of 1")
    await visit.click("button", "slow-mobile")
    await visit.sees("bandwidth")
    await isAccessible(visit)
    await visit.click("button", "Clear all")
    await visit.sees("No fault is on.")
    await visit.seesNo("Faults on")
  })

  it("shows the refusal of a rule that could never fire, and keeps what was typed", async () => {
    const visit = await console.signedIn("/faults", { scheme: "dark", width: 360 })
    await visit.sees("No fault is on.")
    await visit.click("button", "New rule")
    await visit.click("checkbox", "Edit as JSON")
    await visit.fill("Rule", '{"match": {"method": "POST"}, "stale": 5}')
    await visit.click("button", "Arm")
    await visit.sees("the rule can never fire")
    await visit.sees("stale")
    await isAccessible(visit)
  })
})
