import { assert, describe, it } from "vitest"
import { isAccessible } from "./support/accessibility.ts"
import * as Console from "./support/console.ts"

const console = Console.make()

const grid = '[role="grid"] [tabindex="0"]'

/** The files that the page saves, by name, in place of the browser's downloads. */
const withSaved = (visit: Console.Visit): Promise<void> =>
  visit.page.evaluate(() => {
    const files: Record<string, string> = {}
    Object.assign(globalThis, { files })
    let last: Blob | undefined
    URL.createObjectURL = (file) => {
      last = file instanceof Blob ? file : undefined
      return "#"
    }
    HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
      const { download } = this
      void last?.text().then((text) => (files[download] = text))
    }
  })

const saved = (visit: Console.Visit, name: string): Promise<string> =>
  visit.page
    .waitForFunction(
      (name: string) => (globalThis as unknown as { files: Record<string, string> }).files[name],
      {},
      name
    )
    .then((handle) => handle.jsonValue() as Promise<string>)

describe("the grid", () => {
  it("exports the filtered rows in each format", async () => {
    const visit = await console.signedIn(
      "/warehouseTransfer?status=eq.Completed&select=transferId,notes&order=transferId"
    )
    await visit.sees(/\d rows/)
    await withSaved(visit)
    const rows: ReadonlyArray<object> = await (
      await console.send("/rest/warehouseTransfer?status=eq.Completed&select=transferId,notes&order=transferId")
    ).json()
    for (const format of ["csv", "json", "ndjson"]) {
      await visit.click("button", "More")
      await visit.click("menuitem", "Export")
      await visit.page.select("dialog select", format)
      await visit.click("button", "Save the file")
      await visit.seesNo("Save the file")
      const text = await saved(visit, `warehouseTransfer.${format}`)
      if (format === "json") assert.deepStrictEqual(JSON.parse(text), rows)
      else assert.strictEqual(text.trim().split("\n").length, rows.length + (format === "csv" ? 1 : 0))
    }
  })

  it("keeps views and widths, and shows the chosen columns", async () => {
    const visit = await console.signedIn("/holiday?order=date.desc")
    await visit.sees(/\d rows/)
    await visit.click("button", "Choose columns")
    await isAccessible(visit)
    await visit.page.locator("label ::-p-text(customFields)").click()
    await visit.until(() => location.search.includes("select="))
    await visit.press("Escape")
    await visit.click("button", "More")
    await visit.click("menuitem", "Saved views")
    await visit.fill("Name of this view", "Newest")
    await visit.press("Enter")
    await visit.sees("Newest")
    await visit.press("Escape")
    await visit.page.focus(grid)
    await visit.press("ArrowUp", "Alt+ArrowRight", "Alt+ArrowRight")
    await visit.open("/holiday")
    await visit.sees(/\d rows/)
    await visit.click("button", "More")
    await visit.click("menuitem", "Saved views")
    await visit.click("button", "Newest")
    await visit.until(() => location.search.includes("order=date.desc") && !location.search.includes("customFields"))
    const columns = await visit.page.$eval('[role="grid"]', (element) => element.getAttribute("style") ?? "")
    assert.include(columns, "56px 220px 180px")
  })

  it("selects by keyboard, copies as a spreadsheet does, clears and duplicates", async () => {
    const visit = await console.signedIn("/warehouseTransfer?order=id&select=id,transferId,notes&limit=3")
    await visit.sees("3 rows")
    await visit.page.focus(grid)
    await visit.press("ArrowRight", "Shift+ArrowRight", "Shift+ArrowDown")
    assert.strictEqual((await visit.page.$$('[role="gridcell"][aria-selected="true"]')).length, 4)
    const copied = await visit.page.evaluate(() => {
      const clipboardData = new DataTransfer()
      const event = new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true })
      document.activeElement?.dispatchEvent(event)
      return clipboardData.getData("text/plain")
    })
    const rows: ReadonlyArray<{ readonly transferId: string; readonly notes: string | null }> = await (
      await console.send("/rest/warehouseTransfer?order=id&select=transferId,notes&limit=2")
    ).json()
    assert.strictEqual(copied, rows.map(({ notes, transferId }) => `${transferId}\t${notes ?? ""}`).join("\r\n"))
    await visit.press("Escape", "Control+Home", "ArrowRight", "Control+d")
    await visit.sees("Review 1")
    await visit.press("Control+Home", "Delete")
    await visit.sees("No edits")
    await visit.press("ArrowRight", "ArrowRight", "ArrowRight", "Backspace", "Control+Enter")
    await visit.sees("null")
    await visit.click("button", "Take all back")
    await visit.sees("No edits")
  })

  it("keeps the edits while the service is away, and over a sign-out", async () => {
    const visit = await console.signedIn("/warehouseTransfer?id=eq.wt_000006&select=id,notes")
    await visit.sees("1 rows")
    await visit.page.focus(grid)
    await visit.press("ArrowRight")
    await visit.page.keyboard.type("kept over all")
    await visit.press("Enter")
    await visit.sees("Review 1")
    await console.goAway()
    await visit.press("Control+Enter", "Control+Enter")
    await visit.sees("The service does not answer")
    await console.comeBack()
    await visit.sees("1 edit sent")
    await visit.page.focus(grid)
    await visit.press("ArrowRight")
    await visit.page.keyboard.type("after the sign-out")
    await visit.press("Enter")
    await visit.click("button", "Session")
    await visit.click("menuitem", "Sign out")
    await visit.fill("API key or administrator's key", console.apiKey())
    await visit.press("Enter")
    await visit.sees("after the sign-out")
    await visit.sees("Review 1")
    const kept = await (await console.send("/rest/warehouseTransfer?id=eq.wt_000006")).json()
    assert.strictEqual(kept.notes, "kept over all")
  })
})
