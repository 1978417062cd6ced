/**
 * Parses the `Retry-After` header of RFC 9110: a number of seconds, or a date in one of the three forms of HTTP.
 */
import * as Duration from "effect/Duration"

/** Three letters for each month. */
const months = "JanFebMarAprMayJunJulAugSepOctNovDec"

const month = "(?<month>[A-Z][a-z]{2})"
const time = "(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})"

/** IMF-fixdate, RFC 850 and `asctime`. */
const dates = [
  `[A-Z][a-z]{2}, (?<day>\\d{2}) ${month} (?<year>\\d{4}) ${time} GMT`,
  `[A-Z][a-z]{2,5}day, (?<day>\\d{2})-${month}-(?<year>\\d{2}) ${time} GMT`,
  `[A-Z][a-z]{2} ${month} (?<day>[ \\d]\\d) ${time} (?<year>\\d{4})`
].map((form) => new RegExp(`^${form}$`))

/** A year of two digits is the last one with these digits that is at most 50 years ahead. */
const fullYear = (digits: string, nowMillis: number): number => {
  if (digits.length === 4) return Number(digits)
  const latest = new Date(nowMillis).getUTCFullYear() + 50
  return latest - ((latest - Number(digits)) % 100)
}

const toMillis = (parts: { readonly [name: string]: string }, nowMillis: number): number | undefined => {
  const { day = "", hour = "", minute = "", month = "", second = "", year = "" } = parts
  // Second 60 rolls over to the next minute.
  const isValidTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60
  const date = new Date(0)
  date.setUTCFullYear(fullYear(year, nowMillis), months.indexOf(month) / 3, Number(day))
  return isValidTime && months.includes(month) && date.getUTCDate() === Number(day)
    ? date.setUTCHours(Number(hour), Number(minute), Number(second))
    : undefined
}

/**
 * The time to wait from now; `undefined` without the header, or where it is neither seconds nor a date.
 *
 * @example
 * RetryAfter.delay("120", Date.now())
 */
export const delay = (header: string | undefined, nowMillis: number): Duration.Duration | undefined => {
  if (header === undefined) return undefined
  if (/^\d+$/.test(header)) return Duration.seconds(Number(header))
  const parts = dates.map((form) => form.exec(header)?.groups).find((groups) => groups !== undefined)
  const until = parts === undefined ? undefined : toMillis(parts, nowMillis)
  return until === undefined ? undefined : Duration.millis(Math.max(0, until - nowMillis))
}
