/**
 * Finds the company of a key, which is the default company of a row.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import * as Json from "@mfgdata/domain/Json"
import type { JsonObject } from "@mfgdata/domain/Json"
import { account } from "@mfgdata/domain/Operations"
import * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Connection } from "./Connection.ts"
import * as Operations from "./Operations.ts"

const column = "companyId"
const isRow = Schema.is(Json.JsonObject)

/** True when the company is a required field of a resource. */
const isNeeded = (resource: Resource.Any): boolean => Column.byName(resource).get(column)?.write === "required"

/** Adds the company to a row that needs one and has none. */
export const fill = (resource: Resource.Any, values: JsonObject, companyId: string | undefined): JsonObject =>
  companyId !== undefined && values[column] === undefined && isNeeded(resource)
    ? { ...values, [column]: companyId }
    : values

/** The company of the attribute categories. */
const ofCategories = (connection: Connection): Effect.Effect<string | undefined> =>
  Effect.map(
    Effect.orElseSucceed(Operations.call(connection, account.getAllAttributeCategories, {}), () => null),
    (response) => {
      const results = isRow(response) ? response["results"] : []
      const companies = Array.isArray(results) ? results.filter(isRow).map((category) => category[column]) : []
      return companies.find((name) => typeof name === "string")
    }
  )

/** The company of the first row that has one. */
const ofRows = ({ rows }: Connection): Effect.Effect<string | undefined> =>
  Effect.gen(function* () {
    for (const resource of Catalogue.resources) {
      if (!Column.byName(resource).has(column)) continue
      const query = Query.fromText(`select=${column}&limit=1`)
      const [row] = yield* Effect.orElseSucceed(rows.list(resource, query), (): ReadonlyArray<JsonObject> => [])
      const company = row?.[column]
      if (typeof company === "string") return company
    }
    return undefined
  })

/** The company of a connection's key, if a readable row has one. */
export const find = (connection: Connection): Effect.Effect<string | undefined> =>
  Effect.flatMap(ofCategories(connection), (found) =>
    found === undefined ? ofRows(connection) : Effect.succeed(found)
  )
