import { assert, describe, it } from "vitest"
import { isAccessible } from "./support/accessibility.ts"
import * as Console from "./support/console.ts"

const console = Console.make()

const pathOf = ({ page }: Console.Visit) => new URL(page.url()).pathname

describe("the first view", () => {
  for (const scheme of ["light", "dark"] as const) {
    for (const width of [1280, 360]) {
      it(`is accessible in ${scheme} at ${width} pixels`, async () => {
        const visit = await console.signedIn("", { scheme, width })
        await visit.sees("Last changes")
        await isAccessible(visit)
        const overflow = await visit.page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth
        )
        assert.strictEqual(overflow, 0)
      })
    }
  }

  it("shows the state of the world and the last change", async () => {
    const created = await console.send("/rest/holiday", {
      method: "POST",
      body: JSON.stringify({ name: "Founding day", date: "2027-05-01", companyId: console.world().companyId })
    })
    const { id }: { readonly id: string } = await created.json()
    const visit = await console.signedIn()
    await visit.sees("World main")
    await visit.sees(id)
    await visit.sees(/holiday \w+ created/)
  })

  it("asks for the administrator's key where the session has none", async () => {
    const visit = await console.signedIn("", { keys: { apiKey: console.apiKey() } })
    await visit.sees("More with the administrator's key")
    await visit.click("button", "Add the administrator's key")
    await visit.fill("Administrator's key", console.apiKey())
    await visit.press("Enter")
    await visit.sees("This is an API key")
    await visit.fill("Administrator's key", console.adminKey())
    await visit.press("Enter")
    await visit.sees("Last changes")
  })
})

describe("the keyboard", () => {
  it("opens a resource by the palette", async () => {
    const visit = await console.signedIn()
    await visit.sees("Last changes")
    await visit.press("Control+k")
    await visit.sees("Go to or run")
    await isAccessible(visit)
    await visit.page.keyboard.type("payment te")
    await visit.press("Enter")
    await visit.until(() => location.pathname === "/console/paymentTerm")
  })

  it("moves in the palette by the arrow keys, and closes it by Escape", async () => {
    const visit = await console.signedIn()
    await visit.sees("Last changes")
    await visit.press("Control+k")
    await visit.page.keyboard.type("warehouse transfer")
    await visit.press("ArrowDown", "Enter")
    await visit.until(() => location.pathname.startsWith("/console/warehouseTransfer"))
    await visit.press("Control+k")
    await visit.until(() => document.querySelector("dialog") !== null)
    await visit.press("Escape")
    await visit.until(() => document.querySelector("dialog") === null)
  })

  it("shows its keys by ?, and follows sequences", async () => {
    const visit = await console.signedIn("/nowhere/at/all")
    await visit.sees("Nothing is here")
    await visit.press("?")
    await visit.sees("Requests of this view")
    await isAccessible(visit)
    await visit.press("Escape", "g", "h")
    await visit.until(() => location.pathname === "/console")
  })

  it("reaches every control by Tab, and skips to the view", async () => {
    const visit = await console.signedIn()
    await visit.sees("Last changes")
    await visit.page.evaluate(() => {
      const reached: Array<string> = []
      document.addEventListener("focusin", ({ target }) => {
        if (target instanceof Element) reached.push(target.getAttribute("aria-label") ?? target.textContent)
      })
      Object.assign(globalThis, { reached })
    })
    await visit.press(...Array.from({ length: 100 }, () => "Tab"))
    // The listener fills it.
    const reached = (await visit.page.evaluate("reached")) as ReadonlyArray<string>
    for (const name of ["Skip to the view", "Session", "Filter resources", "holiday"]) assert.include(reached, name)
  })

  it("does not take letters from fields", async () => {
    const visit = await console.signedIn()
    await visit.sees("Last changes")
    await visit.page.focus('input[aria-label="Filter resources"]')
    await visit.page.keyboard.type("gh?")
    assert.strictEqual(pathOf(visit), "/console")
    assert.strictEqual(await visit.page.$eval('input[aria-label="Filter resources"]', ({ value }) => value), "gh?")
  })
})

describe("the mouse", () => {
  it("follows links without loading the page again, and the buttons of the browser", async () => {
    const visit = await console.signedIn()
    await visit.sees("Last changes")
    await visit.page.evaluate(() => Object.assign(globalThis, { isSame: true }))
    await visit.click("link", "kanban")
    await visit.until(() => location.pathname === "/console/kanban")
    await visit.page.goBack()
    await visit.sees("Last changes")
    assert.isTrue(await visit.page.evaluate(() => "isSame" in globalThis))
  })

  it("opens the navigation on a narrow page", async () => {
    const visit = await console.signedIn("", { width: 360 })
    await visit.sees("Last changes")
    await visit.click("button", "Navigation")
    await visit.sees("salesOrderFavorite")
    await isAccessible(visit)
    await visit.click("link", "holiday")
    await visit.until(() => location.pathname === "/console/holiday")
    await visit.seesNo("salesOrderFavorite")
  })

  it("shows the requests of the view in three languages", async () => {
    const visit = await console.signedIn()
    await visit.sees("Last changes")
    await visit.click("button", "Requests of this view")
    await visit.sees('-H "Authorization: Bearer $MFG_MOCK_ADMIN_KEY"')
    await isAccessible(visit)
    await visit.click("tab", "mfg")
    await visit.sees("mfg api GET '/_mock/")
    await visit.click("tab", "TypeScript")
    await visit.sees("await fetch(")
    assert.notInclude(await visit.page.evaluate(() => document.body.innerText), console.adminKey())
  })
})
