/**
 * Aggregates on SQLite, and their JSON.
 */
import { kindOf } from "../read/Target.ts"
import type { Aggregates } from "../Dialect.ts"
import * as SqliteJson from "./SqliteJson.ts"
import { type Fragment, sql, text } from "../Statement.ts"
import * as Table from "../Table.ts"

/** Microseconds before 1970 are negative; moved, as many digits for all put them in order. */
const sincePast = text("62135596800000000")
const digits = 20

/** A number as JSON; `otherwise` is said of one that is not whole. */
const number = (value: Fragment, otherwise: Fragment): Fragment => {
  const isWhole = sql`abs(${value}) < 1e15 AND ${value} = CAST(${value} AS INTEGER)`
  return sql`CASE WHEN ${value} IS NULL THEN 'null' WHEN ${isWhole} THEN CAST(CAST(${value} AS INTEGER) AS TEXT) ELSE ${otherwise} END`
}

const rounded = (value: Fragment): Fragment => sql`printf('%!.15g', ${value})`

/** As many digits as it takes to read the same number back. */
const exact = (value: Fragment): Fragment =>
  sql`CASE WHEN CAST(${rounded(value)} AS REAL) = ${value} THEN ${rounded(value)} ELSE printf('%!.17g', ${value}) END`

export const aggregates: Aggregates = {
  value: (row, target) => {
    const wire = SqliteJson.textAt(row, target)
    switch (kindOf(target)) {
      case "timestamp":
        return sql`printf('%020d', ${Table.column(row, target.column.name)} + ${sincePast}) || (${wire})`
      case "object":
      case "array":
      case "json":
        return SqliteJson.at(row, target)
      default:
        return target.json.length > 0 ? wire : Table.column(row, target.column.name)
    }
  },
  json: (name, kind, value) => {
    const result = sql`${text(name)}(${value})`
    if (name === "count") return sql`CAST(${result} AS TEXT)`
    if (name === "sum" || name === "avg") return number(result, rounded(result))
    if (kind === "number") return number(result, exact(result))
    return kind === "timestamp"
      ? sql`json_quote(substr(${result}, ${text(String(digits + 1))}))`
      : sql`json_quote(${result})`
  }
}
