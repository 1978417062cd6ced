import { assert, describe, it } from "vitest"
import { isAccessible } from "./support/accessibility.ts"
import * as Console from "./support/console.ts"
import { mount } from "./support/mount.ts"

const console = Console.make()

/** Makes an API key; `revoke` ends it. */
const issue = async () => {
  const response = await console.send("/_mock/keys", { method: "POST", body: JSON.stringify({ name: "visitor" }) })
  const { id, key }: { readonly id: string; readonly key: string } = await response.json()
  return { key, revoke: () => console.send(`/_mock/keys/${id}`, { method: "DELETE" }) }
}

describe("a key that is revoked", () => {
  it("leads to signing in again over the page, which keeps what was typed and sends the call again", async () => {
    const { key, revoke } = await issue()
    const visit = await console.signedIn("", { keys: { apiKey: key } })
    await visit.sees("More with the administrator's key")
    await mount(visit, "requests.tsx")
    await visit.fill("Name", "typed before")
    await revoke()
    await visit.click("button", "Load")
    await visit.sees("Sign in again")
    await isAccessible(visit)
    await visit.press("Escape")
    await visit.sees("Sign in again")
    await visit.fill("API key or administrator's key", "mfg_wrong")
    await visit.press("Enter")
    await visit.sees("The service refused this key")
    await visit.fill("API key or administrator's key", console.apiKey())
    await visit.press("Enter")
    await visit.sees("Loaded 3 holidays")
    assert.strictEqual(await visit.page.$eval("main input", ({ value }) => value), "typed before")
  })
})

describe("a service that goes away", () => {
  it("shows a banner, finishes reads when it is back, and says that a write may have happened", async () => {
    const visit = await console.signedIn("", { keys: { apiKey: console.apiKey() } })
    await visit.sees("More with the administrator's key")
    await mount(visit, "requests.tsx")
    await console.goAway()
    await visit.click("button", "Load")
    await visit.sees("The service does not answer")
    await visit.click("button", "Create")
    await visit.sees("The change may have happened")
    await console.comeBack()
    await visit.seesNo("The service does not answer.")
    await visit.sees("Loaded 3 holidays")
  })
})

describe("the error of a write", () => {
  it("is shown with its code, its field and the id of its request", async () => {
    const visit = await console.signedIn("", { keys: { apiKey: console.apiKey() } })
    await visit.sees("More with the administrator's key")
    await mount(visit, "requests.tsx")
    await visit.fill("Name", "Without a date")
    await visit.click("button", "Create")
    await visit.sees(/23502 .*date/)
    await visit.sees(/Status 400, request \S+/)
    await isAccessible(visit)
  })
})

describe("the keys of a session", () => {
  it("stay in memory, unless the person asks for the tab to remember them", async () => {
    const visit = await console.visit()
    await visit.open("")
    await visit.fill("API key or administrator's key", console.adminKey())
    await visit.press("Enter")
    await visit.sees("Last changes")
    await visit.page.reload()
    await visit.sees("Sign in")
    await visit.fill("API key or administrator's key", console.adminKey())
    await visit.click("checkbox", "Remember in this tab")
    await visit.click("button", "Sign in")
    await visit.sees("Last changes")
    await visit.page.reload()
    await visit.sees("Last changes")
    assert.deepEqual(await visit.page.cookies(), [])
    await visit.click("button", "Session")
    await visit.click("menuitem", "Sign out")
    await visit.sees("The key stays in this page")
    await visit.page.reload()
    await visit.sees("The key stays in this page")
  })
})

describe("another world", () => {
  it("is the world of the whole page, with a key of its own", async () => {
    await console.send("/_mock/worlds", { method: "POST", body: JSON.stringify({ name: "other" }) })
    const visit = await console.signedIn("?world=other", { keys: { adminKey: console.adminKey() } })
    await visit.sees("World other")
    await mount(visit, "requests.tsx")
    await visit.click("button", "Load")
    await visit.sees("Loaded 3 holidays")
    const { results } = { results: await (await console.send("/_mock/keys?world=other")).json() }
    assert.include(
      results.map(({ name }: { readonly name: string }) => name),
      "console"
    )
  })
})
