/**
 * Aggregates on PostgreSQL, and their JSON.
 */
import { kindOf } from "../read/Target.ts"
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
        return target.json.length > 0 ? PostgresJson.textAt(row, target) : Table.column(row, target.column.name)
    }
  },
  json: (name, kind, value) => {
    const result = sql`${text(name)}(${value})`
    if (name === "count") return sql`(${result})::text`
    // As many digits of a double as are sure.
    if (name === "sum" || name === "avg") return orNull(sql`(${result})::numeric`)
    if (kind === "number") return orNull(result)
    return orNull(sql`to_json(${kind === "timestamp" ? PostgresTimestamp.canonical(result) : result})`)
  }
}
