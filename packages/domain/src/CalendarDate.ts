/**
 * A calendar date as text, `2026-01-31`. It has no time zone, so it is never converted to a `Date`.
 */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { digits } from "./internal/digits.ts"
import { PredicateId } from "./internal/predicate.ts"

const daysInMonth = (year: number, month: number): number =>
  month === 2 ? (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28) : 30 + ((month + (month >> 3)) & 1)

/** Reports whether a date exists in the proleptic Gregorian calendar of the years 1 to 9999. */
export const exists = (year: number, month: number, day: number): boolean =>
  year >= 1 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)

const hyphen = 45

/** Reports whether a text begins with a date; without a pattern, because this runs for every row. */
export const begins = (text: string): boolean =>
  text.charCodeAt(4) === hyphen &&
  text.charCodeAt(7) === hyphen &&
  exists(digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10))

/** Reports whether a text is a date. */
export const is = (text: unknown): text is CalendarDate =>
  typeof text === "string" && text.length === 10 && begins(text)

/** A date from 0001-01-01 to 9999-12-31. */
export const CalendarDate: Schema.BrandSchema<CalendarDate, string> = Schema.String.pipe(
  Schema.filter((text) => is(text), {
    [PredicateId]: is,
    description: "a calendar date such as 2026-01-31",
    jsonSchema: { type: "string", format: "date" },
    arbitrary: () => (fc) =>
      fc
        .date({ min: new Date("0001-01-01T00:00:00Z"), max: new Date("9999-12-31T00:00:00Z"), noInvalidDate: true })
        .map((date) => date.toISOString().slice(0, 10))
  }),
  Schema.brand("CalendarDate")
)
export type CalendarDate = string & Brand.Brand<"CalendarDate">

/** The date of a text; throws where the text is not a date. */
export const make = (text: string): CalendarDate => CalendarDate.make(text)

/** The year of a date. */
export const year = (date: CalendarDate): number => Number(date.slice(0, 4))
