/**
 * Declares the administrator's interface of a service of this project: the operations below `/_mock`, with their
 * paths and schemas. The service implements it, and programs send requests by it.
 */
import { CompanyId, UserId } from "@mfgdata/domain/Ids"
import * as Scope from "@mfgdata/domain/Scope"
import * as Text from "@mfgdata/domain/Text"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import type * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as AdminField from "./internal/admin/AdminField.ts"
import * as AdminFaults from "./internal/admin/AdminFaults.ts"
import * as AdminHistory from "./internal/admin/AdminHistory.ts"
import * as AdminTraffic from "./internal/admin/AdminTraffic.ts"
import * as AdminWebhooks from "./internal/admin/AdminWebhooks.ts"
import * as AdminWorlds from "./internal/admin/AdminWorlds.ts"

export {
  Fault,
  FaultFile,
  Match as FaultMatch,
  FaultRequest,
  FaultRule,
  Latency,
  type ReadySet,
  readySets
} from "./internal/admin/FaultRule.ts"
export { Exchange } from "./internal/admin/AdminTraffic.ts"
export { DeliveryAttempt, DeliveryDetail, DeliveryRecord, DeliveryState } from "./internal/admin/AdminWebhooks.ts"
export { HistoryCause, HistoryEntry } from "./internal/admin/AdminHistory.ts"
export { main, namePattern, NewWorld, World, WorldDiff, WorldSnapshot } from "./internal/admin/AdminWorlds.ts"

/** The path above every operation. */
export const mount = "/_mock"

/** An operation. */
export interface Operation {
  readonly method: "GET" | "POST" | "DELETE"
  /** The path below the mount; `:id` is the request's field `id`. */
  readonly path: string
  /** The status of a success. */
  readonly status: 200 | 201 | 204
  /** The media type of a file that is the body of the request: its field `file`, the others are the query. */
  readonly upload?: string
  /** The media type of a file that is the response. */
  readonly download?: string
  readonly request: Schema.Schema.AnyNoContext
  readonly response: Schema.Schema.AnyNoContext
}

/** An API key, without its secret part. */
export const ApiKeyRecord = Schema.Struct({
  id: Schema.String,
  companyId: CompanyId,
  userId: UserId,
  name: Schema.String,
  /** The first characters of the key. */
  preview: Schema.String,
  scopes: Schema.Array(Scope.Scope),
  createdAt: Timestamp.Timestamp,
  expiresAt: Schema.NullOr(Timestamp.Timestamp),
  lastUsedAt: Schema.NullOr(Timestamp.Timestamp),
  revokedAt: Schema.NullOr(Timestamp.Timestamp)
})
export type ApiKeyRecord = typeof ApiKeyRecord.Type

/** A new key: the response that creates it is the only one that contains it. */
const IssuedKey = Schema.Struct({ key: Schema.String, ...ApiKeyRecord.fields })

const keys = {
  listKeys: {
    method: "GET",
    path: "/keys",
    status: 200,
    request: Schema.Struct({}),
    response: Schema.Array(ApiKeyRecord)
  },
  createKey: {
    method: "POST",
    path: "/keys",
    status: 201,
    request: Schema.Struct({
      name: Text.NonEmpty,
      scopes: AdminField.defaulted(Schema.Array(Scope.Scope), () => ["*"] as const),
      expiresAt: AdminField.defaulted(Schema.NullOr(Timestamp.Timestamp), () => null),
      /** By default the first company, and its first user. */
      companyId: AdminField.optional(CompanyId),
      userId: AdminField.optional(UserId)
    }),
    response: IssuedKey
  },
  revokeKey: {
    method: "DELETE",
    path: "/keys/:id",
    status: 200,
    request: Schema.Struct({ id: Schema.String }),
    response: ApiKeyRecord
  },
  rollKey: {
    method: "POST",
    path: "/keys/:id/roll",
    status: 201,
    /** The old key stays valid for the overlap. */
    request: Schema.Struct({ id: Schema.String, overlapSeconds: AdminWebhooks.overlap(0) }),
    response: IssuedKey
  }
} satisfies { readonly [name: string]: Operation }

const SnapshotFile = Schema.Struct({
  file: Text.NonEmpty.annotations({ description: "a path on the machine of the service" })
})

const snapshots = {
  saveSnapshot: { method: "POST", path: "/snapshot/save", status: 200, request: SnapshotFile, response: Schema.Null },
  restoreSnapshot: {
    method: "POST",
    path: "/snapshot/restore",
    status: 200,
    request: SnapshotFile,
    response: Schema.Null
  }
} satisfies { readonly [name: string]: Operation }

/** An attempt that has not ended, with the real time since its start. */
const Attempt = Schema.Struct({
  deliveryId: Schema.String,
  companyId: CompanyId,
  webhookId: Schema.String,
  seconds: Schema.Number
})

/** An attempt that a clock has run on its way. */
const RanAttempt = Schema.Struct({
  deliveryId: Schema.String,
  companyId: CompanyId,
  webhookId: Schema.String,
  at: Timestamp.Timestamp,
  outcome: AdminWebhooks.DeliveryAttempt.fields.outcome
})

/** The clock of the service. */
const Clock = Schema.Struct({
  kind: Schema.Literal("system", "virtual"),
  now: Timestamp.Timestamp,
  frozen: Schema.Boolean,
  /**
   * The attempts in flight, oldest first, at most 100. A clock that is set or advanced waits for the attempts that fall
   * due on its way, up to `--advance-timeout`; those that have not ended by then are here.
   */
  inFlight: Schema.Array(Attempt),
  /** The attempts that this request has run by setting or advancing the clock, in order, at most 1000. */
  ran: Schema.Array(RanAttempt)
})

