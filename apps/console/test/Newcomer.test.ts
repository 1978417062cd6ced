import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as Console from "./support/console.ts"
import { picture } from "./support/pictures.ts"
import * as Program from "./support/program.ts"

const console = Console.make()

let service: Program.LocalService

beforeAll(async () => {
  service = await Program.start()
})
afterAll(() => service.stop())

describe("the first visit of a newcomer", () => {
  it("leads from the printed address to a corrected row, a webhook that is sent again, and an undone change", async () => {
    const visit = await console.visit({ origin: new URL(service.console).origin })
    await visit.page.goto(service.console)
    await visit.sees("World main")
    await visit.sees("Nothing has changed since the seed.")
    await picture(visit, "home")

    await visit.press("Control+k")
    await visit.until(() => document.querySelector("dialog") !== null)
    await visit.page.keyboard.type("warehouse transfer")
    await visit.press("Enter")
    await visit.sees("WT000001")
    await picture(visit, "rows")

    await visit.open("/webhooks")
    await visit.click("button", "New webhook")
    await visit.fill("Name", "Transfers to this page")
    await visit.page.select("dialog select", "warehouseTransfer")
    await visit.click("checkbox", "Catch here: the service accepts the deliveries itself, and this page shows them")
    await visit.click("button", "Create")
    await visit.sees("caught here")

    await visit.open("/warehouseTransfer/wt_000001")
    await visit.sees("Related rows")
    await visit.fill("notes", "Counted again")
    await visit.sees("Review 1")
    await visit.press("Control+Enter")
    await visit.sees("Review the edits")
    await picture(visit, "review")
    await visit.press("Control+Enter")
    await visit.sees("1 edit sent")

    await visit.open("/webhooks?tab=deliveries")
    await visit.page.waitForSelector('[role="listbox"] [role="option"]')
    await visit.page.focus('[role="listbox"]')
    await visit.press("Enter")
    await visit.sees("204")
    await visit.click("button", "Redeliver")
    await visit.until(() => document.querySelectorAll(".attempt").length > 1)
    await picture(visit, "webhooks")

    await visit.open("/warehouseTransfer/wt_000001?tab=history")
    await visit.sees("Counted again")
    await picture(visit, "history")
    await visit.page.locator(".history-entry:first-child button").click()
    await visit.sees("The change is undone")

    await visit.open("/traffic")
    await visit.sees("PATCH")
    await picture(visit, "traffic")

    await visit.page.goto(`${new URL(service.console).origin}/docs`)
    await visit.sees("Try it")
    await picture(visit, "reference")

    await visit.open("")
    await visit.sees("warehouseTransfer wt_000001 changed: ")
    assert.notInclude(await visit.page.evaluate(() => document.body.innerText), "mfg_local_administration")
  })
})
