/**
 * Builds the aggregates of SQLite as JSON.
 */
import type { Aggregates } from "../Dialect.ts"
import * as SqliteJson from "./SqliteJson.ts"
import * as SqliteTimestamp from "./SqliteTimestamp.ts"
import { type Fragment, sql, text } from "../Statement.ts"

/** A number as JSON; `otherwise` prints a number that is not whole. */
const number = (value: Fragment, otherwise: Fragment): Fragment => {
  const isWhole = sql`abs(${value}) < 1e15 AND ${value} = CAST(${value} AS INTEGER)`
  return sql`CASE WHEN ${value} IS NULL THEN 'null' WHEN ${isWhole} THEN CAST(CAST(${value} AS INTEGER) AS TEXT) ELSE ${otherwise} END`
}

const rounded = (value: Fragment): Fragment => sql`printf('%!.15g', ${value})`

/** The shortest of 15 or 17 digits that is read as the same number. */
const exact = (value: Fragment): Fragment =>
  sql`CASE WHEN CAST(${rounded(value)} AS REAL) = ${value} THEN ${rounded(value)} ELSE printf('%!.17g', ${value}) END`

/** A sum or an average as JSON; null when it is beyond the largest number. */
const bounded = (result: Fragment, value: Fragment): Fragment =>
  sql`CASE WHEN count(${value}) = 0 THEN 'null' WHEN abs(${result}) < 9e999 THEN ${number(result, rounded(result))} END`

export const aggregates: Aggregates = {
  value: SqliteJson.operand,
  json: (name, kind, value) => {
    // A sum of whole numbers would fail beyond 64 bits.
    if (name === "sum" || name === "avg") return bounded(sql`${text(name)}(CAST(${value} AS REAL))`, value)
    const result = sql`${text(name)}(${value})`
    if (name === "count") return sql`CAST(${result} AS TEXT)`
    if (kind === "number") return number(result, exact(result))
    return sql`json_quote(${kind === "timestamp" ? SqliteTimestamp.canonical(result) : result})`
  }
}
