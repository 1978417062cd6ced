/**
 * Declares the administrator's operations on worlds: isolated copies of the whole service, each with an API key of its own.
 */
import { CompanyId, UserId } from "@mfgdata/domain/Ids"
import { Json, JsonObject } from "@mfgdata/domain/Json"
import * as Text from "@mfgdata/domain/Text"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Schema from "effect/Schema"
import * as AdminField from "./AdminField.ts"

/** The name of the world that always exists. */
export const main = "main"

/** The names that a world or a snapshot may have. */
export const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** The service checks the name itself, for an error of one sentence. */
const Name = Schema.String.annotations({
  description: "1 to 64 letters, digits, dots, dashes and underscores, the first of them a letter or a digit",
  jsonSchema: { type: "string", pattern: namePattern.source }
})

const day = 86_400

/** The seconds without a request after which a world is put away. */
const IdleSeconds = Schema.Int.pipe(Schema.between(1, 365 * day))

const Rules = Schema.Literal("contract", "public")

/** A world. */
export const World = Schema.Struct({
  name: Schema.String,
  /** The world that it is a fork of; null for one that began with a seed or a file, and for `main`. */
  from: Schema.NullOr(Schema.String),
  /** The seed that it began with. */
  seed: Schema.NullOr(Schema.Literal("demo", "empty", "file", "inline")),
  rules: Rules,
  companyId: Schema.NullOr(CompanyId),
  userId: Schema.NullOr(UserId),
  /** An idle world is put away; its next request brings it back. */
  state: Schema.Literal("open", "idle"),
  createdAt: Timestamp.Timestamp,
  usedAt: Timestamp.Timestamp,
  /** Null for `main`, which is never put away. */
  idleSeconds: Schema.NullOr(Schema.Int)
})
export type World = typeof World.Type

/** A new world: the response that creates it is the only one that contains its key. */
export const NewWorld = Schema.Struct({
  name: Schema.String,
  key: Schema.String,
  restUrl: Schema.String,
  baseUrl: Schema.String,
  companyId: CompanyId,
  userId: UserId,
  createdAt: Timestamp.Timestamp,
  idleSeconds: Schema.Int
})
export type NewWorld = typeof NewWorld.Type

/** A saved state of a world. */
export const WorldSnapshot = Schema.Struct({ name: Schema.String, createdAt: Timestamp.Timestamp })
export type WorldSnapshot = typeof WorldSnapshot.Type

const one = { world: Schema.String }
const snapshotOf = { ...one, snapshot: Schema.String }

const worlds = {
  createWorld: {
    method: "POST",
    path: "/worlds",
    status: 201,
    request: Schema.Struct({
      name: AdminField.optional(Name),
      /** The world that it becomes a fork of (default `main`). */
      from: AdminField.optional(Schema.String),
      /** Begins anew, with a seed by name, or in the form of a seed file. */
      seed: AdminField.optional(Schema.Union(Schema.Literal("demo", "empty"), JsonObject)),
      /** The rules of the new world (default: those of its parent, or of the service). */
      rules: AdminField.optional(Rules),
      /** Begins with the state of its parent at a time. */
      asOf: AdminField.optional(Timestamp.Timestamp),
      idleSeconds: AdminField.optional(IdleSeconds)
    }),
    response: NewWorld
  },
  importWorld: {
    method: "POST",
    path: "/worlds",
    status: 201,
    upload: "application/gzip",
    request: Schema.Struct({
      file: Schema.Uint8ArrayFromSelf,
      name: AdminField.optional(Name),
      idleSeconds: AdminField.optional(Schema.compose(Schema.NumberFromString, IdleSeconds))
    }),
    response: NewWorld
  },
  listWorlds: {
    method: "GET",
    path: "/worlds",
    status: 200,
    request: Schema.Struct({}),
    response: Schema.Array(World)
  },
  getWorld: { method: "GET", path: "/worlds/:world", status: 200, request: Schema.Struct(one), response: World },
  dropWorld: {
    method: "DELETE",
    path: "/worlds/:world",
    status: 204,
    request: Schema.Struct(one),
    response: Schema.Null
  },
  resetWorld: {
    method: "POST",
    path: "/worlds/:world/reset",
    status: 200,
    request: Schema.Struct(one),
    response: World
  },
  exportWorld: {
    method: "GET",
    path: "/worlds/:world/export",
    status: 200,
    download: "application/gzip",
    request: Schema.Struct(one),
    response: Schema.Uint8ArrayFromSelf
  }
} as const

const snapshots = {
  createWorldSnapshot: {
    method: "POST",
    path: "/worlds/:world/snapshots",
    status: 201,
    request: Schema.Struct({ ...one, name: Name }),
    response: WorldSnapshot
  },
  listWorldSnapshots: {
    method: "GET",
    path: "/worlds/:world/snapshots",
    status: 200,
    request: Schema.Struct(one),
    response: Schema.Array(WorldSnapshot)
  },
  restoreWorldSnapshot: {
    method: "POST",
    path: "/worlds/:world/snapshots/:snapshot/restore",
    status: 200,
    request: Schema.Struct(snapshotOf),
    response: World
  },
  dropWorldSnapshot: {
    method: "DELETE",
    path: "/worlds/:world/snapshots/:snapshot",
    status: 204,
    request: Schema.Struct(snapshotOf),
    response: Schema.Null
  }
} as const

/** A row that differs between two worlds, with the fields that do. */
const ChangedRow = Schema.Struct({
  companyId: Schema.String,
  key: Schema.String,
  fields: Schema.Record({ key: Schema.String, value: Schema.Struct({ from: Json, to: Json }) })
})

const ResourceDiff = Schema.Struct({
  added: Schema.Array(JsonObject),
  removed: Schema.Array(JsonObject),
  changed: Schema.Array(ChangedRow)
})

/** The differences between two worlds, by resource; resources without any are left out. */
export const WorldDiff = Schema.Struct({
  from: Schema.String,
  to: Schema.String,
  resources: Schema.Record({ key: Schema.String, value: ResourceDiff }),
  /** The value of `after` for the next page; null on the last one. */
  next: Schema.NullOr(Schema.String)
})
export type WorldDiff = typeof WorldDiff.Type

const comparison = {
  diffWorlds: {
    method: "GET",
    path: "/diff",
    status: 200,
    request: Schema.Struct({
      /** A world, a snapshot of it as `world:snapshot`, what it was when it was made as `world:`, or `world@time`. */
      from: Schema.String,
      to: Schema.String,
      resource: AdminField.optional(Text.NonEmpty),
      /** Compares the content of rows that only one of the worlds has, without their ids and times. */
      ignoreIds: AdminField.defaulted(Schema.BooleanFromString, () => false),
      limit: AdminField.limit(1000),
      after: AdminField.optional(Text.NonEmpty)
    }),
    response: WorldDiff
  }
} as const

export const operations = { ...worlds, ...snapshots, ...comparison } as const
