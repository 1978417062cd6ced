import { assert, describe, it } from "vitest"
import { isAccessible } from "./support/accessibility.ts"
import * as Console from "./support/console.ts"
import { type } from "./support/rowForm.ts"

const console = Console.make()

/** The row with a key, as the service has it now. */
const row = async (resource: string, key: string): Promise<Record<string, unknown>> =>
  (await console.send(`/rest/${resource}?id=eq.${key}`)).json()

const create = async (resource: string, values: object): Promise<Record<string, unknown>> => {
  const response = await console.send(`/rest/${resource}`, {
    method: "POST",
    headers: { Prefer: "return=representation" },
    body: JSON.stringify(values)
  })
  assert.strictEqual(response.status, 201)
  return response.json()
}

const change = (resource: string, key: string, values: object) =>
  console.send(`/rest/${resource}?id=eq.${key}`, { method: "PATCH", body: JSON.stringify(values) })

const transfer = async (values: object = {}) => {
  const { companyId, fromLocationId, toLocationId } = await row("warehouseTransfer", "wt_000001")
  const { id } = await create("warehouseTransfer", {
    transferId: `T-${Math.random().toString(36).slice(2)}`,
    status: "Draft",
    companyId,
    fromLocationId,
    toLocationId,
    ...values
  })
  return String(id)
}

/** Opens the grid of one row with the keyboard on its first cell. */
const gridOf = async (key: string, columns: string) => {
  const visit = await console.signedIn(`/warehouseTransfer?id=eq.${key}&select=${columns}`)
  await visit.sees("1 rows")
  await visit.page.focus('[role="grid"] [tabindex="0"]')
  return visit
}

const cell = (visit: Console.Visit, rowNumber: number, column: number): Promise<string> =>
  visit.page.$eval(`[data-row="${rowNumber}"][data-column="${column}"]`, (element) => element.textContent ?? "")

