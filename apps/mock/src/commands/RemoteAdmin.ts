/**
 * The administrator's operations on a service in another process of this machine, over HTTP.
 */
import * as OperationError from "@mfgdata/domain/OperationError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as AdminApi from "../admin/AdminApi.ts"

/** The service refused, or did not answer as one. */
export class RemoteFailure extends Data.TaggedError("RemoteFailure")<{
  readonly origin: string
  readonly reason: string
}> {
  override get message() {
    return `the service at ${this.origin} says: ${this.reason}`
  }
}

const decodeRefusal = Schema.decodeUnknownOption(Schema.parseJson(OperationError.OperationError))

const reason = (status: number, text: string): string =>
  Option.match(decodeRefusal(text), { onNone: () => `status ${status}`, onSome: ({ message }) => message })

const parameter = /:(\w+)/g

const toParameter = ([name, value]: readonly [string, unknown]): [string, string] => [name, String(value)]

/** The operations of the service at an origin. */
export const make = (origin: string, adminKey: string): AdminApi.Control<RemoteFailure> => {
  const failure = (reason: string) => new RemoteFailure({ origin, reason })

  const ask =
    <N extends AdminApi.Name>(name: N) =>
    (given: AdminApi.Request<N>): Effect.Effect<AdminApi.Response<N>, RemoteFailure> => {
      const { method, path } = AdminApi.operations[name]
      const { request, response } = AdminApi.shapes(name)
      const sent = Schema.encodeSync(request)(given)
      const decode = Schema.decodeUnknown(Schema.parseJson(response))
      const place = path.replaceAll(parameter, (_, field) => encodeURIComponent(String(sent[field])))
      const asked = method === "GET" ? `?${new URLSearchParams(Object.entries(sent).map(toParameter))}` : ""
      const url = `${origin}${AdminApi.mount}${place}${asked}`
      const init = {
        method,
        headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
        ...(method === "GET" ? {} : { body: JSON.stringify(sent) })
      }
      return Effect.gen(function* () {
        const { ok, status, text } = yield* Effect.tryPromise({
          try: async (signal) => {
            const answer = await fetch(url, { ...init, signal })
            return { ok: answer.ok, status: answer.status, text: await answer.text() }
          },
          catch: (cause) => failure(cause instanceof Error ? cause.message : String(cause))
        })
        if (!ok) return yield* failure(reason(status, text))
        return yield* Effect.mapError(decode(text), ({ message }) => failure(message))
      })
    }

  // Each name has the function that asks for it.
  return Object.fromEntries(
    AdminApi.names.map((name) => [name, ask(name)])
  ) as unknown as AdminApi.Control<RemoteFailure>
}
