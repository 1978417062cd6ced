/**
 * Calls operations of the operation interface.
 */
import type { Unreachable } from "@mfgdata/client/ClientError"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as Operation from "@mfgdata/domain/Operation"
import * as Effect from "effect/Effect"
import type { Connection } from "./Connection.ts"
import * as OperationReply from "./OperationReply.ts"

/** Calls an operation. */
export const call = (
  { call, profile }: Connection,
  { id, path }: Operation.Any,
  parameters: JsonObject
): Effect.Effect<Json, OperationReply.ReplyError | Unreachable> => {
  const url = profile.baseUrl + path
  return Effect.flatMap(call({ method: "POST", url, body: JSON.stringify(parameters) }), (reply) =>
    OperationReply.read(id, url, reply)
  )
}
