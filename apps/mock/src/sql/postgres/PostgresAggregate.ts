/**
 * Aggregates on PostgreSQL, and their JSON.
 */
import { kindOf } from "../read/Target.ts"
import type { Aggregates } from "../Dialect.ts"
import * as PostgresJson from "./PostgresJson.ts"
import { type Fragment, sql, text } from "../Statement.ts"
import * as Table from "../Table.ts"

/** So many digits a moment has in this form, which puts moments in order. */
const digits = 20
const form = text("'YYYYMMDDHH24MISSUS'")

const orNull = (json: Fragment): Fragment => sql`coalesce((${json})::text, 'null')`

export const aggregates: Aggregates = {
  value: (row, target) => {
    const column = Table.column(row, target.column.name)
    const wire = PostgresJson.textAt(row, target)
    switch (kindOf(target)) {
      case "timestamp":
        return sql`(to_char(${column} AT TIME ZONE 'UTC', ${form}) || ${wire}) COLLATE "C"`
      case "object":
      case "array":
      case "json":
        return wire
      default:
        return target.json.length > 0 ? wire : column
    }
  },
  json: (name, kind, value) => {
    const result = sql`${text(name)}(${value})`
    if (name === "count") return sql`(${result})::text`
    // As many digits of a double as are sure.
    if (name === "sum" || name === "avg") return orNull(sql`(${result})::numeric`)
    if (kind === "number") return orNull(result)
    return orNull(
      kind === "timestamp" ? sql`to_json(substr(${result}, ${text(String(digits + 1))}))` : sql`to_json(${result})`
    )
  }
}