describe("the grid", () => {
  it("shows the rows of the query in its address, and sorts by a click on a header", async () => {
    const visit = await console.signedIn("/warehouseTransfer?status=eq.Draft&select=transferId,status")
    await visit.sees(/\d rows/)
    await isAccessible(visit)
    await visit.page.click('[role="columnheader"] ::-p-text(transferId)')
    await visit.until(() => location.search.includes("order=transferId.asc"))
    await visit.page.click('[role="columnheader"] ::-p-text(transferId)')
    await visit.until(() => location.search.includes("order=transferId.desc"))
    await visit.until(() => document.querySelector('[aria-sort="descending"]') !== null)
    await visit.until(() => {
      const cells = [...document.querySelectorAll('[role="gridcell"][data-column="2"]')]
      return cells.length > 0 && cells.every(({ textContent }) => textContent === "Draft")
    })
    await visit.page.goBack()
    await visit.until(() => document.querySelector('[aria-sort="ascending"]') !== null)
  })

  it("edits a cell by keyboard alone, reviews the difference, and sends it", async () => {
    const key = await transfer({ notes: "before" })
    const visit = await gridOf(key, "id,notes,status")
    await visit.press("ArrowRight", "Enter", "Control+a")
    await visit.page.keyboard.type("after")
    await visit.press("Enter")
    await visit.sees("Review 1")
    await visit.press("Control+Enter")
    await visit.sees("Review the edits")
    await visit.sees("before")
    await isAccessible(visit)
    await visit.press("Control+Enter")
    await visit.sees("1 edit sent")
    assert.strictEqual((await row("warehouseTransfer", key))["notes"], "after")
  })

  it("takes edits back one by one, and keeps them over a reload", async () => {
    const key = await transfer({ notes: "kept" })
    const visit = await gridOf(key, "id,notes,reference")
    await visit.press("ArrowRight")
    await visit.page.keyboard.type("typed")
    await visit.press("Tab")
    await visit.page.keyboard.type("also")
    await visit.press("Enter", "ArrowUp")
    await visit.sees("Review 1")
    await visit.page.reload()
    await visit.sees("typed")
    await visit.click("button", "Review 1")
    await visit.click("button", "Take back reference")
    await visit.seesNo("also")
    await visit.click("button", "Take all back")
    await visit.sees("No edits")
    await visit.sees("kept")
  })

  it("shows a conflict field by field when somebody else has changed the row, and sends the choice", async () => {
    const key = await transfer({ notes: "base", reference: "R1" })
    const visit = await gridOf(key, "id,notes,reference")
    await visit.press("ArrowRight")
    await visit.page.keyboard.type("mine")
    await visit.press("Enter")
    await change("warehouseTransfer", key, { notes: "theirs", reference: "R2" })
    await visit.press("Control+Enter")
    await visit.click("button", "Send 1 edit")
    await visit.sees("Another person has changed notes")
    await visit.sees("as you saw it")
    await isAccessible(visit)
    await visit.click("button", "Keep mine")
    await visit.click("button", "Send 1 edit")
    await visit.sees("1 edit sent")
    const { notes, reference } = await row("warehouseTransfer", key)
    assert.deepStrictEqual([notes, reference], ["mine", "R2"])
  })

  it("deletes rows with Delete, and brings them back with their keys", async () => {
    const key = await transfer()
    const visit = await gridOf(key, "id,notes")
    await visit.press("Delete", "Control+Enter")
    await visit.click("button", "Send 1 edit")
    await visit.sees("1 row deleted")
    assert.strictEqual((await console.send(`/rest/warehouseTransfer?id=eq.${key}`)).status, 404)
    await visit.click("button", "Undo")
    await visit.sees("The row is back")
    assert.strictEqual((await row("warehouseTransfer", key))["id"], key)
  })

  it("creates a row in the form of its resource, and shows the refusal at the field", async () => {
    const visit = await console.signedIn("/warehouseTransfer")
    await visit.sees(/\d rows/)
    await visit.click("button", "New")
    await visit.sees("New warehouseTransfer")
    await isAccessible(visit)
    await type(visit, "transferId", "T-form")
    await type(visit, "status", "Dra")
    await visit.sees("Draft")
    await visit.press("ArrowDown", "Enter")
    await visit.click("button", "Review and send")
    await visit.click("button", "Send 1 edit")
    await visit.sees("Required and without a value")
    await visit.press("Escape")
    await visit.seesNo("Review the edits")
    await visit.page.focus('[role="grid"] [tabindex="0"]')
    await visit.press("Control+Home", "Enter")
    await visit.sees("New warehouseTransfer")
    await visit.sees("A value is required")
    await type(visit, "fromLocationId", "loc_plant")
    await type(visit, "toLocationId", "loc_harbour")
    await visit.click("button", "Review and send")
    await visit.click("button", "Send 1 edit")
    await visit.sees("1 edit sent")
    const [created] = await (await console.send("/rest/warehouseTransfer?transferId=eq.T-form&limit=1")).json()
    assert.strictEqual(created.status, "Draft")
  })

  it("pastes cells of a spreadsheet over cells, and a table with a header as new rows", async () => {
    const key = await transfer({ notes: "a" })
    const visit = await gridOf(key, "id,notes,reference,transferDate")
    const paste = (text: string) =>
      visit.page.evaluate((text) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData("text/plain", text)
        document.activeElement?.dispatchEvent(
          new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true })
        )
      }, text)
    await visit.press("ArrowRight")
    await paste('"two\nlines"\tR-7\tnot a date')
    await visit.sees("Pasted 1 row")
    assert.strictEqual(await cell(visit, 0, 2), "two␊lines")
    assert.strictEqual(
      await visit.page.$eval('[data-row="0"][data-column="4"]', (each) => each.getAttribute("aria-invalid")),
      "true"
    )
    await paste("transferId\tnotes\nT-p1\tone\nT-p2\ttwo")
    await visit.sees("Review 3")
    await visit.press("Control+z")
    await visit.sees("Review 1")
  })

  it("shows hostile contents as text in every field, with their control characters visible", async () => {
    const hostile = `<img src=x onerror="document.title='hacked'"><script>document.title='hacked'</script>\u202Egnp.exe\u0007`
    const key = await transfer({
      notes: hostile,
      reference: hostile,
      tags: [hostile],
      customFields: { [hostile]: hostile }
    })
    const visit = await gridOf(key, "id,notes,reference,tags,customFields")
    await visit.sees("<img src=x")
    await visit.sees("⟨U+202E⟩gnp.exe␇")
    await visit.press("ArrowRight", "ArrowRight", "ArrowRight", "Enter")
    await visit.sees("JSON of tags")
    await visit.press("Escape")
    await visit.open(`/warehouseTransfer/${key}`)
    await visit.sees("Related rows")
    await visit.open(`/warehouseTransfer/${key}?tab=history`)
    await visit.sees("⟨U+202E⟩gnp.exe␇")
    assert.notInclude(await visit.page.title(), "hacked")
    assert.strictEqual(await visit.page.$$eval("main img, main script", (found) => found.length), 0)
  })

  it("opens a text of a megabyte cut", async () => {
    const key = await transfer({ notes: `${"long ".repeat(220_000)}end` })
    const visit = await gridOf(key, "id,notes")
    await visit.sees("1.1 M characters")
    await visit.press("ArrowRight", "Enter")
    await visit.sees("are shown")
    assert.isBelow(await visit.page.$eval("dialog pre", (each) => (each.textContent ?? "").length), 200_000)
    await visit.click("button", "Open all")
    await visit.until(() => (document.querySelector("textarea")?.value.length ?? 0) > 1_000_000)
  })

  it("filters with typed inputs, and keeps what they cannot express as text", async () => {
    const visit = await console.signedIn("/warehouseTransfer?or=(status.eq.Draft,notes.is.null)")
    await visit.sees(/\d rows/)
    await visit.sees("=(status.eq.Draft,notes.is.null)")
    await visit.page.select('[aria-label="Add a filter"]', "transferDate")
    await visit.page.select('[aria-label="Operator for transferDate"]', "gte")
    await visit.page.type('[aria-label="Value for transferDate"]', "02012026")
    await visit.until(() => location.search.includes("transferDate=gte.2026-02-01"))
    await visit.fill("Query", "status=eq.Completed")
    await visit.press("Enter")
    await visit.until(() => location.search === "?status=eq.Completed")
    await visit.fill("Query", "status=eq")
    await visit.press("Enter")
    await visit.sees("PGRST100")
    await isAccessible(visit)
  })

  it("lists the bad rows of a CSV file before it writes, and creates the good ones", async () => {
    const { companyId } = await row("warehouseTransfer", "wt_000001")
    const visit = await console.signedIn("/paymentTerm")
    await visit.sees(/\d rows/)
    const lines = [
      "name,daysDue,daysDiscount,discountPercentage,calculationMethod,active",
      "csv one,1,0,0,Net,true",
      "csv two,soon,0,0,Net,true"
    ]
    await visit.click("button", "More")
    await visit.click("menuitem", "Import CSV")
    await visit.sees("CSV file")
    await visit.page.evaluate((text) => {
      const input = document.querySelector<HTMLInputElement>('input[type="file"]')
      const files = new DataTransfer()
      files.items.add(new File([text], "terms.csv", { type: "text/csv" }))
      if (input === null) return
      input.files = files.files
      input.dispatchEvent(new Event("change", { bubbles: true }))
    }, lines.join("\r\n"))
    await visit.sees("1 row can be created")
    await visit.sees("expected a number")
    await isAccessible(visit)
    const count = async () => (await (await console.send("/rest/paymentTerm?name=like.csv*")).json()).length
    assert.strictEqual(await count(), 0)
    await visit.click("button", "Create 1 row")
    await visit.sees("1 row created")
    assert.strictEqual(await count(), 1)
    assert.isString(companyId)
  })

  it("keeps what was typed when the key is revoked, and goes on after another sign-in", async () => {
    const key = await transfer({ notes: "old" })
    const issued = await (
      await console.send("/_mock/keys", { method: "POST", body: JSON.stringify({ name: "short" }) })
    ).json()
    const visit = await console.signedIn(`/warehouseTransfer?id=eq.${key}&select=id,notes`, {
      keys: { apiKey: issued.key }
    })
    await visit.sees("1 rows")
    await visit.page.focus('[role="grid"] [tabindex="0"]')
    await visit.press("ArrowRight")
    await visit.page.keyboard.type("new")
    await visit.press("Enter", "Control+Enter")
    await console.send(`/_mock/keys/${issued.id}`, { method: "DELETE" })
    await visit.click("button", "Send 1 edit")
    await visit.fill("API key or administrator's key", console.apiKey())
    await visit.press("Enter")
    await visit.sees("1 edit sent")
    assert.strictEqual((await row("warehouseTransfer", key))["notes"], "new")
  })
})
