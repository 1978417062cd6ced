/**
 * The company of a key: where a row needs one and none is given, it is this.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import * as Json from "@mfgdata/domain/Json"
import type { JsonObject } from "@mfgdata/domain/Json"
import { account } from "@mfgdata/domain/Operations"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Connection } from "./Connection.ts"
import * as Operations from "./Operations.ts"

const column = "companyId"
const isRow = Schema.is(Json.JsonObject)

/** Whether rows of a resource have to name their company. */
const isNeeded = (resource: Resource.Any): boolean => Column.byName(resource).get(column)?.write === "required"

/** A row with its company. */
export const fill = (resource: Resource.Any, values: JsonObject, companyId: string | undefined): JsonObject =>
  companyId !== undefined && values[column] === undefined && isNeeded(resource)
    ? { ...values, [column]: companyId }
    : values

/** The company that the categories of attributes name. */
const ofCategories = (connection: Connection): Effect.Effect<string | undefined> =>
  Effect.map(
    Effect.orElseSucceed(Operations.call(connection, account.getAllAttributeCategories, {}), () => null),
    (answer) => {
      const results = isRow(answer) ? answer["results"] : []
      const named = Array.isArray(results) ? results.filter(isRow).map((category) => category[column]) : []
      return named.find((name) => typeof name === "string")
    }
  )

/** The company that some row names. */
const ofRows = ({ rows }: Connection): Effect.Effect<string | undefined> =>
  Effect.gen(function* () {
    for (const resource of Catalogue.resources) {
      if (!Column.byName(resource).has(column)) continue
      const query = { query: `select=${column}&limit=1` }
      const [row] = yield* Effect.orElseSucceed(rows.list(resource, query), (): ReadonlyArray<JsonObject> => [])
      const named = row?.[column]
      if (typeof named === "string") return named
    }
    return undefined
  })

/** The company of a connection's key, where anything of it names it. */
export const find = (connection: Connection): Effect.Effect<string | undefined> =>
  Effect.flatMap(ofCategories(connection), (found) =>
    found === undefined ? ofRows(connection) : Effect.succeed(found)
  )
