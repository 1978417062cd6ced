/**
 * What an administrator can ask of a running service: each operation's place below `/_mock`, and its shapes. The
 * service answers by it, and the commands ask by it.
 */
import { CompanyId, UserId } from "@mfgdata/domain/Ids"
import type * as OperationError from "@mfgdata/domain/OperationError"
import * as Scope from "@mfgdata/domain/Scope"
import * as Text from "@mfgdata/domain/Text"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ApiKey from "../access/ApiKey.ts"
import * as WebhookAdminApi from "./WebhookAdminApi.ts"
import type { Operation } from "./AdminOperation.ts"

/** Below what path everything is. */
export const mount = "/_mock"

const exact = { exact: true } as const

/** A key that is shown this once, and what is kept of it. */
const Issued = Schema.Struct({ key: Schema.String, ...ApiKey.ApiKey.fields })

const SnapshotFile = Schema.Struct({
  file: Text.NonEmpty.annotations({ description: "a path on the machine that serves" })
})

/** Every operation by its name. */
export const operations = {
  listKeys: {
    method: "GET",
    path: "/keys",
    status: 200,
    request: Schema.Struct({}),
    response: Schema.Array(ApiKey.ApiKey)
  },
  createKey: {
    method: "POST",
    path: "/keys",
    status: 201,
    request: Schema.Struct({
      name: Text.NonEmpty,
      scopes: Schema.optionalWith(Schema.Array(Scope.Scope), { ...exact, default: () => ["*"] as const }),
      expiresAt: Schema.optionalWith(Schema.NullOr(Timestamp.Timestamp), { ...exact, default: () => null }),
      /** The first company and its first user where they are left out. */
      companyId: Schema.optionalWith(CompanyId, exact),
      userId: Schema.optionalWith(UserId, exact)
    }),
    response: Issued
  },
  revokeKey: {
    method: "DELETE",
    path: "/keys/:id",
    status: 200,
    request: Schema.Struct({ id: Schema.String }),
    response: ApiKey.ApiKey
  },
  rollKey: {
    method: "POST",
    path: "/keys/:id/roll",
    status: 201,
    request: Schema.Struct({
      id: Schema.String,
      /** For how long the old key is good beside the new one. */
      overlapSeconds: Schema.optionalWith(Schema.Int.pipe(Schema.between(0, 31_536_000)), {
        ...exact,
        default: () => 0
      })
    }),
    response: Issued
  },
  saveSnapshot: { method: "POST", path: "/snapshot/save", status: 200, request: SnapshotFile, response: Schema.Null },
  restoreSnapshot: {
    method: "POST",
    path: "/snapshot/restore",
    status: 200,
    request: SnapshotFile,
    response: Schema.Null
  },
  ...WebhookAdminApi.operations
} satisfies { readonly [name: string]: Operation }

export type Name = keyof typeof operations

/** All names. */
// The keys of a literal are its declared keys.
export const names = Object.keys(operations) as ReadonlyArray<Name>

export type Request<N extends Name> = Schema.Schema.Type<(typeof operations)[N]["request"]>
export type Response<N extends Name> = Schema.Schema.Type<(typeof operations)[N]["response"]>

/** An operation's shapes, for machinery that handles all of them alike. */
export interface Shapes<N extends Name> {
  readonly request: Schema.Schema<Request<N>, { readonly [field: string]: unknown }>
  readonly response: Schema.Schema<Response<N>, unknown>
}

/** The shapes that stand under a name, which the compiler cannot follow through all of them. */
export const shapes = <N extends Name>(name: N): Shapes<N> => operations[name] as unknown as Shapes<N>

/** An operation was refused. */
export class ControlRefused extends Data.TaggedError("ControlRefused")<{
  readonly code: OperationError.KnownCode
  readonly message: string
}> {}

/** The operations as functions, wherever they are carried out, and how they may fail there. */
export type Control<E> = {
  readonly [N in Name]: (request: Request<N>) => Effect.Effect<Response<N>, E>
}
