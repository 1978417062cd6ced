/**
 * Aggregates on PostgreSQL, and their JSON.
 */
import type { Aggregates } from "./Aggregation.ts"
import { kindOf } from "./Condition.ts"
import { type Fragment, sql, text } from "./Statement.ts"
import * as Table from "./Table.ts"

/** So many digits a moment has in this form, which puts moments in order. */
const digits = 20
const form = text("'YYYYMMDDHH24MISSUS'")

/** The text at a target, as the document holds it. */
const wire = (row: Fragment, column: string, json: ReadonlyArray<string | number>): Fragment => {
  const way = [column, ...json].map((key) =>
    typeof key === "number" ? sql`CAST(${String(key)}::text AS INTEGER)` : sql`${key}::text`
  )
  const last = way.at(-1) ?? text("NULL")
  const before = way.slice(0, -1).reduce((from, key) => sql`${from} -> ${key}`, Table.column(row, Table.document))
  return sql`(${before} ->> ${last}) COLLATE "C"`
}

const orNull = (json: Fragment): Fragment => sql`coalesce((${json})::text, 'null')`

export const aggregates: Aggregates = {
  value: (row, target) => {
    const column = Table.column(row, target.column.name)
    const text = wire(
      row,
      target.column.name,
      target.json.map(({ key }) => key)
    )
    switch (kindOf(target)) {
      case "timestamp":
        return sql`(to_char(${column} AT TIME ZONE 'UTC', ${form}) || ${text}) COLLATE "C"`
      case "object":
      case "array":
      case "json":
        return text
      default:
        return target.json.length > 0 ? text : column
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
