/**
 * The timestamp, stored as the text that was sent, so that a row read and written back is unchanged. `read` returns the
 * microseconds by which timestamps are compared; `fromMicros` writes the canonical form.
 */
import type * as Brand from "effect/Brand"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import * as CalendarDate from "./CalendarDate.ts"
import { digits } from "./internal/digits.ts"
import { PredicateId } from "./internal/predicate.ts"

/** A calendar, ordinal or week date, then a time, then an offset. */
const form =
  /^(\d{4})-(?:(\d{2})-(\d{2})|(\d{3})|W(\d{2})-(\d))[Tt ](\d{2})(?::(\d{2})(?::(\d{2}))?)?(?:[.,](\d+))?(?:[Zz]|([+-])(\d{2})(?::?(\d{2}))?)?$/

/** Reports whether a text has the form of a timestamp; its numbers may still be out of range. */
export const isFormed = (text: string): boolean => form.test(text)

const daySeconds = 86_400
const farthestOffset = 23 * 3600 + 59 * 60

const modulo = (dividend: number, divisor: number): number => ((dividend % divisor) + divisor) % divisor

/** Days since 1970, counted in years that begin in March. */
const toEpochDay = (year: number, month: number, day: number): number => {
  const counted = month > 2 ? year : year - 1
  const leapDays = Math.floor(counted / 4) - Math.floor(counted / 100) + Math.floor(counted / 400)
  return counted * 365 + leapDays + Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 719_469
}

/** The Monday of the week that has a year's 4 January. */
const firstMonday = (year: number): number => {
  const fourth = toEpochDay(year, 1, 4)
  return fourth - modulo(fourth + 3, 7)
}

const firstDay = toEpochDay(1, 1, 1)
const endDay = toEpochDay(10_000, 1, 1)
const firstSecond = firstDay * daySeconds
const endSecond = endDay * daySeconds

/** Returns day number `count` of the days from `start` to `end`, or `undefined` outside them or the years 1 to 9999. */
const nth = (start: number, count: number, end: number): number | undefined => {
  const day = start + count - 1
  return day >= Math.max(start, firstDay) && day < Math.min(end, endDay) ? day : undefined
}

/** Returns microseconds since 1970, in a single conversion when a double is exact: until the year 2255. */
const toBigInt = (seconds: number, micros: number): bigint => {
  const all = seconds * 1_000_000 + micros
  return Number.isSafeInteger(all) ? BigInt(all) : BigInt(seconds) * 1_000_000n + BigInt(micros)
}

/** Returns the microseconds in a decimal fraction of `seconds`: exact for any number of digits, and rounded down. */
const cut = (fraction: string, seconds: number): number => {
  const unit = seconds * 1_000_000
  let micros = 0
  for (let index = fraction.length - 1; index >= 0; index--) {
    micros = Math.floor(((fraction.charCodeAt(index) - 48) * unit + micros) / 10)
  }
  return micros
}

const readAny = (text: string): bigint | undefined => {
  const parts = form.exec(text)
  if (parts === null) return undefined
  const [, years = "", month, date, ordinal, week, weekday, hours, minutes, wholeSeconds, fraction = "", sign] = parts
  const year = Number(years)
  const day =
    month !== undefined
      ? CalendarDate.exists(year, Number(month), Number(date))
        ? toEpochDay(year, Number(month), Number(date))
        : undefined
      : ordinal !== undefined
        ? nth(toEpochDay(year, 1, 1), Number(ordinal), toEpochDay(year + 1, 1, 1))
        : Number(weekday) >= 1 && Number(weekday) <= 7
          ? nth(firstMonday(year), Number(week) * 7 - 7 + Number(weekday), firstMonday(year + 1))
          : undefined
  const [hour, minute, second] = [Number(hours), Number(minutes ?? 0), Number(wholeSeconds ?? 0)]
  const [offsetHour, offsetMinute] = [Number(parts[12] ?? 0), Number(parts[13] ?? 0)]
  if (day === undefined || minute > 59 || offsetHour > 23 || offsetMinute > 59) return undefined
  const offset = (offsetHour * 60 + offsetMinute) * (sign === "-" ? -60 : 60)
  const micros = cut(fraction, wholeSeconds !== undefined ? 1 : minutes !== undefined ? 60 : 3600)
  // Midnight at the end of a day.
  if (hour > 23 && !(hour === 24 && minute === 0 && second === 0 && /^0*$/.test(fraction))) return undefined
  const seconds = day * daySeconds + hour * 3600 + minute * 60 + second - offset
  // A leap second ends a day of UTC.
  if (second > 59 && !(second === 60 && modulo(seconds, daySeconds) === 0)) return undefined
  const isNear = seconds >= firstSecond - farthestOffset && seconds < endSecond + farthestOffset
  return isNear ? toBigInt(seconds, micros) : undefined
}

const [dot, colon, capitalT, capitalZ] = [46, 58, 84, 90]

/**
 * Reports whether a text is a timestamp in the most frequent form: UTC with `Z`, seconds, and at most 6 digits of
 * fraction. It compares characters because this is faster than a regular expression, and every row passes here.
 */
