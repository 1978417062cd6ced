/**
 * Rows that are made for nothing but the events they cause.
 */
import type { QueryError, RemoveError, UpdateError, WriteError } from "@mfgdata/client/ClientError"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type * as Column from "@mfgdata/domain/Column"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Company from "../Company.ts"
import type { Connection } from "../Connection.ts"
import * as Fields from "../Fields.ts"

export const events = ["insert", "update", "delete"] as const
export type Event = (typeof events)[number]

type Failure = QueryError | WriteError | UpdateError | RemoveError

/** What a column holds that nothing depends on. `mark` is new each time, for what has to be unique. */
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

/** The value of a column that names a row of the service: one that is there, or one that is made. */
const referred = (
  connection: Connection,
  reference: NonNullable<Column.Column["reference"]>
): Effect.Effect<Json | undefined, Failure> => {
  const parent = Catalogue.find(reference.resource)
  if (parent === undefined) return Effect.succeed(undefined)
  return Effect.flatMap(connection.rows.list(parent, { query: "limit=1" }), ([row]) =>
    row === undefined
      ? Effect.map(create(connection, parent), (made) => made[reference.field] ?? undefined)
      : Effect.succeed(row[reference.field] ?? undefined)
  )
}

/** Makes a row of a resource, and what it has to refer to. */
const create = (connection: Connection, resource: Resource.Any): Effect.Effect<JsonObject, Failure> =>
  Effect.gen(function* () {
    const millis = yield* Clock.currentTimeMillis
    const mark = millis.toString(36)
    const values: Record<string, Json> = { ...Company.fill(resource, {}, connection.profile.companyId) }
    for (const column of Fields.writable(resource)) {
      if (column.write !== "required" || column.name in values) continue
      const named = column.reference === undefined ? undefined : yield* referred(connection, column.reference)
      values[column.name] = named ?? plain(column, mark, new Date(millis))
    }
    const row: JsonObject = yield* connection.rows.create(resource, values)
    return row
  })

/** A change of a row that changes as little as possible: a required field keeps its value. */
const touch = (resource: Resource.Any, row: JsonObject): JsonObject => {
  const column = Fields.writable(resource).find(({ name, write }) => write === "required" && name !== resource.key)
  return column === undefined ? {} : { [column.name]: row[column.name] ?? null }
}

/** What was done to which row. */
export interface Triggered {
  readonly event: Event
  readonly key: string
  /** Whether a row was made for it. */
  readonly made: boolean
}

/** Causes an event: of a row that is named, or of one that is made. */
export const trigger = (
  connection: Connection,
  resource: Resource.Any,
  event: Event,
  named: string | undefined
): Effect.Effect<Triggered, Failure> =>
  Effect.gen(function* () {
    const made = named === undefined || event === "insert" ? yield* create(connection, resource) : undefined
    const key = made === undefined ? (named ?? "") : String(made[resource.key])
    switch (event) {
      case "insert":
        break
      case "update": {
        const row: JsonObject = made ?? (yield* connection.rows.retrieve(resource, key))
        yield* connection.rows.update(resource, key, touch(resource, row))
        break
      }
      case "delete":
        yield* connection.rows.remove(resource, key)
        break
    }
    return { event, key, made: made !== undefined }
  })
