import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import * as Timestamp from "../src/Timestamp.ts"
import { sample } from "./fixtures/generated.ts"
import * as Moment from "./fixtures/moment.ts"

const canonical = (text: string): string => Timestamp.canonical(Timestamp.make(text))

describe("Timestamp", () => {
  it("is kept as it was given", () => {
    const text = "2026-01-31 14:30:00,120000000+02"
    assert.strictEqual(Schema.decodeUnknownSync(Timestamp.Timestamp)(text), text)
    assert.strictEqual(Schema.encodeSync(Timestamp.Timestamp)(Timestamp.make(text)), text)
  })

  it("has one canonical form: UTC with Z, and 3 or 6 digits of fraction", () => {
    for (const [given, expected] of [
      ["2026-01-31T12:30:00Z", "2026-01-31T12:30:00.000Z"],
      ["2026-01-31T12:30:00.000000Z", "2026-01-31T12:30:00.000Z"],
      ["2026-01-31T12:30:00.1Z", "2026-01-31T12:30:00.100Z"],
      ["2026-01-31T12:30:00.120000Z", "2026-01-31T12:30:00.120Z"],
      ["2026-01-31T12:30:00.123456Z", "2026-01-31T12:30:00.123456Z"],
      ["2026-01-31T12:30:00.000001Z", "2026-01-31T12:30:00.000001Z"],
      ["2026-01-31T12:30:00,5Z", "2026-01-31T12:30:00.500Z"],
      // no zone means UTC
      ["2026-01-31T12:30:00", "2026-01-31T12:30:00.000Z"],
      ["2026-01-31 12:30:00", "2026-01-31T12:30:00.000Z"],
      ["2026-01-31T12:30", "2026-01-31T12:30:00.000Z"],
      ["2026-01-31T12", "2026-01-31T12:00:00.000Z"],
      ["2026-01-31t12:30:00z", "2026-01-31T12:30:00.000Z"],
      // offsets
      ["2026-01-31T12:30:00+02:00", "2026-01-31T10:30:00.000Z"],
      ["2026-01-31T12:30:00+0530", "2026-01-31T07:00:00.000Z"],
      ["2026-01-31 12:30:00.5-08", "2026-01-31T20:30:00.500Z"],
      ["2026-01-31T12+0530", "2026-01-31T06:30:00.000Z"],
      ["2026-01-31T12:30:00-00:00", "2026-01-31T12:30:00.000Z"],
      ["2026-12-31T23:30:00-01:00", "2027-01-01T00:30:00.000Z"],
      // days of a year and of a week
      ["2026-031T10:00:00Z", "2026-01-31T10:00:00.000Z"],
      ["2024-366T10:00Z", "2024-12-31T10:00:00.000Z"],
      ["2026-W05-6T10:00:00Z", "2026-01-31T10:00:00.000Z"],
      ["2026-W53-7T00Z", "2027-01-03T00:00:00.000Z"],
      ["2025-W01-1T00Z", "2024-12-30T00:00:00.000Z"],
      // a fraction of the last part, however long
      ["2026-01-31T12.5Z", "2026-01-31T12:30:00.000Z"],
      ["2026-01-31T12:30,25Z", "2026-01-31T12:30:15.000Z"],
      ["2026-01-31T12.123456789Z", "2026-01-31T12:07:24.444440Z"],
      [`2026-01-31T12.${"1".repeat(40)}Z`, "2026-01-31T12:06:39.999999Z"],
      [`2026-01-31T12.${"1".repeat(40)}2Z`, "2026-01-31T12:06:40.000Z"],
      // cut, never rounded
      ["2026-01-31T12:30:00.1234567Z", "2026-01-31T12:30:00.123456Z"],
      ["2026-01-31T23:59:59.999999999Z", "2026-01-31T23:59:59.999999Z"],
      ["1969-12-31T23:59:59.999999999Z", "1969-12-31T23:59:59.999999Z"],
      // the end of a day, and leap seconds
      ["2026-01-31T24:00:00Z", "2026-02-01T00:00:00.000Z"],
      ["2026-12-31T24:00,0Z", "2027-01-01T00:00:00.000Z"],
      ["2026-01-31T24.000+02", "2026-01-31T22:00:00.000Z"],
      ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"],
      ["2016-12-31T23:59:60.5Z", "2017-01-01T00:00:00.500Z"],
      ["2017-01-01T01:59:60+02:00", "2017-01-01T00:00:00.000Z"],
      ["2017-01-01T05:29:60+05:30", "2017-01-01T00:00:00.000Z"],
      // the first and the last moment, and those beyond, to which only an offset leads
      ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
      ["9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"],
      ["0001-01-01T00:00:00+02:00", "0001-01-01T21:59:00.000+23:59"],
      ["0001-01-01T00:00:00+23:59", "0001-01-01T00:00:00.000+23:59"],
      ["9999-12-31T23:59:59.999999-00:01", "9999-12-31T00:01:59.999999-23:59"],
      ["9999-12-31T24:00:00Z", "9999-12-31T00:01:00.000-23:59"],
      ["0099-03-01T00:00:00Z", "0099-03-01T00:00:00.000Z"]
    ] as const) {
      assert.strictEqual(canonical(given), expected, given)
      assert.strictEqual(Timestamp.read(given), Timestamp.read(expected), given)
    }
  })

  const outOfRange = [
    "2026-02-30T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-000T00:00Z",
    "2026-366T00:00Z",
    "2026-W00-7T00Z",
    "2025-W53-1T00Z",
    "2026-W05-0T00Z",
    "2026-W05-8T00Z",
    "9999-W52-7T00Z",
    "2026-01-31T24:00:00.001Z",
    "2026-01-31T24:00:01Z",
    "2026-01-31T24:01Z",
    "2026-01-31T24.1Z",
    "2026-01-31T25:00:00Z",
    "2026-01-31T12:60:00Z",
    "2026-01-31T12:30:60Z",
    "2026-01-31T23:59:60+01:00",
    "2026-01-31T23:59:61Z",
    "2026-01-31T12:30:00+24:00",
    "2026-01-31T12:30:00+02:60",
    "0000-12-31T23:59:59Z",
    "0000-366T00Z",
    "9999-12-31T24:00:00-23:59"
  ]

  const misformed = [
    "",
    "2026-01-31",
    "2026-W05-6",
    "12:30:00",
    "20260131T123000Z",
    "2026-01T12:30:00Z",
    "2026-W05T12:30:00Z",
    "2026-w05-6T12:30:00Z",
    "2026-01-31T12:30:00.Z",
    "2026-01-31T12:30.5:00Z",
    "2026-01-31T12:30:00+2",
    "2026-01-31T12:30:00+02:",
    "2026-01-31T12:30:00 +02:00",
    "2026-01-31T12:30:00Z ",
    "2026-01-31T12:30:00Z\n",
    "2026-01-31T12:30:00+02:00:00",
    "2026-01-31X12:30:00Z",
    "2026-01-31T1230Z",
    "2026-01-31T٠٠:30:00Z",
    "1769862600",
    "+02026-01-31T12:30:00Z",
    "12026-01-31T12:30:00Z"
  ]

  it("refuses a text of another form, and numbers that are out of range", () => {
    for (const text of [...outOfRange, ...misformed]) {
      assert.isUndefined(Timestamp.read(text), JSON.stringify(text))
      assert.isFalse(Timestamp.is(text), JSON.stringify(text))
      assert.strictEqual(Timestamp.isFormed(text), outOfRange.includes(text), JSON.stringify(text))
    }
    for (const value of [null, 1769862600, new Date(0)]) assert.isFalse(Timestamp.is(value))
  })

  it("reads every form of every moment", () => {
    FastCheck.assert(
      FastCheck.property(Moment.arbitrary, ({ micros, text }) => {
        assert.strictEqual(Timestamp.read(text), micros, text)
        assert.isTrue(Timestamp.is(text) && Timestamp.isFormed(text), text)
        assert.strictEqual(Timestamp.read(canonical(text)), micros, text)
      }),
      { numRuns: 5000 }
    )
  })

  it("is accepted exactly when it can be read, and plain only when it is", () => {
    const pair = FastCheck.integer({ min: 0, max: 70 }).map((number) => String(number).padStart(2, "0"))
    const text = FastCheck.tuple(
      FastCheck.constantFrom("2026-02-28", "2026-02-29", "0001-01-01", "9999-12-31", "0000-01-01", "2026-366"),
      FastCheck.constantFrom("T", " ", "t", ""),
      pair,
      pair,
      FastCheck.constantFrom("", ":00", ":59.5", ":60", ":00.1234567", ":00."),
      FastCheck.constantFrom("Z", "", "+02:00", "-23:59", "+5")
    ).map(([date, separator, hour, minute, rest, zone]) => `${date}${separator}${hour}:${minute}${rest}${zone}`)
    FastCheck.assert(
      FastCheck.property(text, (given) => {
        assert.strictEqual(Timestamp.is(given), Timestamp.read(given) !== undefined)
        if (Timestamp.isPlain(given)) assert.isDefined(Timestamp.read(given.replace("T", " ")), given)
        if (Timestamp.isPlain(given)) assert.strictEqual(Timestamp.read(given), Timestamp.read(given.replace("T", " ")))
      }),
      { numRuns: 2000 }
    )
  })

  it("reads a fraction of a million digits in time that grows with its length alone", () => {
    const started = performance.now()
    assert.strictEqual(canonical(`2026-01-31T12.${"3".repeat(1_000_000)}Z`), "2026-01-31T12:19:59.999999Z")
    // It takes some milliseconds; time that grows with the square of the length would be minutes.
    assert.isBelow(performance.now() - started, 10_000)
  })

  it("counts microseconds exactly, however far away", () => {
    assert.strictEqual(Timestamp.toMicros("1970-01-01T00:00:00Z"), 0n)
    assert.strictEqual(Timestamp.toMicros("1969-12-31T23:59:59.999999Z"), -1n)
    assert.strictEqual(Timestamp.toMicros("9999-12-31T23:59:59.999999Z"), 253_402_300_799_999_999n)
    assert.strictEqual(Timestamp.toMicros("0001-01-01T00:00:00Z"), -62_135_596_800_000_000n)
    assert.strictEqual(Timestamp.fromMicros(-1n), "1969-12-31T23:59:59.999999Z")
    assert.strictEqual(Timestamp.fromMicros(-1000n), "1969-12-31T23:59:59.999Z")
    assert.throws(() => Timestamp.toMicros("yesterday"), RangeError)
    assert.throws(() => Timestamp.fromMicros(253_402_387_140_000_000n), RangeError)
    assert.throws(() => Timestamp.fromMicros(-62_135_683_140_000_001n), RangeError)
  })

  it("comes back from its microseconds, and sorts by them", () => {
    const stamps = sample(Timestamp.Timestamp, 1000)
    for (const stamp of stamps) {
      assert.strictEqual(Timestamp.fromMicros(Timestamp.toMicros(stamp)), stamp)
      assert.strictEqual(Timestamp.canonical(stamp), stamp)
      assert.isTrue(Timestamp.isPlain(stamp))
    }
    // canonical text does not sort: a digit comes before Z
    const [whole, later] = [Timestamp.make("2026-01-01T00:00:00.500Z"), Timestamp.make("2026-01-01T00:00:00.500001Z")]
    assert.isTrue(later < whole && Timestamp.toMicros(later) > Timestamp.toMicros(whole))
  })

  it("means the same moment as Date, to the millisecond", () => {
    for (const stamp of sample(Timestamp.Timestamp, 500)) {
      const micros = BigInt(Date.parse(stamp.replace(/(\.\d{3})\d{3}Z/, "$1Z"))) * 1000n
      assert.isTrue(Timestamp.toMicros(stamp) >= micros && Timestamp.toMicros(stamp) < micros + 1000n, stamp)
    }
  })

  it("converts to and from DateTime", () => {
    const stamp = Timestamp.make("2026-01-31T14:30:00.123+02:00")
    assert.strictEqual(DateTime.formatIso(Timestamp.toDateTime(stamp)), "2026-01-31T12:30:00.123Z")
    assert.strictEqual(Timestamp.fromDateTime(Timestamp.toDateTime(stamp)), "2026-01-31T12:30:00.123Z")
    // a DateTime has no microseconds: rounded down, before 1970 too
    assert.strictEqual(Timestamp.toDateTime(Timestamp.make("1969-12-31T23:59:59.999999Z")).epochMillis, -1)
    const zoned = DateTime.unsafeMakeZoned("2026-01-31T12:30:00Z", { timeZone: "Asia/Tokyo" })
    assert.strictEqual(Timestamp.fromDateTime(zoned), "2026-01-31T12:30:00.000Z")
  })

  it("throws when a moment is made of something else", () => {
    assert.throws(() => Timestamp.make("yesterday"), /an ISO 8601 date-time such as/)
  })
})
