/**
 * Formats the instants of PostgreSQL.
 */
import * as Timestamp from "@mfgdata/domain/Timestamp"
import { type Fragment, literal, sql, text } from "../Statement.ts"

/** Writes a timestamp in PostgreSQL's notation: the server accepts fewer forms, and rounds the seventh digit. */
export const toNotation = (timestamp: string): string => {
  if (Timestamp.isPlain(timestamp)) return timestamp
  const micros = Timestamp.toMicros(timestamp)
  const rest = ((micros % 1000n) + 1000n) % 1000n
  const iso = new Date(Number((micros - rest) / 1000n)).toISOString()
  const notation = `${iso.slice(0, -1)}${String(rest).padStart(3, "0")}Z`
  // An offset can move an instant into the years 0 and 10000.
  return notation.startsWith("0000") ? `0001${notation.slice(4)} BC` : notation.replace(/^\+0/, "")
}

const beginning = text("'0001-01-01T00:00:00Z'::timestamptz")
const end = text("'10000-01-01T00:00:00Z'::timestamptz")
const farthestOffset = text("interval '23:59'")

const format = (instant: Fragment, form: string): Fragment =>
  sql`to_char((${instant}) AT TIME ZONE 'UTC', ${literal(form)})`

const write = (instant: Fragment, zone: string): Fragment => {
  const written = format(instant, `YYYY-MM-DD"T"HH24:MI:SS.US"${zone}"`)
  // Fractions of whole milliseconds have three digits.
  return sql`regexp_replace(${written}, ${literal(`000(?=${zone.replace("+", "[+]")}$)`)}, '')`
}

/** The canonical text of an instant, equal to that of `Timestamp.fromMicros`. */
export const canonical = (instant: Fragment): Fragment =>
  sql`CASE WHEN ${instant} < ${beginning} THEN ${write(sql`${instant} + ${farthestOffset}`, "+23:59")}
    WHEN ${instant} < ${end} THEN ${write(instant, "Z")}
    ELSE ${write(sql`${instant} - ${farthestOffset}`, "-23:59")} END`

/** The day in UTC; null outside the years 1 to 9999. */
export const day = (instant: Fragment): Fragment =>
  sql`CASE WHEN ${instant} >= ${beginning} AND ${instant} < ${end} THEN ${format(instant, "YYYY-MM-DD")} END`
