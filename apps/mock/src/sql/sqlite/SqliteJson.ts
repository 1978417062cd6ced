/**
 * SQLite's way into JSON. A row's values come out of its document as the text they went in as: SQLite itself prints
 * 15 digits of a double.
 */
import type { Json } from "@mfgdata/domain/Json"
import { kindOf, type Target } from "../read/Target.ts"
import * as Containment from "../read/Containment.ts"
import { type Fragment, join, sql, text } from "../Statement.ts"
import * as Table from "../Table.ts"

/** What an index is to SQLite, which counts in 32 bits. */
const maximumIndex = 2 ** 31 - 1

const step = (key: string | number): string => {
  if (typeof key === "number") {
    return key < 0 ? `[#-${Math.min(-key, maximumIndex)}]` : `[${Math.min(key, maximumIndex)}]`
  }
  // A label ends at the first quote, escaped or not.
  return `."${JSON.stringify(key).slice(1, -1).replaceAll('\\"', "\\u0022")}"`
}

/** A path into a row's document. */
const pathOf = ({ column, json }: Target, further: ReadonlyArray<string | number> = []): string =>
  ["$", ...[column.name, ...json.map(({ key }) => key), ...further].map(step)].join("")

/** A column's place in a document. */
export const columnPath = (name: string): string => `$${step(name)}`

const document = (row: Fragment) => Table.column(row, Table.document)

/** The JSON at a target as text: null where nothing stands there, `null` in quotes for a null inside JSON. */
export const at = (row: Fragment, target: Target): Fragment =>
  target.json.length === 0
    ? sql`nullif(${document(row)} -> ${pathOf(target)}, 'null')`
    : sql`${document(row)} -> ${pathOf(target)}`

/** What `->>` leads to. The concatenation takes away that it is JSON, which quoting would otherwise leave alone. */
export const textAt = (row: Fragment, target: Target): Fragment => {
  const path = pathOf(target)
  const other = sql`WHEN 'null' THEN NULL ELSE (${document(row)} -> ${path}) || '' END`
  return sql`CASE json_type(${document(row)}, ${path}) WHEN 'text' THEN ${document(row)} ->> ${path} ${other}`
}

/** The wire JSON at a target. A column that prints exactly spares reading the document. */
export const json = (row: Fragment, target: Target): Fragment => {
  if (target.json.length === 0) {
    const { name, type } = target.column
    return type === "text" || type === "date"
      ? sql`json_quote(${Table.column(row, name)})`
      : sql`${document(row)} -> ${pathOf(target)}`
  }
  return kindOf(target) === "text" ? sql`json_quote(${textAt(row, target)})` : sql`coalesce(${at(row, target)}, 'null')`
}

/** PostgreSQL's order of JSON: by type, then by number or text; lists and objects have no order of their own. */
const ranks = { null: 0, text: 1, integer: 2, real: 2, false: 3, true: 4, array: 5, object: 6 } as const

const rank = text(
  `${Object.entries(ranks)
    .map(([type, rank]) => `WHEN '${type}' THEN ${rank}`)
    .join(" ")} END`
)

/** What JSON at a target is ordered by. */
export const sortKeys = (row: Fragment, target: Target): ReadonlyArray<Fragment> => {
  const path = pathOf(target)
  const type = sql`json_type(${document(row)}, ${path})`
  return [
    sql`CASE ${type} ${rank}`,
    sql`CASE WHEN ${type} IN ('text', 'integer', 'real') THEN ${document(row)} ->> ${path} ELSE 0 END`
  ]
}

/** The same of a constant; its number is read by SQLite as that of a document is. */
export const sortConstants = (value: Json): ReadonlyArray<Fragment> => {
  const isOrdered = typeof value === "string" || typeof value === "number"
  return [
    sql`CASE json_type(${JSON.stringify(value)}) ${rank}`,
    isOrdered ? sql`${JSON.stringify(value)} ->> '$'` : text("0")
  ]
}

/**
 * Whether everything in `inner` stands in `outer`, by the rules of PostgreSQL's `@>`: the order of lists does not
 * count, and a scalar alone counts as the list of it. One of the two holds no object or list inside a list.
 */
const within = (inner: Fragment, outer: Fragment): Fragment =>
  sql`NOT EXISTS (SELECT 1 FROM json_tree(${inner}) AS i WHERE NOT EXISTS (
    SELECT 1 FROM json_tree(${outer}) AS o WHERE o."type" = i."type" AND o."atom" IS i."atom" AND (
      o."fullkey" = i."fullkey"
      OR typeof(o."key") = 'integer' AND o."path" = i."path" AND typeof(i."key") = 'integer'
      OR typeof(o."key") = 'integer' AND o."path" = '$'
        AND i."fullkey" = '$' AND i."type" NOT IN ('array', 'object'))))`

/** `condition`, or null where nothing stands at the target. */
const unlessNull = (row: Fragment, target: Target, condition: Fragment): Fragment =>
  sql`CASE WHEN ${at(row, target)} IS NOT NULL THEN ${condition} END`

/** Each value in some JSON, with where it stands and what it is. */
const parts = (json: Fragment): Fragment =>
  sql`SELECT "fullkey", replace("type", 'integer', 'real'), "atom" FROM json_tree(${json})`

/** Equality as PostgreSQL's jsonb has it: the order of members does not count, that of a list does. */
export const equals = (row: Fragment, target: Target, value: Json): Fragment => {
  const own = parts(at(row, target))
  const given = parts(sql`${JSON.stringify(value)}`)
  const lacks = (one: Fragment, other: Fragment): Fragment => sql`EXISTS (${one} EXCEPT ${other})`
  return unlessNull(row, target, sql`NOT (${lacks(own, given)} OR ${lacks(given, own)})`)
}

export const contains = (row: Fragment, target: Target, value: Json): Fragment => {
  const { elements, flat } = Containment.split(value)
  const each = elements.map((element) => {
    const list = pathOf(target, element.list)
    const item = sql`${document(row)} -> (${list} || '[' || e."key" || ']')`
    const holds = within(sql`${JSON.stringify(element.value)}`, item)
    return sql`EXISTS (SELECT 1 FROM json_each(${document(row)}, ${list}) AS e WHERE ${holds})`
  })
  const rest = within(sql`${JSON.stringify(flat)}`, at(row, target))
  return unlessNull(row, target, join([...each, rest], " AND "))
}

export const containedBy = (row: Fragment, target: Target, value: Json): Fragment =>
  unlessNull(row, target, within(at(row, target), sql`${JSON.stringify(value)}`))

export const overlaps = (row: Fragment, target: Target, value: Json): Fragment => {
  const values = sql`SELECT "value" FROM json_each(${JSON.stringify(value)})`
  const elements = sql`json_each(${document(row)}, ${pathOf(target)}) AS e`
  return unlessNull(row, target, sql`EXISTS (SELECT 1 FROM ${elements} WHERE e."value" IN (${values}))`)
}
