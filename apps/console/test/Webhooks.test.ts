import { assert, describe, it } from "vitest"
import { isAccessible } from "./support/accessibility.ts"
import * as Console from "./support/console.ts"

const console = Console.make()

const holiday = (name: string) =>
  console.send("/rest/holiday", {
    method: "POST",
    body: JSON.stringify({ name, date: "2027-03-01", companyId: "demo" })
  })

const create = async (name: string, url: string) => {
  const flags = { active: true, onInsert: true, onUpdate: true, onDelete: true, successCount: 0, errorCount: 0 }
  const response = await console.send("/rest/webhook", {
    method: "POST",
    body: JSON.stringify({ name, table: "holiday", url, companyId: "demo", ...flags })
  })
  assert.strictEqual(response.status, 201, await response.clone().text())
}

describe("the webhooks", () => {
  it("creates one that the service catches, sends a sample, and checks the signature of its delivery", async () => {
    await holiday("<i>Sample</i>")
    const visit = await console.signedIn("/webhooks")
    await visit.click("button", "New webhook")
    await visit.fill("Name", "caught")
    await visit.page.select("dialog select", "holiday")
    await visit.click("checkbox", "Catch here: the service accepts the deliveries itself, and this page shows them")
    await isAccessible(visit)
    await visit.click("button", "Create")
    await visit.sees("caught here")
    await isAccessible(visit)

    await visit.click("button", "Actions on caught")
    await visit.click("menuitem", "Send a sample event")
    await visit.sees("Sent an UPDATE of holiday")
    await visit.click("button", "Actions on caught")
    await visit.click("menuitem", "Deliveries")
    await visit.page.waitForSelector('[role="listbox"] [role="option"]')
    await visit.page.focus('[role="listbox"]')
    await visit.press("Enter")
    await visit.sees("<i>Sample</i>")
    await visit.sees("204")
    await visit.click("button", "Check the signature")
    await visit.sees("The signature is valid")
    await isAccessible(visit)

    await visit.open("/webhooks")
    await visit.click("button", "Actions on caught")
    await visit.click("menuitem", "Roll the secret")
    await visit.click("button", "Roll")
    await visit.sees("whsec_")
    await visit.press("Escape")
    await visit.click("button", "Actions on caught")
    await visit.click("menuitem", "Switch off")
    await visit.sees("off")
  })

  it("shows why an attempt failed, and sends the delivery again, by the keyboard", async () => {
    await create("away", "http://127.0.0.1:1/")
    await holiday("Unreachable day")
    const visit = await console.signedIn("/webhooks?tab=deliveries", { scheme: "dark", width: 360 })
    await visit.page.waitForSelector('[role="listbox"] [role="option"]')
    await visit.page.focus('[role="listbox"]')
    await visit.press("Enter")
    await visit.sees("ECONNREFUSED")
    await isAccessible(visit)
    await visit.page.evaluate(() => {
      ;[...document.querySelectorAll("button")].find(({ innerText }) => innerText.trim() === "Redeliver")?.focus()
    })
    await visit.press("Enter")
    await visit.until(() => document.querySelectorAll(".attempt").length > 1)
  })

  it("shows the refusal of an address in the form, which keeps what was typed", async () => {
    const visit = await console.signedIn("/webhooks")
    await visit.click("button", "New webhook")
    await visit.fill("Name", "wrong")
    await visit.fill("Address of the receiver", "ftp://receiver.test/")
    await visit.click("button", "Create")
    await visit.sees("url")
    const kept = await visit.page.evaluate(() => document.querySelector<HTMLInputElement>("dialog input")?.value)
    assert.strictEqual(kept, "wrong")
  })
})
