import { assert, describe, it } from "@effect/vitest"
import { RetryAfter } from "@mfgdata/domain"
import * as Duration from "effect/Duration"

const now = Date.parse("2026-01-01T00:00:00Z")
const days = 86_400

describe("Retry-After", () => {
  it.each([
    ["0", 0],
    ["120", 120],
    ["0120", 120],
    ["10000000000", 10_000_000_000],
    ["Thu, 01 Jan 2026 00:02:05 GMT", 125],
    ["Thursday, 01-Jan-26 00:02:05 GMT", 125],
    ["Thu Jan  1 00:02:05 2026", 125],
    ["Sun Jan 11 00:00:00 2026", 10 * days],
    ["Thu, 01 Jan 2026 23:59:60 GMT", days],
    ["Sat, 28 Feb 2026 00:00:00 GMT", 58 * days],
    ["Tue, 29 Feb 2028 00:00:00 GMT", 789 * days],
    ["Friday, 01-Jan-27 00:00:00 GMT", 365 * days],
    ["Wednesday, 01-Jan-76 00:00:00 GMT", 18_262 * days],
    ["Saturday, 01-Jan-77 00:00:00 GMT", 0],
    ["Wed, 31 Dec 2025 23:59:59 GMT", 0],
    ["Fri, 01 Jan 0099 00:00:00 GMT", 0]
  ])("%s is a wait of %d seconds", (header, seconds) => {
    const delay = RetryAfter.delay(header, now)
    assert.strictEqual(delay && Duration.toSeconds(delay), seconds)
  })

  it.each([
    "",
    "soon",
    "-1",
    "+1",
    "1.5",
    "1e3",
    "0x10",
    " 5",
    "5 ",
    "5, 6",
    "2026-01-01",
    "2026-01-01T00:02:00Z",
    "1 Jan 2026",
    "Thu, 1 Jan 2026 00:02:00 GMT",
    "Thu, 01 Jan 2026 00:02:00",
    "Thu, 01 Jan 2026 00:02:00 GMT+1",
    "Thu, 01 Jan 2026 00:02:00 UTC",
    "thu, 01 jan 2026 00:02:00 gmt",
    "Thu, 00 Jan 2026 00:02:00 GMT",
    "Sat, 29 Feb 2026 00:02:00 GMT",
    "Fri, 32 Jan 2026 00:02:00 GMT",
    "Thu, 01 Jan 2026 24:00:00 GMT",
    "Thu, 01 Jan 2026 00:60:00 GMT",
    "Thu, 01 Jan 2026 00:00:61 GMT",
    "Thu, 01-Jan-26 00:02:00 GMT",
    "Thursday, 01-Jan-2026 00:02:00 GMT",
    "Thu Jan 1 00:02:00 2026"
  ])("ignores %j, which is neither seconds nor a date of HTTP", (header) =>
    assert.isUndefined(RetryAfter.delay(header, now))
  )

  it("accepts dates of every month, and of far years", () => {
    for (let month = 0; month < 12; month++) {
      const date = Date.UTC(2226, month, 15)
      const delay = RetryAfter.delay(new Date(date).toUTCString(), now)
      assert.strictEqual(delay && Duration.toMillis(delay), date - now)
    }
  })

  it("is undefined without the header", () => assert.isUndefined(RetryAfter.delay(undefined, now)))

  it("accepts a number of seconds that is larger than any number", () =>
    assert.isFalse(Duration.isFinite(RetryAfter.delay("9".repeat(400), now) ?? Duration.zero)))
})