export const isPlain = (text: string): boolean => {
  const last = text.length - 1
  if (text.charCodeAt(last) !== capitalZ || text.charCodeAt(10) !== capitalT) return false
  if (text.charCodeAt(13) !== colon || text.charCodeAt(16) !== colon) return false
  if (!(digits(text, 11, 13) < 24 && digits(text, 14, 16) < 60 && digits(text, 17, 19) < 60)) return false
  const hasFraction = last > 20 && last <= 26 && text.charCodeAt(19) === dot && digits(text, 20, last) >= 0
  return (last === 19 || hasFraction) && CalendarDate.begins(text)
}

const readPlain = (text: string): bigint => {
  const day = toEpochDay(digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10))
  const seconds = day * daySeconds + digits(text, 11, 13) * 3600 + digits(text, 14, 16) * 60 + digits(text, 17, 19)
  const last = text.length - 1
  return toBigInt(seconds, last === 19 ? 0 : digits(text, 20, last) * 10 ** (26 - last))
}

/**
 * Parses a timestamp to microseconds since 1970, or `undefined`. A timestamp is an ISO 8601 date-time in extended form:
 * a calendar date (`2026-01-31`), ordinal date (`2026-031`) or week date (`2026-W05-6`) in the years 1 to 9999; a time
 * of hours, minutes and seconds, whose last part may have a fraction after `.` or `,`; and an offset. Also accepted:
 * a space instead of `T`, lower-case `t` and `z`, an offset without its colon, and no offset, for UTC. `24:00:00` is
 * midnight of the next day, and a leap second equals the second after it. Digits beyond microseconds are cut off.
 */
export const read = (text: string): bigint | undefined => (isPlain(text) ? readPlain(text) : readAny(text))

/** Reports whether a value is a timestamp in any accepted form. */
export const is = (text: unknown): text is Timestamp =>
  typeof text === "string" && (isPlain(text) || readAny(text) !== undefined)

const firstMicros = BigInt(firstSecond) * 1_000_000n
const endMicros = BigInt(endSecond) * 1_000_000n
const farthestMicros = BigInt(farthestOffset) * 1_000_000n

/** Splits microseconds into milliseconds, rounded down, and the rest. */
const split = (micros: bigint): readonly [millis: number, rest: number] => {
  const rest = ((micros % 1000n) + 1000n) % 1000n
  return [Number((micros - rest) / 1000n), Number(rest)]
}

const write = (micros: bigint, zone: string): string => {
  const [millis, rest] = split(micros)
  const local = new Date(millis).toISOString().slice(0, -1)
  return `${local}${rest > 0 ? String(rest).padStart(3, "0") : ""}${zone}`
}

/** A timestamp of the years 1 to 9999, in any accepted form. */
export const Timestamp: Schema.BrandSchema<Timestamp, string> = Schema.String.pipe(
  Schema.filter((text) => is(text), {
    [PredicateId]: is,
    description: "an ISO 8601 date-time such as 2026-01-31T12:30:00.000Z",
    jsonSchema: { type: "string", format: "date-time" },
    arbitrary: () => (fc) =>
      fc
        .tuple(fc.bigInt(firstMicros, endMicros - 1n), fc.constantFrom(1n, 1000n, 1_000_000n))
        .map(([micros, unit]): string => fromMicros((micros / unit) * unit))
  }),
  Schema.brand("Timestamp")
)
export type Timestamp = string & Brand.Brand<"Timestamp">

/** Brands a text, in its own form, or throws when it is not a timestamp. */
export const make = (text: string): Timestamp => Timestamp.make(text)

/** The microseconds since 1970, as {@link read} returns them; throws when the text is not a timestamp. */
export const toMicros = (text: string): bigint => {
  const micros = read(text)
  if (micros === undefined) throw new RangeError(`not a timestamp: ${text}`)
  return micros
}

/**
 * Writes microseconds since 1970 as the canonical timestamp: UTC with `Z` and 3 digits of fraction, or 6 when they are
 * needed. An instant in the years 0 and 10000 in UTC gets an offset, with which its year is 1 or 9999; others throw.
 */
export const fromMicros = (micros: bigint): Timestamp => {
  if (micros < firstMicros - farthestMicros || micros >= endMicros + farthestMicros) {
    throw new RangeError(`not in the years 1 to 9999: ${micros} us`)
  }
  const text =
    micros < firstMicros
      ? write(micros + farthestMicros, "+23:59")
      : micros < endMicros
        ? write(micros, "Z")
        : write(micros - farthestMicros, "-23:59")
  // The brand promises this form.
  return text as Timestamp
}

/** The canonical form of a timestamp. Does not sort. */
export const canonical = (timestamp: Timestamp): Timestamp => fromMicros(toMicros(timestamp))

/** Converts to a DateTime, rounded down to milliseconds. */
export const toDateTime = (timestamp: Timestamp): DateTime.Utc => DateTime.unsafeMake(split(toMicros(timestamp))[0])

/** The canonical timestamp of a DateTime; throws outside the years 1 to 9999. */
export const fromDateTime = (moment: DateTime.DateTime): Timestamp => fromMicros(BigInt(moment.epochMillis) * 1000n)
