import { assert, describe, it } from "vitest"
import { isAccessible } from "./support/accessibility.ts"
import * as Console from "./support/console.ts"
import { mount } from "./support/mount.ts"

const console = Console.make()

const controls = async (options: Console.VisitOptions = {}) => {
  const visit = await console.visit(options)
  await visit.open("")
  await visit.sees("Sign in")
  await mount(visit, "controls.tsx")
  await visit.sees("Controls")
  return visit
}

const result = ({ page }: Console.Visit) => page.$eval("#result", ({ textContent }) => textContent)

describe("the controls", () => {
  for (const scheme of ["light", "dark"] as const) {
    it(`are accessible in ${scheme}`, async () => {
      await isAccessible(await controls({ scheme, width: 360 }))
    })
  }

  it("open a menu by keys, skip what is disabled, and give the focus back", async () => {
    const visit = await controls()
    await visit.page.focus('button[aria-label="Actions"]')
    await visit.press("ArrowDown")
    await visit.sees("Third")
    await isAccessible(visit)
    await visit.press("ArrowDown", "Enter")
    assert.strictEqual(await result(visit), "third")
    assert.strictEqual(await visit.focused(), "Actions")
    await visit.press("Enter")
    await visit.sees("Third")
    await visit.press("Escape")
    await visit.seesNo("Third")
  })

  it("move between tabs by the arrow keys", async () => {
    const visit = await controls()
    await visit.page.focus('[role="tab"][aria-selected="true"]')
    await visit.press("ArrowRight")
    await visit.sees("Part two")
    assert.strictEqual(await visit.focused(), "Two")
    await visit.press("ArrowRight")
    await visit.sees("Part one")
  })

  it("keep the focus in a dialog, close it by Escape, and give the focus back", async () => {
    const visit = await controls()
    await visit.click("button", "Open")
    await visit.sees("Inside")
    await isAccessible(visit)
    await visit.press("Tab", "Tab", "Tab")
    assert.isTrue(
      await visit.page.evaluate(() => {
        const { activeElement } = document
        return activeElement === document.body || activeElement?.closest("dialog") !== null
      })
    )
    await visit.press("Escape")
    await visit.seesNo("Inside")
    assert.strictEqual(await visit.focused(), "Open")
  })

  it("undo what a message offers", async () => {
    const visit = await controls()
    await visit.click("button", "Delete")
    await visit.sees("Deleted.")
    await isAccessible(visit)
    await visit.click("button", "Undo")
    await visit.seesNo("Deleted.")
    assert.strictEqual(await result(visit), "undone")
  })

  it("list a hundred thousand rows, of which few are in the page", async () => {
    const visit = await controls()
    await visit.page.focus('[role="listbox"]')
    await visit.press("End")
    await visit.sees("Row 99999")
    assert.isBelow(await visit.page.$$eval('[role="option"]', ({ length }) => length), 60)
    assert.strictEqual(
      await visit.page.$eval('[role="option"][aria-selected="true"]', (row) => row.getAttribute("aria-posinset")),
      "100000"
    )
    await visit.press("PageUp", "ArrowUp", "Enter")
    assert.match((await result(visit)) ?? "", /^opened 999\d\d$/)
    await visit.press("Home")
    await visit.sees("Row 0")
    await visit.seesNo("Row 99999")
  })
})
