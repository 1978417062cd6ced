import { assert, describe, it } from "vitest"
import { readFileSync } from "node:fs"
import { isAccessible } from "./support/accessibility.ts"
import * as Console from "./support/console.ts"

const console = Console.make()

const tokensOf = (css: string): ReadonlyMap<string, string> =>
  new Map(Array.from(css.matchAll(/--([\w-]+): ([^;]+);/g), ([, name = "", value = ""]) => [name, value]))

const showReference = async (visit: Console.Visit, hash: string) => {
  await visit.page.goto(`${console.origin()}/docs#${hash}`, { waitUntil: "load" })
}

describe("the reference", () => {
  it("has the tokens of the console", async () => {
    const page = await (await console.send("/docs")).text()
    const tokens = tokensOf(readFileSync(new URL("../src/style/tokens.css", import.meta.url), "utf8"))
    const own = tokensOf(page.slice(page.indexOf("<style>"), page.indexOf("</style>")))
    assert.isAbove(own.size, 10)
    for (const [name, value] of own) assert.strictEqual(value, tokens.get(name), name)
  })

  it("sends a request with the key of the console, and shows the response as text", async () => {
    const created = await console.send("/rest/holiday", {
      method: "POST",
      body: JSON.stringify({ name: "<img src=x onerror=alert(1)>", date: "2029-03-01", companyId: "demo" })
    })
    assert.isTrue(created.ok)
    const visit = await console.signedIn("/")
    await visit.sees("Home")
    await showReference(visit, "holiday.list")
    await visit.click("button", "Try it: holiday.list")
    await visit.sees("Sent with the API key of the console.")
    assert.strictEqual(await visit.page.evaluate(() => document.activeElement?.tagName), "INPUT")
    await visit.fill("Path and query", "/rest/holiday?select=name&date=eq.2029-03-01")
    await visit.press("Enter")
    await visit.sees(/200 in \d+ ms/)
    await visit.sees("<img src=x onerror=alert(1)>")
    await visit.fill("Path and query", "https://example.org/")
    await visit.press("Enter")
    await visit.sees("Expected a path of this service")
    await visit.click("button", "Try it: holiday.list")
    await visit.seesNo("Expected a path of this service")
  })

  it("sends the body of an operation with a key that is typed", async () => {
    const visit = await console.visit()
    await showReference(visit, "account.getAttributes")
    await visit.click("button", "Try it: account.getAttributes")
    await visit.sees("Sign in at the console, or enter a key.")
    await visit.fill("API key", console.apiKey())
    await visit.press("Enter")
    await visit.sees(/200 in \d+ ms/)
    await visit.sees('"results"')
    await visit.fill("Body", "{}")
    await visit.click("button", "Send POST")
    await visit.sees(/400 in \d+ ms/)
    await visit.sees("BAD_REQUEST")
  })

  it("takes the session of another tab, and loses it when that signs out", async () => {
    const visit = await console.signedIn("/")
    await visit.sees("Home")
    const other = await console.visit({ browserOf: visit })
    await showReference(other, "holiday.list")
    await other.click("button", "Try it: holiday.list")
    await other.sees("Sent with the API key of the console.")
    await visit.page.bringToFront()
    await visit.click("button", "Session")
    await visit.click("menuitem", "Sign out")
    await other.sees("Sign in at the console, or enter a key.")
  })

  it.each([
    ["light", 1280],
    ["dark", 360]
  ] as const)("is accessible in %s, %i pixels wide, with links to the console", async (scheme, width) => {
    const visit = await console.signedIn("/", { scheme, width })
    await visit.sees("Home")
    await showReference(visit, "holiday.list")
    await visit.fill("Search", "holiday.list")
    await visit.click("button", "Try it: holiday.list")
    await visit.sees("Sent with the API key of the console.")
    await isAccessible(visit)
    await visit.click("link", "Rows of holiday in the console")
    await visit.until(() => location.pathname === "/console/holiday")
    await visit.sees("Holiday")
  })

  it("opens at a resource from its grid", async () => {
    const visit = await console.signedIn("/holiday")
    await visit.sees("Holiday")
    const opened = new Promise<string>((resolve) => {
      visit.page.once("popup", (page) => resolve(page?.url() ?? ""))
    })
    await visit.click("button", "More")
    await visit.click("menuitem", "Reference of holiday")
    assert.strictEqual(new URL(await opened).pathname, "/docs")
  })
})
