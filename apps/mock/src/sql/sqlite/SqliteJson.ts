/**
 * Reads JSON in SQLite. The values of a row are taken from the text of its document, because SQLite prints a double with
 * 15 digits.
 */
import type { Json } from "@mfgdata/domain/Json"
import * as Arr from "effect/Array"
import { holdsObject } from "../read/Condition.ts"
import { isInDocument, kindOf, type Target } from "../read/Target.ts"
import * as Containment from "../read/Containment.ts"
import { chain, type Fragment, join, sql, text } from "../Statement.ts"
import * as Table from "../Table.ts"

/** The largest array index: SQLite uses 32 bits. */
const maximumIndex = 2 ** 31 - 1

const step = (key: string | number): string => {
  if (typeof key === "number") {
    return key < 0 ? `[#-${Math.min(-key, maximumIndex)}]` : `[${Math.min(key, maximumIndex)}]`
  }
  // A label ends at the first quote, escaped or not.
  return `."${JSON.stringify(key).slice(1, -1).replaceAll('\\"', "\\u0022")}"`
}

/** The path of a target in a row's document. */
const pathOf = ({ column, json }: Target, further: ReadonlyArray<string | number> = []): string =>
  ["$", ...[column.name, ...json.map(({ key }) => key), ...further].map(step)].join("")

/** The path of a column in a document. */
export const columnPath = (name: string): string => `$${step(name)}`

const document = (row: Fragment) => Table.column(row, Table.document)

/** The JSON at a target as text: SQL's null when the target does not exist, the text `null` for a null inside JSON. */
export const at = (row: Fragment, target: Target): Fragment =>
  target.json.length === 0
    ? sql`nullif(${document(row)} -> ${pathOf(target)}, 'null')`
    : sql`${document(row)} -> ${pathOf(target)}`

/** The text at a target. The concatenation makes JSON plain text: `json_quote` leaves JSON unchanged. */
export const textAt = (row: Fragment, target: Target): Fragment => {
  const path = pathOf(target)
  const other = sql`WHEN 'null' THEN NULL ELSE (${document(row)} -> ${path}) || '' END`
  return sql`CASE json_type(${document(row)}, ${path}) WHEN 'text' THEN ${document(row)} ->> ${path} ${other}`
}

/** The value at a target that conditions, orders and aggregates use: JSON as text, and a column as it is stored. */
export const operand = (row: Fragment, target: Target): Fragment => {
  switch (kindOf(target)) {
    case "json":
    case "object":
    case "array":
      return at(row, target)
    default:
      return isInDocument(target) ? textAt(row, target) : Table.column(row, target.column.name)
  }
}

/** The wire JSON at a target: printed from the column where that is exact, otherwise read from the document. */
export const json = (row: Fragment, target: Target): Fragment => {
  if (!isInDocument(target)) {
    const { name, type } = target.column
    return type === "text" || type === "date"
      ? sql`json_quote(${Table.column(row, name)})`
      : sql`${document(row)} -> ${pathOf(target)}`
  }
  return kindOf(target) === "text" ? sql`json_quote(${textAt(row, target)})` : sql`coalesce(${at(row, target)}, 'null')`
}

/** PostgreSQL's order of JSON: by type, then by number or text; arrays and objects are sorted by their JSON text. */
const ranks = { null: 0, text: 1, integer: 2, real: 2, false: 3, true: 4, array: 5, object: 6 } as const

const rank = text(
  `${Object.entries(ranks)
    .map(([type, rank]) => `WHEN '${type}' THEN ${rank}`)
    .join(" ")} END`
)

/** The sort keys of JSON at a target. */
export const sortKeys = (row: Fragment, target: Target): ReadonlyArray<Fragment> => {
  const path = pathOf(target)
  const type = sql`json_type(${document(row)}, ${path})`
  return [
    sql`CASE ${type} ${rank}`,
    // Arrays and objects yield their JSON here; booleans yield 0 or 1, and have different ranks already.
    sql`coalesce(${document(row)} ->> ${path}, 0)`
  ]
}

/** The sort keys of a constant, whose numbers SQLite parses as it parses those of a document. */
export const sortConstants = (value: Json): ReadonlyArray<Fragment> => [
  sql`CASE json_type(${JSON.stringify(value)}) ${rank}`,
  sql`coalesce(${JSON.stringify(value)} ->> '$', 0)`
]

/**
 * Tests whether `outer` contains `inner` by the rules of PostgreSQL's `@>`: the order of a list is ignored, and a scalar
 * equals a list of that scalar. One of the two must not have an object or a list inside a list.
 */
