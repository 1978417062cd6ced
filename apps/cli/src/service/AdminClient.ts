/**
 * Sends the administrator's operations to the service of a connection.
 */
import * as AdminApi from "@mfgdata/client/AdminApi"
import type { Unreachable } from "@mfgdata/client/ClientError"
import * as Effect from "effect/Effect"
import { AdminKeyMissing, AdminInterfaceMissing } from "../CliError.ts"
import type { Connection } from "./Connection.ts"
import * as OperationReply from "./OperationReply.ts"

export type AdminError = OperationReply.ReplyError | Unreachable | AdminKeyMissing | AdminInterfaceMissing

/** The administrator's operations, on `main` or another world; `purpose` begins the error of a missing key. */
export const make = (connection: Connection, purpose: string, world?: string): AdminApi.Service<AdminError> => {
  const { adminKey: key, restUrl } = connection.profile
  const { origin } = new URL(restUrl)

  const send =
    <N extends AdminApi.Name>(name: N) =>
    (request: AdminApi.Request<N>): Effect.Effect<AdminApi.Response<N>, AdminError> =>
      Effect.gen(function* () {
        if (key === undefined) return yield* new AdminKeyMissing({ purpose })
        const { body, method, target } = AdminApi.toWire(name, request, world)
        const url = origin + target
        const operation = `${method} ${target}`
        const reply = yield* connection.call({ method, url, key, body })
        const text = yield* Effect.catchTag(OperationReply.check(operation, url, reply), "ResponseMalformed", (error) =>
          Effect.fail(reply.status === 404 ? new AdminInterfaceMissing({ origin }) : error)
        )
        return yield* Effect.mapError(AdminApi.decodeResponse(name)(text), () =>
          OperationReply.malformed(operation, url, reply)
        )
      })

  // Each name has the function that sends its request.
  return Object.fromEntries(AdminApi.names.map((name) => [name, send(name)])) as unknown as AdminApi.Service<AdminError>
}
