import { assert, describe, it } from "vitest"
import { isAccessible } from "./support/accessibility.ts"
import * as Console from "./support/console.ts"

const console = Console.make()

const statusWith = async (key: string, target: string): Promise<number> =>
  (await console.send(target, { headers: { Authorization: `Bearer ${key}` } })).status

const account = async (operation: string, parameters: object = {}): Promise<unknown> => {
  const response = await console.send(`/api/v1/account/${operation}`, {
    method: "POST",
    body: JSON.stringify(parameters)
  })
  assert.strictEqual(response.status, 200, operation)
  return response.json()
}

const shownKey = (visit: Console.Visit): Promise<string> =>
  visit.page.evaluate(() => document.querySelector('[aria-label="The key"]')?.textContent?.trim() ?? "")

describe("the keys", () => {
  it("creates a key with chosen scopes, shows it once, rolls it and revokes it", async () => {
    const visit = await console.signedIn("/keys")
    await visit.sees("The service keeps digests")
    await visit.click("button", "New key")
    await visit.fill("Name", "<b>Reader</b>")
    await visit.page.select("dialog select", "chosen")
    await visit.click("checkbox", "holiday:read")
    await isAccessible(visit)
    await visit.click("button", "Create")
    await visit.sees("shows it this once")
    await isAccessible(visit)
    const first = await shownKey(visit)
    assert.strictEqual(await statusWith(first, "/rest/holiday?limit=1"), 200)
    assert.strictEqual(await statusWith(first, "/rest/kanban?limit=1"), 403)
    await visit.click("button", "Done")
    await visit.seesNo(first)
    await visit.sees("<b>Reader</b>")
    await visit.sees("holiday:read")

    await visit.click("button", "Actions on <b>Reader</b>")
    await visit.click("menuitem", "Roll")
    await visit.click("button", "Roll")
    await visit.sees("shows it this once")
    const second = await shownKey(visit)
    assert.strictEqual(await statusWith(first, "/rest/holiday?limit=1"), 401)
    assert.strictEqual(await statusWith(second, "/rest/holiday?limit=1"), 200)
    await visit.click("button", "Done")

    await visit.click("button", "Actions on <b>Reader</b>")
    await visit.click("menuitem", "Revoke")
    await visit.sees("are refused from then on")
    await visit.click("button", "Revoke")
    await visit.sees("is revoked")
    assert.strictEqual(await statusWith(second, "/rest/holiday?limit=1"), 401)
    await visit.click("checkbox", "Revoked and expired keys too")
    await visit.until(() =>
      [...document.querySelectorAll("tbody tr")].some(({ textContent }) => /Reader.*revoked/.test(textContent ?? ""))
    )
  })

  it("creates a key by the keyboard alone, and keeps a refused form", async () => {
    const visit = await console.signedIn("/keys", { scheme: "dark", width: 360 })
    await visit.sees("The service keeps digests")
    await isAccessible(visit)
    await visit.press("Control+k")
    await visit.page.keyboard.type("new api key")
    await visit.press("Enter")
    await visit.sees("Empty: never.")
    await visit.fill("Name", "typed")
    await visit.fill("User", "nobody")
    await visit.press("Enter")
    await visit.until(() => document.querySelector("dialog .error") !== null)
    await visit.fill("User", "")
    await visit.press("Enter")
    await visit.sees("shows it this once")
    const key = await shownKey(visit)
    assert.strictEqual(await statusWith(key, "/rest/holiday?limit=1"), 200)
  })
})

describe("the people", () => {
  it("changes the account of the user of the key", async () => {
    const visit = await console.signedIn("/people")
    await visit.sees("operations@ridgeline.example")
    await isAccessible(visit)
    await visit.fill("Last name", "<i>Desk</i>")
    await visit.press("Enter")
    await visit.sees("Your account is saved.")
    await visit.sees("<i>Desk</i>")
    assert.propertyVal(await account("getCurrentUser"), "lastName", "<i>Desk</i>")
    await visit.fill("Address of the picture", "no address")
    await visit.click("button", "Save account")
    await visit.until(() => document.querySelector("[aria-invalid=true]") !== null)
  })

  it("sets and clears values of attributes", async () => {
    const visit = await console.signedIn("/people", { scheme: "dark", width: 360 })
    await visit.sees("Your attributes")
    await visit.fill("Desk", "<b>12</b>")
    await visit.press("Enter")
    await visit.sees("Desk is saved.")
    assert.include(JSON.stringify(await account("getAllAttributeCategories")), "<b>12</b>")
    await isAccessible(visit)
    await visit.fill("Desk", "")
    await visit.press("Enter")
    await visit.until(() => document.querySelectorAll(".toast").length === 2)
    assert.notInclude(JSON.stringify(await account("getAllAttributeCategories")), "<b>12</b>")
  })

  it("stores notification preferences, and looks up a user", async () => {
    const visit = await console.signedIn("/people", { keys: { apiKey: console.apiKey() } })
    await visit.sees("Your notifications")
    await visit.click("checkbox", "quality by slack")
    await visit.until(() =>
      [...document.querySelectorAll("tr")].some(
        ({ innerText }) => innerText.startsWith("quality") && innerText.split("not set").length === 2
      )
    )
    const stored = { topic: "quality", channel: "slack", enabled: true }
    assert.deepInclude(await account("getNotificationPreferences"), { results: [stored] })
    await visit.fill("Id of a user", "nobody")
    await visit.press("Enter")
    await visit.sees("NOT_FOUND")
    await visit.fill("Id of a user", "quality")
    await visit.press("Enter")
    await visit.sees("quality@ridgeline.example")
  })
})