const within = (inner: Fragment, outer: Fragment): Fragment =>
  sql`NOT EXISTS (SELECT 1 FROM json_tree(${inner}) AS i WHERE NOT EXISTS (
    SELECT 1 FROM json_tree(${outer}) AS o WHERE o."type" = i."type" AND o."atom" IS i."atom" AND (
      o."fullkey" = i."fullkey"
      OR typeof(o."key") = 'integer' AND o."path" = i."path" AND typeof(i."key") = 'integer'
      OR typeof(o."key") = 'integer' AND o."path" = '$'
        AND i."fullkey" = '$' AND i."type" NOT IN ('array', 'object'))))`

/** Evaluates a condition, or returns null when the JSON is null. */
const unlessNull = (json: Fragment, condition: Fragment): Fragment =>
  sql`CASE WHEN ${json} IS NOT NULL THEN ${condition} END`

/** Each value in some JSON, with its path and its type. */
const parts = (json: Fragment): Fragment =>
  sql`SELECT "fullkey", replace("type", 'integer', 'real'), "atom" FROM json_tree(${json})`

/** Equality by the rules of `jsonb`: the order of members is ignored, the order of a list is not. */
const isEqual = (json: Fragment, value: Json): Fragment => {
  const own = parts(json)
  const given = parts(sql`${JSON.stringify(value)}`)
  const lacks = (one: Fragment, other: Fragment): Fragment => sql`EXISTS (${one} EXCEPT ${other})`
  return sql`NOT (${lacks(own, given)} OR ${lacks(given, own)})`
}

/** {@link isEqual} for JSON at a target. */
export const equals = (row: Fragment, target: Target, value: Json): Fragment =>
  unlessNull(at(row, target), isEqual(at(row, target), value))

/** Looks for some JSON among values. The texts of values without objects are compared. */
export const isAmong = (json: Fragment, values: ReadonlyArray<Json>): Fragment => {
  const [plain, objects] = Arr.partition(values, holdsObject)
  const texts = JSON.stringify(plain.map((value) => JSON.stringify(value)))
  const isPlain = sql`${json} IN (SELECT "value" FROM json_each(${texts}))`
  return chain([isPlain, ...objects.map((value) => unlessNull(json, isEqual(json, value)))], " OR ")
}

/** The elements of a list in a row's document, and the JSON of each: a place, for a value alone does not say its type. */
const elementsOf = (row: Fragment, list: string) => ({
  each: sql`json_each(${document(row)}, ${list}) AS e`,
  json: sql`${document(row)} -> (${list} || '[' || e."key" || ']')`
})

export const contains = (row: Fragment, target: Target, value: Json): Fragment => {
  const { elements, flat } = Containment.split(value)
  const held = elements.map((element) => {
    const { each, json } = elementsOf(row, pathOf(target, element.list))
    return sql`EXISTS (SELECT 1 FROM ${each} WHERE ${within(sql`${JSON.stringify(element.value)}`, json)})`
  })
  const rest = within(sql`${JSON.stringify(flat)}`, at(row, target))
  return unlessNull(at(row, target), join([...held, rest], " AND "))
}

export const containedBy = (row: Fragment, target: Target, value: Json): Fragment => {
  const { elements, flat } = Containment.split(value)
  const scalars = sql`${JSON.stringify(flat)}`
  const rest = within(at(row, target), scalars)
  if (elements.length === 0) return unlessNull(at(row, target), rest)
  // The value is a list: each element that is an object or a list is held by one of these, and any other by a scalar.
  const { each, json } = elementsOf(row, pathOf(target))
  const holds = chain(
    elements.map((element) => within(json, sql`${JSON.stringify(element.value)}`)),
    " OR "
  )
  const isHeld = sql`CASE WHEN e."type" IN ('array', 'object') THEN ${holds} ELSE ${within(json, scalars)} END`
  const isList = sql`json_type(${document(row)}, ${pathOf(target)}) = 'array'`
  const all = sql`CASE WHEN ${isList} THEN NOT EXISTS (SELECT 1 FROM ${each} WHERE NOT ${isHeld}) ELSE ${rest} END`
  return unlessNull(at(row, target), all)
}

export const overlaps = (row: Fragment, target: Target, values: ReadonlyArray<Json>): Fragment => {
  const { each, json } = elementsOf(row, pathOf(target))
  return unlessNull(at(row, target), sql`EXISTS (SELECT 1 FROM ${each} WHERE ${isAmong(json, values)})`)
}
