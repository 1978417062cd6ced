/**
 * Triggers sample events: creates, updates or deletes a row.
 */
import type { QueryError, RemoveError, UpdateError, WriteError } from "@mfgdata/client/ClientError"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type * as Column from "@mfgdata/domain/Column"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Company from "../service/Company.ts"
import type { Connection } from "../service/Connection.ts"
import * as Fields from "../Fields.ts"

export const events = ["insert", "update", "delete"] as const
export type Event = (typeof events)[number]

type Failure = QueryError | WriteError | UpdateError | RemoveError

/** A sample value of a column without a reference; `mark` makes unique values differ. */
const plain = ({ name, type, vocabulary }: Column.Column, mark: string, now: Date): Json => {
  const [known] = vocabulary?.known ?? []
  if (known !== undefined) return known
  switch (type) {
    case "text":
      return name === "url" ? `https://example.com/${mark}` : `sample ${mark}`
    case "number":
      return 1
    case "boolean":
      return false
    case "date":
      return now.toISOString().slice(0, 10)
    case "timestamp":
      return now.toISOString()
    case "object":
      return {}
    case "array":
      return []
  }
}

/** The value of a reference: the key of an existing row, or of a new one. */
const referenced = (
  connection: Connection,
  reference: NonNullable<Column.Column["reference"]>
): Effect.Effect<Json | undefined, Failure> => {
  const parent = Catalogue.find(reference.resource)
  if (parent === undefined) return Effect.succeed(undefined)
  return Effect.flatMap(connection.rows.list(parent, Query.fromText("limit=1")), ([row]) =>
    row === undefined
      ? Effect.map(create(connection, parent), (row) => row[reference.field] ?? undefined)
      : Effect.succeed(row[reference.field] ?? undefined)
  )
}

/** Creates a row of a resource, and the rows that it references. */
const create = (connection: Connection, resource: Resource.Any): Effect.Effect<JsonObject, Failure> =>
  Effect.gen(function* () {
    const millis = yield* Clock.currentTimeMillis
    const mark = millis.toString(36)
    const values: Record<string, Json> = { ...Company.fill(resource, {}, connection.profile.companyId) }
    for (const column of Fields.writable(resource)) {
      if (column.write !== "required" || column.name in values) continue
      const key = column.reference === undefined ? undefined : yield* referenced(connection, column.reference)
      values[column.name] = key ?? plain(column, mark, new Date(millis))
    }
    const row: JsonObject = yield* connection.rows.create(resource, values)
    return row
  })

/** An update without effect: a required field keeps its value. */
const sameValue = (resource: Resource.Any, row: JsonObject): JsonObject => {
  const column = Fields.writable(resource).find(({ name, write }) => write === "required" && name !== resource.key)
  return column === undefined ? {} : { [column.name]: row[column.name] ?? null }
}

/** A triggered event. */
export interface Result {
  readonly event: Event
  readonly key: string
  /** True when the row was created for the event. */
  readonly isNew: boolean
}

/** Triggers an event of the row with a key, or of a new row. */
export const trigger = (
  connection: Connection,
  resource: Resource.Any,
  event: Event,
  keyFlag: string | undefined
): Effect.Effect<Result, Failure> =>
  Effect.gen(function* () {
    const created = keyFlag === undefined || event === "insert" ? yield* create(connection, resource) : undefined
    const key = created === undefined ? (keyFlag ?? "") : String(created[resource.key])
    switch (event) {
      case "insert":
        break
      case "update": {
        const row: JsonObject = created ?? (yield* connection.rows.retrieve(resource, key))
        yield* connection.rows.update(resource, key, sameValue(resource, row))
        break
      }
      case "delete":
        yield* connection.rows.remove(resource, key)
        break
    }
    return { event, key, isNew: created !== undefined }
  })
