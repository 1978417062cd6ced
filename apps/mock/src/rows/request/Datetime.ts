/**
 * Parses `Accept-Datetime` (RFC 7089), the time as of which rows are read.
 */
import * as Timestamp from "@mfgdata/domain/Timestamp"

/** The form of a date in HTTP: Tue, 20 Nov 2026 10:00:00 GMT. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

const second = 1_000_000

/**
 * The last microsecond of a time, since 1970: a date of HTTP is a whole second, as in all of HTTP, and a timestamp is a
 * moment. Undefined for any other text.
 */
export const toMicros = (text: string): number | undefined => {
  if (httpDate.test(text)) {
    const millis = Date.parse(text)
    return Number.isNaN(millis) ? undefined : millis * 1000 + second - 1
  }
  const micros = Timestamp.read(text)
  return micros === undefined ? undefined : Number(micros)
}

/** A time as a date of HTTP. */
export const print = (micros: number): string => new Date(Math.floor(micros / second) * 1000).toUTCString()
