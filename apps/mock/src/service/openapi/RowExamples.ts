/**
 * Provides an example row of each resource, the first one of the demo: the body that creates it, and the row in a response.
 */
import * as Column from "@mfgdata/domain/Column"
import { CompanyId, UserId } from "@mfgdata/domain/Ids"
import type { JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as ColumnDefaults from "../../rows/plan/ColumnDefaults.ts"
import { companyId, userId } from "../../seeds/demo/company.ts"
import { demo } from "../../seeds/demo/index.ts"
import { webhookTables } from "../../seeds/webhookTables.ts"

export interface Example {
  readonly create: JsonObject
  readonly row: JsonObject
}

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

/** The example of a resource. */
export const make = (resource: Resource.Any): Example => {
  const [record = {}] = recordsOf[resource.resource] ?? []
  const writable = Column.fromResource(resource).filter(({ write }) => write !== "never")
  const create = Object.fromEntries(
    writable.flatMap(({ name }) => (record[name] === undefined ? [] : [[name, record[name]]]))
  )
  return { create, row: ColumnDefaults.complement(resource, context)(record) }
}
