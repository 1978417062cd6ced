/**
 * Orders of an administrator, below `/_mock` of a service that takes them.
 */
import type { HttpMethod } from "@effect/platform/HttpMethod"
import type { Unreachable } from "@mfgdata/client/ClientError"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import * as Effect from "effect/Effect"
import { type AdminKeyMissing, ControlMissing } from "./CliError.ts"
import type { Connection } from "./Connection.ts"
import * as Input from "./Input.ts"
import * as Reply from "./Reply.ts"

export type Refusal = Reply.Refusal | Unreachable | AdminKeyMissing | ControlMissing

/** What is ordered; `purpose` begins the sentence on a missing key. */
export interface Order {
  readonly purpose: string
  readonly method: HttpMethod
  readonly path: string
  readonly body?: JsonObject
}

/** Gives an order. */
export const order = (connection: Connection, { body, method, path, purpose }: Order): Effect.Effect<Json, Refusal> =>
  Effect.gen(function* () {
    const key = yield* Input.adminKey(connection, purpose)
    const { origin } = new URL(connection.profile.restUrl)
    const url = `${origin}/_mock${path}`
    const reply = yield* connection.call({
      method,
      url,
      key,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return yield* Effect.catchTag(Reply.read(`${method} /_mock${path}`, url, reply), "ResponseMalformed", (error) =>
      Effect.fail(reply.status === 404 ? new ControlMissing({ origin }) : error)
    )
  })
