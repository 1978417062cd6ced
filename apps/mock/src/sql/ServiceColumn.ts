/**
 * Converts values for the service's own tables, whose columns are text, whole numbers and doubles in both stores. The
 * casts have the same SQL in both dialects.
 */
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Schema from "effect/Schema"
import { type Fragment, sql } from "./Statement.ts"

/** A boolean, which is stored as 1 or 0. */
export const boolean = (value: boolean | null): Fragment =>
  sql`CAST(${value === null ? null : Number(value)} AS INTEGER)`

/** A number that may have a fraction. */
export const double = (value: number | null): Fragment => sql`CAST(${value} AS DOUBLE PRECISION)`

/** A whole number that may be beyond 32 bits, such as microseconds. */
export const long = (value: number | null): Fragment => sql`CAST(${value} AS BIGINT)`

/** Milliseconds since 1970 as microseconds, the unit of timestamps in these tables. */
export const micros = (millis: number): number => millis * 1000

let latest = { millis: 0, text: Timestamp.fromMicros(0n) }

/** Milliseconds since 1970 as a timestamp. The last one is kept, because many requests have the same time. */
export const timestamp = (millis: number): Timestamp.Timestamp => {
  if (latest.millis !== millis) latest = { millis, text: Timestamp.fromMicros(BigInt(micros(millis))) }
  return latest.text
}

/** The value that {@link boolean} stored. */
export const BooleanFromInteger = Schema.transform(Schema.Number, Schema.Boolean, {
  strict: true,
  decode: (number) => number === 1,
  encode: Number
})
