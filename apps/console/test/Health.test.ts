import { assert, describe, it } from "vitest"
import * as Exposition from "../src/views/health/Exposition.ts"
import * as HealthSeries from "../src/views/health/HealthSeries.ts"
import { pathOf } from "../src/views/health/Chart.tsx"
import { isAccessible } from "./support/accessibility.ts"
import * as Console from "./support/console.ts"

const console = Console.make()

const reading = (at: number, requests: number, refused: number, fast: number): HealthSeries.Reading => ({
  at,
  samples: Exposition.parse(
    [
      "# HELP mfg_mock_requests_total Completed requests.",
      `mfg_mock_requests_total{resource="holiday",method="GET",status="200"} ${requests}`,
      `mfg_mock_requests_total{resource="holiday",method="GET",status="401"} ${refused}`,
      `mfg_mock_request_duration_seconds_bucket{method="GET",le="0.001"} ${fast}`,
      `mfg_mock_request_duration_seconds_bucket{method="GET",le="0.005"} ${requests + refused}`,
      `mfg_mock_request_duration_seconds_bucket{method="GET",le="+Inf"} ${requests + refused}`,
      `mfg_mock_commit_duration_seconds_count ${requests / 2}`,
      "mfg_mock_queue_depth 3"
    ].join("\n")
  )
})

describe("the health", () => {
  it("computes rates, percentiles and errors between two readings", () => {
    const point = HealthSeries.between(reading(0, 100, 0, 50), reading(2000, 280, 20, 150))
    assert.deepInclude(point, { requests: 100, errors: 10, commits: 45, queue: 3, backlog: undefined, p50: 1 })
    assert.deepEqual([...(point?.errorsByStatus ?? [])], [["401", 10]])
    assert.closeTo(point?.p99 ?? 0, 1 + 4 * 0.98, 1e-9)
  })

  it("measures nothing across a start of the service, and no latency without requests", () => {
    assert.strictEqual(HealthSeries.between(reading(0, 100, 0, 50), reading(2000, 5, 0, 5)), undefined)
    const idle = HealthSeries.between(reading(0, 100, 0, 50), reading(2000, 100, 0, 50))
    assert.deepInclude(idle, { requests: 0, p50: undefined })
  })

  it("interrupts a line where nothing was measured", () => {
    assert.strictEqual(pathOf([1, 0.5, undefined, 1], 4, 1), "M0 1.0h0.5L1 30.0M3 1.0h0.5")
  })

  it.each([
    ["light", 1280],
    ["dark", 360]
  ] as const)("shows live values in %s, %i pixels wide", async (scheme, width) => {
    const visit = await console.signedIn("/health", { scheme, width })
    await visit.sees("Requests")
    await visit.seesNo("Measuring.")
    await isAccessible(visit)
    await console.send("/rest/holiday?limit=1")
    await console.send("/rest/holiday?limit=1", { headers: { Authorization: "Bearer wrong" } })
    await visit.sees(/Last errors: 401 [\d.]+\/s/)
    await visit.until(() => document.querySelector(".chart path")?.getAttribute("d")?.startsWith("M"))
  })

  it("reads nothing while the page is hidden, and goes on afterwards", async () => {
    const visit = await console.signedIn("/health")
    await visit.seesNo("Measuring.")
    const readings = () =>
      visit.page.evaluate(
        () => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/metrics")).length
      )
    const setHidden = (isHidden: boolean) =>
      visit.page.evaluate((isHidden: boolean) => {
        Object.defineProperty(document, "hidden", { configurable: true, value: isHidden })
        document.dispatchEvent(new Event("visibilitychange"))
        document.body.dataset["since"] = String(performance.now())
      }, isHidden)
    await setHidden(true)
    const before = await readings()
    // Two periods pass.
    await visit.page.waitForFunction(() => performance.now() > Number(document.body.dataset["since"]) + 4500)
    // One reading may have been on its way.
    assert.isAtMost(await readings(), before + 1)
    const hidden = await readings()
    await setHidden(false)
    await visit.page.waitForFunction(
      (hidden: number) =>
        performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/metrics")).length > hidden,
      {},
      hidden
    )
  })

  it("opens with the keys g m, and asks for the administrator's key without one", async () => {
    const visit = await console.signedIn("/", { keys: { apiKey: console.apiKey() } })
    await visit.sees("Home")
    await visit.press("g", "m")
    await visit.sees("This view needs the administrator's key.")
  })
})