/** At most a hundred years, beyond any retry. */
const Seconds = Schema.Number.pipe(Schema.between(0, 3_155_760_000))

const clock = {
  readClock: { method: "GET", path: "/clock", status: 200, request: Schema.Struct({}), response: Clock },
  freezeClock: { method: "POST", path: "/clock/freeze", status: 200, request: Schema.Struct({}), response: Clock },
  resumeClock: { method: "POST", path: "/clock/resume", status: 200, request: Schema.Struct({}), response: Clock },
  setClock: {
    method: "POST",
    path: "/clock/set",
    status: 200,
    request: Schema.Struct({ to: Timestamp.Timestamp }),
    response: Clock
  },
  advanceClock: {
    method: "POST",
    path: "/clock/advance",
    status: 200,
    request: Schema.Struct({ seconds: Seconds }),
    response: Clock
  }
} satisfies { readonly [name: string]: Operation }

/** A quota of a company, or null where there is none. */
const Limit = Schema.NullOr(Schema.Number)

const usage = {
  /** The rows, bytes and webhooks of a company, by default the first one, with the quotas of the service. */
  readUsage: {
    method: "GET",
    path: "/usage",
    status: 200,
    request: Schema.Struct({ companyId: AdminField.optional(CompanyId) }),
    response: Schema.Struct({
      companyId: CompanyId,
      rows: Schema.Number,
      bytes: Schema.Number,
      webhooks: Schema.Number,
      quota: Schema.Struct({ rows: Limit, bytes: Limit, webhooks: Limit })
    })
  }
} satisfies { readonly [name: string]: Operation }

/** All operations by name. */
export const operations = {
  ...keys,
  ...snapshots,
  ...usage,
  ...AdminWebhooks.operations,
  ...clock,
  ...AdminFaults.operations,
  ...AdminHistory.operations,
  ...AdminTraffic.operations,
  ...AdminWorlds.operations
} satisfies {
  readonly [name: string]: Operation
}

/** The operations on worlds. The others act on one world, which `?world=` names. */
export type WorldsName = keyof typeof AdminWorlds.operations

/** Reports whether an operation is one on worlds. */
export const isOnWorlds = (name: Name): name is WorldsName => Object.hasOwn(AdminWorlds.operations, name)

export type Name = keyof typeof operations

/** The names of all operations. */
// The keys of a literal are its declared keys.
export const names = Object.keys(operations) as ReadonlyArray<Name>

export type Request<N extends Name> = Schema.Schema.Type<(typeof operations)[N]["request"]>
export type Response<N extends Name> = Schema.Schema.Type<(typeof operations)[N]["response"]>

/** The operations as functions, which fail with `E`. */
export type Service<E> = {
  readonly [N in Name]: (request: Request<N>) => Effect.Effect<Response<N>, E>
}

/** The schemas of an operation, for code that is generic in its name. */
export interface Schemas<N extends Name> {
  readonly request: Schema.Schema<Request<N>, { readonly [field: string]: unknown }>
  readonly response: Schema.Schema<Response<N>, unknown>
}

/** The schemas of an operation. */
// The compiler cannot relate a generic name to the members of the record.
export const schemas = <N extends Name>(name: N): Schemas<N> => operations[name] as unknown as Schemas<N>

/** A request on the wire. */
export interface WireRequest {
  readonly method: Operation["method"]
  /** The path with its query, from the mount on. */
  readonly target: string
  readonly body: string | undefined
  /** The file of an upload, which is the body instead. */
  readonly file?: { readonly bytes: Uint8Array; readonly mediaType: string }
}

/**
 * The request on the wire of an operation, on the main world or on another one.
 *
 * @example
 * AdminApi.toWire("rollKey", { id: "k1", overlapSeconds: 60 })
 * // { method: "POST", target: "/_mock/keys/k1/roll", body: '{"overlapSeconds":60}' }
 */
export const toWire = <N extends Name>(name: N, request: Request<N>, world?: string): WireRequest => {
  const { method, path, upload }: Operation = operations[name]
  const fields = new Map(Object.entries(Schema.encodeSync(schemas(name).request)(request)))
  const below = path.replaceAll(/:(\w+)/g, (_, field: string) => {
    const value = encodeURIComponent(String(fields.get(field)))
    fields.delete(field)
    return value
  })
  const query = new URLSearchParams(world === undefined ? {} : { world })
  const file = fields.get("file")
  const isInQuery = method !== "POST" || upload !== undefined
  if (isInQuery) for (const [field, value] of fields) if (value !== file) query.append(field, String(value))
  const target = `${mount}${below}${query.size === 0 ? "" : `?${query}`}`
  return {
    method,
    target,
    body: isInQuery ? undefined : JSON.stringify(Object.fromEntries(fields)),
    ...(upload !== undefined && file instanceof Uint8Array ? { file: { bytes: file, mediaType: upload } } : {})
  }
}

/** Reports whether the response of an operation is a file. */
export const isDownload = (name: Name): boolean => Object.hasOwn(operations[name], "download")

/** Decodes the body of a successful response: the bytes of a file, or a text. */
export const decodeResponse = <N extends Name>(
  name: N
): ((body: string | Uint8Array) => Either.Either<Response<N>, ParseResult.ParseError>) => {
  const { response } = schemas(name)
  const options = { onExcessProperty: "preserve" } as const
  if (isDownload(name)) return Schema.decodeUnknownEither(response, options)
  const decode = Schema.decodeUnknownEither(Schema.parseJson(response), options)
  return (body) => decode(operations[name].status === 204 ? "null" : body)
}
