import { assert, describe, it } from "vitest"
import { isAccessible } from "./support/accessibility.ts"
import * as Console from "./support/console.ts"
import { type } from "./support/rowForm.ts"

const console = Console.make()

const row = async (key: string): Promise<Record<string, unknown>> =>
  (await console.send(`/rest/warehouseTransfer?id=eq.${key}`)).json()

const change = async (key: string, values: object): Promise<void> => {
  const response = await console.send(`/rest/warehouseTransfer?id=eq.${key}`, {
    method: "PATCH",
    body: JSON.stringify(values)
  })
  assert.isTrue(response.ok)
}

describe("the page of a row", () => {
  it("shows its fields and the related rows, each one click away", async () => {
    const visit = await console.signedIn("/warehouseTransfer/wt_000001")
    await visit.sees("Related rows")
    await visit.sees("warehouseTransferLine")
    await isAccessible(visit)
    await visit.page.click('section[aria-label="Related rows"] li a')
    await visit.until(() => location.pathname.startsWith("/console/warehouseTransferLine/"))
    await visit.page.locator("a ::-p-text(Open warehouseTransfer)").click()
    await visit.until(() => location.pathname === "/console/warehouseTransfer/wt_000001")
  })

  it("edits fields by keyboard in the form, and sends them", async () => {
    const visit = await console.signedIn("/warehouseTransfer/wt_000002")
    await visit.sees("Related rows")
    await type(visit, "notes", "from the form")
    await type(visit, "transferDate", "2026-05-06")
    await type(visit, "tags", '["a"')
    await visit.sees("expected an array")
    await type(visit, "tags", '["a"]')
    await visit.sees("Review 1")
    await visit.press("Control+Enter")
    await visit.sees("Review the edits")
    await visit.press("Control+Enter")
    await visit.sees("1 edit sent")
    const { notes, tags, transferDate } = await row("wt_000002")
    assert.deepStrictEqual([notes, transferDate, tags], ["from the form", "2026-05-06", ["a"]])
  })

  it("shows the history with the person, the time and each field, and undoes a change", async () => {
    await change("wt_000003", { notes: "first" })
    await change("wt_000003", { notes: "second" })
    const visit = await console.signedIn("/warehouseTransfer/wt_000003?tab=history")
    await visit.sees("Changed")
    await visit.sees("second")
    await isAccessible(visit)
    await visit.page.locator(".history-entry:first-child button").click()
    await visit.sees("The change is undone")
    assert.strictEqual((await row("wt_000003"))["notes"], "first")
    await visit.until(() => document.querySelectorAll(".history-entry").length === 3)
    // The row is not as the second change left it any more.
    await visit.page.locator(".history-entry:nth-child(2) button").click()
    await visit.until(() => document.querySelector(".error")?.textContent?.includes("notes"))
  })

  it("compares two moments, and shows everything that touched the row", async () => {
    await change("wt_000004", { notes: "compared", reference: "REF" })
    await change("wt_000004", { reference: "REF 2" })
    const visit = await console.signedIn("/warehouseTransfer/wt_000004")
    await visit.click("tab", "Compare")
    await visit.until(() => location.search.includes("tab=compare"))
    await visit.sees("REF 2")
    await isAccessible(visit)
    await visit.click("tab", "Why")
    await visit.sees("PATCH /rest/warehouseTransfer")
    await visit.click("tab", "Deliveries")
    await visit.until(() => document.querySelector('[role="tabpanel"] table, [role="tabpanel"] .hint') !== null)
    await isAccessible(visit)
  })

  it("shows the history of a row that was deleted, and brings it back", async () => {
    const visit = await console.signedIn("/warehouseTransfer/wt_000005")
    await visit.sees("Related rows")
    await visit.click("button", "Delete")
    await visit.click("button", "Send 1 edit")
    await visit.sees("No warehouseTransfer has this key now")
    await visit.sees("Deleted")
    await visit.page.locator(".history-entry:first-child button").click()
    await visit.sees("The change is undone")
    await visit.sees("Related rows")
    assert.strictEqual((await row("wt_000005"))["id"], "wt_000005")
  })

  it("names the key that the history needs", async () => {
    const visit = await console.signedIn("/warehouseTransfer/wt_000001?tab=history", {
      keys: { apiKey: console.apiKey() }
    })
    await visit.sees("administrator's key")
  })

  it("is readable in the dark and on a narrow screen", async () => {
    const visit = await console.signedIn("/warehouseTransfer/wt_000001", { scheme: "dark", width: 360 })
    await visit.sees("Related rows")
    await isAccessible(visit)
    const overflow = await visit.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    assert.isAtMost(overflow, 0)
    await visit.open("/warehouseTransfer")
    await visit.sees(/\d rows/)
    await isAccessible(visit)
  })
})
