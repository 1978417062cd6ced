/**
 * Generates the parameters of the row interface: those of every resource, and those that name its columns.
 */
import * as Column from "@mfgdata/domain/Column"
import type { Json } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as PageLimit from "../../rows/plan/PageLimit.ts"
import * as JsonSchema from "./JsonSchema.ts"
import * as RowExamples from "./RowExamples.ts"

type Node = JsonSchema.Node

const text = { type: "string" }
const count = { type: "integer", minimum: 0 }

const inQuery = (name: string, description: string, schema: Node, example: unknown): Node => ({
  name,
  in: "query",
  description,
  schema,
  example
})

/** A parameter of the query that counts as absent without a value. */
const omittable = (parameter: Node): Node => ({ ...parameter, allowEmptyValue: true })

const inHeader = (name: string, description: string, example: string): Node => ({
  name,
  in: "header",
  description,
  schema: text,
  example
})

const shared = {
  Limit: omittable(inQuery("limit", `Maximum number of rows to return, up to ${PageLimit.largest}`, count, 10)),
  Offset: omittable(inQuery("offset", "Number of rows to skip", count, 0)),
  Range: inHeader("Range", "Positions of the first and the last row to return, from zero", "0-9"),
  PreferRead: inHeader("Prefer", "Preferences for the request: `count`, `handling`, `consistency`", "count=exact"),
  PreferWrite: inHeader(
    "Prefer",
    "Preferences for the request: `return`, `count`, `resolution`, `missing`, `handling`, `tx` and `max-affected`",
    "return=representation"
  ),
  IfMatch: inHeader("If-Match", "Apply the change only if the row has this ETag; `*` matches any existing row", "*"),
  IfNoneMatch: inHeader("If-None-Match", "Return 304 without a body if the row still has this ETag", '"0"'),
  AcceptDatetime: inHeader(
    "Accept-Datetime",
    "Time as of which the rows are read (RFC 7089), on a service that keeps their history: a date of HTTP or a timestamp",
    "2026-11-20T10:00:00.000Z"
  ),
  Position: inHeader(
    "Mfg-Position",
    "Position of a response: the read sees this write, also on a replica. A key sees its own writes without it, on the instance that has performed them",
    "00000001-00000000016B3748"
  ),
  IdempotencyKey: inHeader(
    "Idempotency-Key",
    "Unique key of the request: a retry with the same key within 24 hours returns the first response",
    "8e03978e-40d5-43dd-bc93-6894a57f9324"
  )
}

const reference = (name: string): Node => ({ $ref: `#/components/parameters/${name}` })

/** A reference to a parameter of every resource. */
export const ofAll = (name: keyof typeof shared): Node => reference(name)

const ownNames = ["select", "order", "columns", "on_conflict", "and", "or"] as const

/** A reference to a parameter of a resource. */
export const own = ({ resource }: Resource.Any, name: (typeof ownNames)[number]): Node =>
  reference(`${resource}.${name}`)

/** References to the filters of a resource: one for each column, its key first, and the trees. */
export const filters = (resource: Resource.Any): ReadonlyArray<Node> => {
  const columns = Column.fromResource(resource).map(({ name }) => name)
  const names = [resource.key, ...columns.filter((name) => name !== resource.key)]
  return [...names.map((name) => reference(`${resource.resource}.${name}`)), own(resource, "and"), own(resource, "or")]
}

/** The required filter by the key. */
export const byKey = (resource: Resource.Any): Node => {
  const { key } = resource
  return {
    ...inQuery(key, `The ${key} of the row, as \`eq.<${key}>\``, text, equal(RowExamples.make(resource).row[key])),
    required: true
  }
}

const equal = (value: Json | undefined): string => `eq.${String(value)}`

const filter = ({ name, reference, type }: Column.Column, value: Json | undefined): Node =>
  inQuery(
    name,
    `Filter by ${name} (${reference === undefined ? type : `references ${reference.resource}.${reference.field}`})`,
    JsonSchema.reference("Filter"),
    value === null || typeof value === "object" ? "is.null" : equal(value)
  )

const ofResource = (resource: Resource.Any): Node => {
  const { create, row } = RowExamples.make(resource)
  const { key, resource: name } = resource
  const columns = Column.fromResource(resource)
  const first = columns.find(({ name }) => name !== key)?.name ?? key
  const own: { readonly [N in (typeof ownNames)[number]]: Node } = {
    select: omittable(
      inQuery(
        "select",
        "Columns to return, separated by commas; all columns by default. An alias is `<alias>:<column>`, an embedded resource is `<resource>(<columns>)`",
        text,
        `${key},${first}`
      )
    ),
    order: omittable(
      inQuery(
        "order",
        "Columns to sort by, each with `.asc` or `.desc`; rows with equal values are sorted by key. Default: the order of creation",
        text,
        `${first}.desc`
      )
    ),
    columns: inQuery(
      "columns",
      "Columns to read from the body; other fields are ignored",
      text,
      Object.keys(create).join(",")
    ),
    on_conflict: inQuery(
      "on_conflict",
      "Columns whose values identify an existing row, for `Prefer: resolution`",
      text,
      key
    ),
    and: inQuery(
      "and",
      "Conditions that all hold, as `(<condition>,<condition>)`",
      JsonSchema.reference("Filter"),
      `(${key}.not.is.null)`
    ),
    or: inQuery(
      "or",
      "Conditions of which one holds, as `(<condition>,<condition>)`",
      JsonSchema.reference("Filter"),
      `(${key}.not.is.null)`
    )
  }
  return Object.fromEntries([
    ...ownNames.map((parameter) => [`${name}.${parameter}`, own[parameter]]),
    ...columns.map((column) => [`${name}.${column.name}`, filter(column, row[column.name])])
  ])
}

/** The parameters of resources by name. */
export const make = (resources: ReadonlyArray<Resource.Any>): Node =>
  Object.assign({}, shared, ...resources.map(ofResource))
