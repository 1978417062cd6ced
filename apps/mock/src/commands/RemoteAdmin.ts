/**
 * Sends the administrator's operations to a service in another process of this machine.
 */
import * as AdminApi from "@mfgdata/client/AdminApi"
import * as OperationError from "@mfgdata/domain/OperationError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** A refusal of the service, or a failed request to it. */
export class RemoteFailure extends Data.TaggedError("RemoteFailure")<{
  readonly origin: string
  readonly reason: string
}> {
  override get message() {
    return `The service at ${this.origin} failed: ${this.reason}.`
  }
}

const decodeError = Schema.decodeUnknownOption(Schema.parseJson(OperationError.OperationError))

const reasonOf = (status: number, text: string): string =>
  Option.match(decodeError(text), { onNone: () => `status ${status}`, onSome: ({ message }) => message })

/** The operations of the service at an origin. */
export const make = (origin: string, adminKey: string): AdminApi.Service<RemoteFailure> => {
  const failure = (reason: string) => new RemoteFailure({ origin, reason })

  const send =
    <N extends AdminApi.Name>(name: N) =>
    (request: AdminApi.Request<N>): Effect.Effect<AdminApi.Response<N>, RemoteFailure> => {
      const { body = null, method, target } = AdminApi.toWire(name, request)
      const headers = { authorization: `Bearer ${adminKey}`, "content-type": "application/json" }
      return Effect.gen(function* () {
        const { ok, status, text } = yield* Effect.tryPromise({
          try: async (signal) => {
            const response = await fetch(origin + target, { method, headers, body, signal })
            return { ok: response.ok, status: response.status, text: await response.text() }
          },
          catch: (cause) => failure(cause instanceof Error ? cause.message : String(cause))
        })
        if (!ok) return yield* failure(reasonOf(status, text))
        return yield* Effect.mapError(AdminApi.decodeResponse(name)(text), ({ message }) => failure(message))
      })
    }

  // Each name has the function that sends its request.
  return Object.fromEntries(
    AdminApi.names.map((name) => [name, send(name)])
  ) as unknown as AdminApi.Service<RemoteFailure>
}
