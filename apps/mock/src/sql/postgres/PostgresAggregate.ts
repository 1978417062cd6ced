/**
 * Builds the aggregates of PostgreSQL as JSON.
 */
import { isInDocument, kindOf } from "../read/Target.ts"
import type { Aggregates } from "../Dialect.ts"
import * as PostgresJson from "./PostgresJson.ts"
import * as PostgresTimestamp from "./PostgresTimestamp.ts"
import { type Fragment, sql, text } from "../Statement.ts"
import * as Table from "../Table.ts"

const orNull = (json: Fragment): Fragment => sql`coalesce((${json})::text, 'null')`

export const aggregates: Aggregates = {
  value: (row, target) => {
    switch (kindOf(target)) {
      case "object":
      case "array":
      case "json":
        return PostgresJson.textAt(row, target)
      default:
        return isInDocument(target) ? PostgresJson.textAt(row, target) : Table.column(row, target.column.name)
    }
  },
  json: (name, kind, value) => {
    const result = sql`${text(name)}(${value})`
    if (name === "count") return sql`(${result})::text`
    // `numeric` keeps the 15 digits of a double that are certain.
    if (name === "sum" || name === "avg") return orNull(sql`(${result})::numeric`)
    if (kind === "number") return orNull(result)
    return orNull(sql`to_json(${kind === "timestamp" ? PostgresTimestamp.canonical(result) : result})`)
  }
}
