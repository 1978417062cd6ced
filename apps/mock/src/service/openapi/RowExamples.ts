/**
 * Provides an example row of each resource, the first one of the demo: the bodies that write it, and the row in a response.
 */
import * as Column from "@mfgdata/domain/Column"
import { CompanyId, UserId } from "@mfgdata/domain/Ids"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import * as Memo from "@mfgdata/domain/Memo"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Csv from "../../rows/Csv.ts"
import * as ColumnDefaults from "../../rows/plan/ColumnDefaults.ts"
import { companyId, userId } from "../../seeds/demo/company.ts"
import { demo } from "../../seeds/demo/index.ts"
import { webhookTables } from "../../seeds/webhookTables.ts"
import * as Slices from "../../world/Slices.ts"

export interface Example {
  readonly create: JsonObject
  /** A change of one column. */
  readonly update: JsonObject
  readonly row: JsonObject
}

/** The company of the examples. */
export const company = companyId

const createdAtMillis = Date.parse("2026-01-05T08:00:00Z")

const context = {
  caller: { companyId: CompanyId.make(companyId), userId: UserId.make(userId), keyId: "example", scopes: [] },
  rules: "contract" as const,
  maxRows: 0,
  now: () => createdAtMillis,
  newId: () => "0mjz1x3400example001",
  taken: new Set<string>()
}

const recordsOf: { readonly [resource: string]: ReadonlyArray<JsonObject> } = {
  webhookTable: webhookTables.flatMap(({ module, names }) => names.map((name) => ({ module, name }))),
  ...demo.rows
}

/** A value of the demo as a column holds it: an array in place of one value where facts say so. */
const ofType = ({ isOpaque, type }: Column.Column, value: Json): Json =>
  isOpaque && type === "array" && value !== null && !Array.isArray(value) ? [value] : value

const withTypes = (resource: Resource.Any, record: JsonObject): JsonObject => {
  if (resource.variantOf === undefined) return record
  const columns = Column.byName(resource)
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) => {
      const column = columns.get(name)
      return column === undefined ? [] : [[name, ofType(column, value)]]
    })
  )
}

/** The example of a resource. */
export const make = Memo.make((resource: Resource.Any): Example => {
  const [record = {}] = recordsOf[resource.resource] ?? []
  const writable = Column.fromResource(resource).filter(({ write }) => write !== "never")
  const values = writable.flatMap((column): ReadonlyArray<readonly [string, Json]> => {
    const value = record[column.name]
    return value === undefined ? [] : [[column.name, ofType(column, value)]]
  })
  return {
    // Another row than that of the demo, where the body has the key.
    create: Object.fromEntries(
      values.map(([name, value]) => [name, name === resource.key ? `${String(value)}_2` : value])
    ),
    update: Object.fromEntries(values.filter(([name]) => name !== resource.key).slice(0, 1)),
    row: ColumnDefaults.complement(resource, context)(withTypes(resource, record))
  }
})

/** The names of the examples of a resource. */
export const namesOf = ({ resource }: Resource.Any) => ({
  row: `${resource}.row`,
  rows: `${resource}.rows`,
  csv: `${resource}.csv`,
  create: `${resource}.create`,
  createCsv: `${resource}.create.csv`,
  replace: `${resource}.replace`,
  update: `${resource}.update`
})

const ofResource = (resource: Resource.Any) => {
  const { create, row, update } = make(resource)
  const { key } = resource
  const names = namesOf(resource)
  const isList = (name: string) => Column.byName(resource).get(name)?.type === "array"
  const csv = (row: JsonObject) => Slices.run(Csv.print([row], isList))
  return {
    [names.row]: { value: row },
    [names.rows]: { value: [row] },
    [names.csv]: { value: csv(row) },
    [names.create]: { value: create },
    [names.createCsv]: { value: csv(Object.fromEntries(Object.entries(create).filter(([, value]) => value !== null))) },
    [names.replace]: { value: { ...create, [key]: row[key] } },
    [names.update]: { value: update }
  }
}

/** The examples of resources by name. */
export const components = (
  resources: ReadonlyArray<Resource.Any>
): { readonly [name: string]: { readonly value: Json } } => Object.assign({}, ...resources.map(ofResource))
