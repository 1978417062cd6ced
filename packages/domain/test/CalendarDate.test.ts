import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as CalendarDate from "../src/CalendarDate.ts"
import { sample } from "./fixtures/generated.ts"

const accepts = Schema.is(CalendarDate.CalendarDate)

describe("CalendarDate", () => {
  it("accepts dates of the calendar", () => {
    for (const text of ["0001-01-01", "2026-01-31", "2024-02-29", "2000-02-29", "1900-02-28", "9999-12-31"]) {
      assert.isTrue(accepts(text), text)
    }
  })

  it("rejects dates that the calendar does not have", () => {
    for (const text of [
      "0000-12-31",
      "2026-00-10",
      "2026-13-01",
      "2026-01-00",
      "2026-01-32",
      "2026-04-31",
      "2026-02-29",
      "1900-02-29",
      "2100-02-29"
    ]) {
      assert.isFalse(accepts(text), text)
    }
  })

  it("rejects other formats", () => {
    for (const text of [
      "",
      "2026-1-31",
      "26-01-31",
      "02026-01-31",
      "2026/01/31",
      "20260131",
      "2026-01-31T00:00:00Z",
      " 2026-01-31",
      "2026-01-31\n",
      "２０２６-01-31",
      "-026-01-31",
      "+026-01-31",
      "2026-01-3 ",
      "2026-01 31"
    ]) {
      assert.isFalse(accepts(text), JSON.stringify(text))
    }
    for (const value of [null, 20260131, new Date(0)]) assert.isFalse(accepts(value))
  })

  it("agrees with Date on every day of four hundred years", () => {
    const day = 86_400_000
    const start = Date.UTC(1800, 0, 1)
    for (let index = 0; index < 146_097; index++) {
      const text = new Date(start + index * day).toISOString().slice(0, 10)
      if (!CalendarDate.is(text)) assert.fail(text)
    }
    let days = 0
    for (let year = 1800; year < 2200; year++) {
      for (let month = 0; month <= 13; month++) {
        for (let dayOfMonth = 0; dayOfMonth <= 32; dayOfMonth++)
          if (CalendarDate.exists(year, month, dayOfMonth)) days++
      }
    }
    assert.strictEqual(days, 146_097)
  })

  it("returns the year of a date", () => {
    assert.strictEqual(CalendarDate.year(CalendarDate.make("0987-06-05")), 987)
  })

  it("throws for a text that is not a date", () => {
    assert.throws(() => CalendarDate.make("2026-02-30"), /a calendar date such as 2026-01-31/)
  })

  it("generates dates of all centuries", () => {
    const days = sample(CalendarDate.CalendarDate, 500)
    assert.isTrue(days.every(accepts))
    assert.isTrue(days.some((day) => CalendarDate.year(day) < 1000))
  })
})
