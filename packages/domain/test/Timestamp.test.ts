import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import * as Timestamp from "../src/Timestamp.ts"
import { sample } from "./fixtures/generated.ts"

const canonical = (text: string): string | undefined => Timestamp.read(text)?.canonical

describe("Timestamp", () => {
  it("is kept as it was given", () => {
    const text = "2026-01-31 14:30:00.120000+02"
    assert.strictEqual(Schema.decodeUnknownSync(Timestamp.Timestamp)(text), text)
    assert.strictEqual(Schema.encodeSync(Timestamp.Timestamp)(Timestamp.make(text)), text)
  })

  it("has one canonical form: UTC with Z, and no, 3 or 6 digits of fraction", () => {
    for (const [given, expected] of [
      ["2026-01-31T12:30:00Z", "2026-01-31T12:30:00Z"],
      ["2026-01-31T12:30:00.000000Z", "2026-01-31T12:30:00Z"],
      ["2026-01-31T12:30:00.1Z", "2026-01-31T12:30:00.100Z"],
      ["2026-01-31T12:30:00.120000Z", "2026-01-31T12:30:00.120Z"],
      ["2026-01-31T12:30:00.123456Z", "2026-01-31T12:30:00.123456Z"],
      ["2026-01-31T12:30:00.000001Z", "2026-01-31T12:30:00.000001Z"],
      // no zone means UTC
      ["2026-01-31T12:30:00", "2026-01-31T12:30:00Z"],
      ["2026-01-31 12:30:00", "2026-01-31T12:30:00Z"],
      ["2026-01-31T12:30", "2026-01-31T12:30:00Z"],
      ["2026-01-31t12:30:00z", "2026-01-31T12:30:00Z"],
      // offsets
      ["2026-01-31T12:30:00+02:00", "2026-01-31T10:30:00Z"],
      ["2026-01-31T12:30:00+0530", "2026-01-31T07:00:00Z"],
      ["2026-01-31 12:30:00.5-08", "2026-01-31T20:30:00.500Z"],
      ["2026-01-31T12:30:00-00:00", "2026-01-31T12:30:00Z"],
      ["2026-12-31T23:30:00-01:00", "2027-01-01T00:30:00Z"],
      ["2024-02-29T23:59:59.999999Z", "2024-02-29T23:59:59.999999Z"],
      // the first and the last moment
      ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"],
      ["9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"],
      ["0099-03-01T00:00:00Z", "0099-03-01T00:00:00Z"]
    ] as const) {
      assert.strictEqual(canonical(given), expected, given)
      assert.strictEqual<string>(Timestamp.canonical(Timestamp.make(given)), expected, given)
    }
  })

  it("refuses more than 6 digits rather than round them", () => {
    assert.isUndefined(Timestamp.read("2026-01-31T12:30:00.1234567Z"))
    assert.isUndefined(Timestamp.read("2026-01-31T12:30:00.0000000Z"))
  })

  it("refuses what names no moment of the years 1 to 9999", () => {
    for (const text of [
      "",
      "2026-01-31",
      "12:30:00",
      "2026-02-30T00:00:00Z",
      "2026-01-31T24:00:00Z",
      "2026-01-31T23:59:60Z",
      "2026-01-31T12:60:00Z",
      "2026-01-31T12:30:00.Z",
      "2026-01-31T12:30:00,5Z",
      "2026-01-31T12:30:00+2",
      "2026-01-31T12:30:00+24:00",
      "2026-01-31T12:30:00+02:60",
      "2026-01-31T12:30:00 +02:00",
      "2026-01-31T12:30:00Z ",
      "2026-01-31T12:30:00Z\n",
      "2026-01-31X12:30:00Z",
      "2026-01-31T12.5Z",
      "1769862600",
      "0000-12-31T23:59:59Z",
      "0001-01-01T00:00:00+00:01",
      "9999-12-31T23:59:59-00:01",
      "+02026-01-31T12:30:00Z"
    ]) {
      assert.isUndefined(Timestamp.read(text), JSON.stringify(text))
      assert.isFalse(Timestamp.is(text), JSON.stringify(text))
    }
    for (const value of [null, 1769862600, new Date(0)]) assert.isFalse(Timestamp.is(value))
  })

  it("is accepted exactly when it can be read", () => {
    const digits = FastCheck.integer({ min: 0, max: 70 }).map((number) => String(number).padStart(2, "0"))
    const text = FastCheck.tuple(
      FastCheck.constantFrom("2026-02-28", "2026-02-29", "0001-01-01", "9999-12-31", "0000-01-01"),
      FastCheck.constantFrom("T", " ", "t", ""),
      digits,
      digits,
      FastCheck.constantFrom("", ":00", ":59.5", ":60", ":00.1234567"),
      FastCheck.constantFrom("Z", "", "+02:00", "-23:59", "+5")
    ).map(([date, separator, hour, minute, rest, zone]) => `${date}${separator}${hour}:${minute}${rest}${zone}`)
    FastCheck.assert(
      FastCheck.property(text, (given) => {
        assert.strictEqual(Timestamp.is(given), Timestamp.read(given) !== undefined)
      }),
      { numRuns: 2000 }
    )
  })

  it("counts microseconds exactly, however far away", () => {
    assert.strictEqual(Timestamp.toMicros(Timestamp.make("1970-01-01T00:00:00Z")), 0n)
    assert.strictEqual(Timestamp.toMicros(Timestamp.make("1969-12-31T23:59:59.999999Z")), -1n)
    assert.strictEqual(Timestamp.toMicros(Timestamp.make("9999-12-31T23:59:59.999999Z")), 253_402_300_799_999_999n)
    assert.strictEqual(Timestamp.toMicros(Timestamp.make("0001-01-01T00:00:00Z")), -62_135_596_800_000_000n)
    assert.strictEqual(Timestamp.fromMicros(-1n), "1969-12-31T23:59:59.999999Z")
    assert.strictEqual(Timestamp.fromMicros(-1000n), "1969-12-31T23:59:59.999Z")
    assert.throws(() => Timestamp.fromMicros(253_402_300_800_000_000n), RangeError)
    assert.throws(() => Timestamp.fromMicros(-62_135_596_800_000_001n), RangeError)
  })

  it("comes back from its microseconds, and sorts by them", () => {
    const stamps = sample(Timestamp.Timestamp, 1000)
    for (const stamp of stamps) {
      assert.strictEqual(Timestamp.fromMicros(Timestamp.toMicros(stamp)), stamp)
      assert.strictEqual(Timestamp.canonical(stamp), stamp)
    }
    // canonical text does not sort: a fraction comes before Z
    const [whole, later] = [Timestamp.make("2026-01-01T00:00:00Z"), Timestamp.make("2026-01-01T00:00:00.500Z")]
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
    assert.strictEqual(Timestamp.fromDateTime(zoned), "2026-01-31T12:30:00Z")
  })

  it("throws when a moment is made of something else", () => {
    assert.throws(() => Timestamp.make("yesterday"), /a timestamp such as/)
  })
})
