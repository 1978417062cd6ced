import { assert, describe, it } from "vitest"
import { isAccessible } from "./support/accessibility.ts"
import * as Console from "./support/console.ts"

const console = Console.make()

describe("signing in", () => {
  it("takes an API key, and shows the first view", async () => {
    const visit = await console.visit()
    await visit.open("")
    await visit.sees("Sign in")
    await isAccessible(visit)
    await visit.fill("API key or administrator's key", console.apiKey())
    await visit.press("Enter")
    await visit.sees("Warehouse transfer")
  })

  it("refuses a wrong key with the reason of the service", async () => {
    const visit = await console.visit()
    await visit.open("")
    await visit.fill("API key or administrator's key", "mfg_wrong")
    await visit.click("button", "Sign in")
    await visit.sees("The service refused this key")
  })

  it("follows the address of the start once", async () => {
    const address = console.oneTimeAddress()
    const visit = await console.visit()
    await visit.page.goto(address)
    await visit.sees("World main")
    assert.notInclude(visit.page.url(), "#")
    const again = await console.visit()
    await again.page.goto(address)
    await again.sees("each works once")
  })

  it("is shared by the tabs of a browser, and so is signing out", async () => {
    const first = await console.visit()
    await first.open("")
    await first.fill("API key or administrator's key", console.adminKey())
    await first.press("Enter")
    await first.sees("World main")
    const second = await console.visit({ browserOf: first })
    await second.open("")
    await second.sees("World main")
    await second.click("button", "Session")
    await second.click("menuitem", "Sign out")
    await second.sees("Sign in")
    await first.sees("The key stays in this page")
  })
})
