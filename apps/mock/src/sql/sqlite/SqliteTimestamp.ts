/**
 * Formats the instants of SQLite, which are stored as whole microseconds.
 */
import { type Fragment, literal, sql, text } from "../Statement.ts"

const second = text("1000000")
const beginning = text("-62135596800000000")
const end = text("253402300800000000")
const farthestOffset = text("86340000000")

/** The microseconds of the second. SQLite divides towards zero, so a remainder before 1970 would be negative. */
const micros = (instant: Fragment): Fragment => sql`((${instant}) % ${second} + ${second}) % ${second}`

const format = (instant: Fragment, form: string): Fragment =>
  sql`strftime(${literal(form)}, ((${instant}) - ${micros(instant)}) / ${second}, 'unixepoch')`

const write = (instant: Fragment, zone: string): Fragment => {
  const fraction = micros(instant)
  const digits = sql`CASE ${fraction} % 1000 WHEN 0 THEN printf('%03d', ${fraction} / 1000) ELSE printf('%06d', ${fraction}) END`
  return sql`${format(instant, "%Y-%m-%dT%H:%M:%S.")} || ${digits} || ${literal(zone)}`
}

/** The canonical text of an instant, equal to that of `Timestamp.fromMicros`. */
export const canonical = (instant: Fragment): Fragment =>
  sql`CASE WHEN ${instant} < ${beginning} THEN ${write(sql`${instant} + ${farthestOffset}`, "+23:59")}
    WHEN ${instant} < ${end} THEN ${write(instant, "Z")}
    ELSE ${write(sql`${instant} - ${farthestOffset}`, "-23:59")} END`

/** The day in UTC; null outside the years 1 to 9999. */
export const day = (instant: Fragment): Fragment =>
  sql`CASE WHEN ${instant} >= ${beginning} AND ${instant} < ${end} THEN ${format(instant, "%Y-%m-%d")} END`
