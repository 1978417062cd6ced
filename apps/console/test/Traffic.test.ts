import * as Timestamp from "@mfgdata/domain/Timestamp"
import { assert, describe, it } from "vitest"
import * as Exchanges from "../src/views/traffic/Exchanges.ts"
import type { Exchange } from "../src/views/traffic/TrafficFilter.ts"
import { isAccessible } from "./support/accessibility.ts"
import * as Console from "./support/console.ts"

const console = Console.make()

const create = (name: string) =>
  console.send("/rest/holiday", {
    method: "POST",
    body: JSON.stringify({ name, date: "2027-03-01", companyId: "demo" })
  })

describe("the traffic", () => {
  it("shows requests as they happen, the request and the response of one, and what its text filter leaves", async () => {
    const visit = await console.signedIn("/traffic")
    await visit.sees("Traffic")
    await create("Founding day")
    await visit.sees("POST")
    await console.send("/rest/holiday?select=nonsense")
    await visit.sees("/rest/holiday?select=nonsense")
    await visit.fill("Text", "founding")
    await visit.seesNo("/rest/holiday?select=nonsense")
    await visit.sees("1 requests")
    await visit.page.focus('[role="listbox"]')
    await visit.press("Enter")
    await visit.sees('"name": "Founding day"')
    await isAccessible(visit)
  })

  it("keeps what arrives while it is paused, and shows it afterwards", async () => {
    await create("First day")
    const visit = await console.signedIn("/traffic")
    await visit.page.waitForSelector('[role="option"]')
    await visit.page.focus("h1")
    await visit.press("p")
    await visit.sees("Follow")
    await create("Second day")
    await visit.sees("(1 new)")
    await visit.press("p")
    await visit.sees("Pause")
    await visit.fill("Text", "second day")
    await visit.sees("1 requests")
  })

  it("sends a request again with changes, and shows a refusal next to the recorded response", async () => {
    await create("Third day")
    const visit = await console.signedIn("/traffic?text=third+day&method=POST")
    await visit.page.waitForSelector('[role="option"]')
    await visit.page.focus('[role="listbox"]')
    await visit.press("Enter")
    await visit.click("button", "Replay")
    await visit.sees("The key is that of this session.")
    await visit.fill("Body", '{"name":7}')
    await visit.click("button", "Send")
    await visit.sees("New response 400")
    await visit.sees("Recorded response 201")
    await isAccessible(visit)
  })

  it.each([
    ["light", 1280],
    ["dark", 360]
  ] as const)("is accessible in %s, %i pixels wide", async (scheme, width) => {
    await create("<img src=x onerror=alert(1)>")
    const visit = await console.signedIn("/traffic", { scheme, width })
    await visit.page.waitForSelector('[role="option"]')
    await visit.page.focus('[role="listbox"]')
    await visit.press("Enter")
    await visit.sees("Replay")
    await isAccessible(visit)
  })
})

describe("the exchanges that the page keeps", () => {
  const exchange = (sequence: number, body = ""): Exchange => ({
    sequence,
    at: Timestamp.Timestamp.make("2027-03-01T00:00:00.000Z"),
    millis: 1,
    method: "GET",
    target: "/",
    resource: null,
    status: 200,
    requestId: String(sequence),
    apiKey: null,
    companyId: null,
    peer: null,
    traceparent: null,
    fault: null,
    lost: null,
    request: { headers: {}, body: "", bytes: 0 },
    response: { headers: {}, body, bytes: body.length }
  })

  it("are the newest, each once", () => {
    const kept = Exchanges.add([exchange(2), exchange(1)], [exchange(3), exchange(2)])
    assert.deepEqual(
      kept.map(({ sequence }) => sequence),
      [3, 2, 1]
    )
  })

  it("are bounded in number and in characters", () => {
    const many = Array.from({ length: Exchanges.most.exchanges + 5 }, (_, index) => exchange(index))
    assert.lengthOf(Exchanges.add([], many), Exchanges.most.exchanges)
    const body = "x".repeat(Exchanges.most.characters / 4)
    const large = Array.from({ length: 9 }, (_, index) => exchange(index, body))
    assert.deepEqual(
      Exchanges.add([], large).map(({ sequence }) => sequence),
      [8, 7, 6, 5]
    )
  })
})
