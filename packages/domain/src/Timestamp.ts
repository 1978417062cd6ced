/**
 * A moment as the text it was given in, so that what is read and written back is never rounded. One function, `read`,
 * knows the forms that are accepted, the one canonical form, and the microseconds that moments are ordered by.
 */
import type * as Brand from "effect/Brand"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import * as CalendarDate from "./CalendarDate.ts"
import { digits } from "./internal/digits.ts"
import { PredicateId } from "./internal/predicate.ts"

const pattern =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,6}))?)?(?:[Zz]|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)?$/

/** A moment in the two forms that machines need. */
export interface Instant {
  /** UTC with `Z`; no fraction when it is zero, else 3 digits when these suffice, else 6. Does not sort. */
  readonly canonical: Timestamp
  /** Microseconds since 1970, exact: beyond the year 2255 they do not fit a double. */
  readonly micros: bigint
}

const earliest = Date.parse("0001-01-01T00:00:00.000Z")
const latest = Date.parse("9999-12-31T23:59:59.999Z")
const minutes = 60_000

/** Whole milliseconds, rounded down, and the microseconds above them. */
const split = (micros: bigint): readonly [millis: number, rest: number] => {
  const rest = ((micros % 1000n) + 1000n) % 1000n
  return [Number((micros - rest) / 1000n), Number(rest)]
}

const write = (millis: number, rest: number): Timestamp => {
  const iso = new Date(millis).toISOString()
  // The one place that writes the form which the brand promises.
  if (rest > 0) return `${iso.slice(0, -1)}${String(rest).padStart(3, "0")}Z` as Timestamp
  return (iso.endsWith(".000Z") ? `${iso.slice(0, -5)}Z` : iso) as Timestamp
}

/**
 * The moment that a text names, or `undefined`. `T` or a space stands before the time; seconds and up to 6 digits of
 * fraction may be left out; offsets are `Z`, `+02`, `+0200`, `+02:00`, and none means UTC. Leap seconds and hour 24
 * name no moment that could be written back, and a moment outside the years 1 to 9999 (in UTC) has no text.
 */
export const read = (text: string): Instant | undefined => {
  const parts = pattern.exec(text)
  if (parts === null) return undefined
  const [, year, month, day, hour, minute, second = "00", fraction = "", sign, offsetHour = 0, offsetMinute = 0] = parts
  if (!CalendarDate.exists(Number(year), Number(month), Number(day))) return undefined
  const digits = fraction.padEnd(6, "0")
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === "-" ? -minutes : minutes)
  const millis = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${digits.slice(0, 3)}Z`) - offset
  if (millis < earliest || millis > latest) return undefined
  const rest = Number(digits.slice(3))
  return { canonical: write(millis, rest), micros: BigInt(millis) * 1000n + BigInt(rest) }
}

const [dot, colon, capitalT, capitalZ] = [46, 58, 84, 90]

/** Whether a text is as the service writes moments: told by its characters, since nearly all that are read are. */
const isWritten = (text: string): boolean => {
  const last = text.length - 1
  if (text.charCodeAt(last) !== capitalZ || text.charCodeAt(10) !== capitalT) return false
  if (text.charCodeAt(13) !== colon || text.charCodeAt(16) !== colon) return false
  if (!(digits(text, 11, 13) < 24 && digits(text, 14, 16) < 60 && digits(text, 17, 19) < 60)) return false
  const hasFraction = last > 20 && last <= 26 && text.charCodeAt(19) === dot && digits(text, 20, last) >= 0
  return (last === 19 || hasFraction) && CalendarDate.begins(text)
}

/** Whether a text names a moment. */
export const is = (text: unknown): text is Timestamp =>
  typeof text === "string" && (isWritten(text) || read(text) !== undefined)

const earliestMicros = BigInt(earliest) * 1000n
const latestMicros = BigInt(latest) * 1000n + 999n

/** A moment between 0001-01-01T00:00:00Z and 9999-12-31T23:59:59.999999Z, in any accepted form. */
export const Timestamp = Schema.String.pipe(
  Schema.filter((text) => is(text), {
    [PredicateId]: is,
    description: "a timestamp such as 2026-01-31T12:30:00Z, of at most 6 fraction digits",
    jsonSchema: { type: "string", format: "date-time" },
    // Canonical, as the service answers: what is generated comes back from a store as the same text.
    arbitrary: () => (fc) =>
      fc
        .tuple(fc.bigInt(earliestMicros, latestMicros), fc.constantFrom(1n, 1000n, 1_000_000n))
        .map(([micros, unit]): string => fromMicros((micros / unit) * unit))
  }),
  Schema.brand("Timestamp")
)
export type Timestamp = string & Brand.Brand<"Timestamp">

/** The moment that a text names, in the text's own form; throws when it names none. */
export const make = (text: string): Timestamp => Timestamp.make(text)

const of = (timestamp: Timestamp): Instant => {
  const instant = read(timestamp)
  if (instant === undefined) throw new RangeError(`not a timestamp: ${timestamp}`)
  return instant
}

/** The canonical form of a timestamp. */
export const canonical = (timestamp: Timestamp): Timestamp => of(timestamp).canonical

/** Microseconds since 1970, what moments are ordered by. */
export const toMicros = (timestamp: Timestamp): bigint => of(timestamp).micros

/** The canonical timestamp of some microseconds since 1970; throws outside the years 1 to 9999. */
export const fromMicros = (micros: bigint): Timestamp => {
  if (micros < earliestMicros || micros > latestMicros) throw new RangeError(`no year of 1 to 9999: ${micros} us`)
  return write(...split(micros))
}

/** The moment to its millisecond, rounded down: a DateTime holds no more. */
export const toDateTime = (timestamp: Timestamp): DateTime.Utc => DateTime.unsafeMake(split(toMicros(timestamp))[0])

/** The canonical timestamp of a DateTime; throws outside the years 1 to 9999. */
export const fromDateTime = (moment: DateTime.DateTime): Timestamp => fromMicros(BigInt(moment.epochMillis) * 1000n)
