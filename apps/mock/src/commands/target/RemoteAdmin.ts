/**
 * Sends the administrator's operations to a service in another process of this machine.
 */
import * as AdminApi from "@mfgdata/client/AdminApi"
import * as OperationError from "@mfgdata/domain/OperationError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as Reason from "../../Reason.ts"

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

const decodeIssues = Schema.decodeUnknownOption(
  Schema.Struct({
    issues: Schema.Array(
      Schema.Struct({ path: Schema.Array(Schema.Union(Schema.String, Schema.Number)), message: Schema.String })
    )
  })
)

/** The reason of an error response, with the issues that its message does not name. */
export const reasonOf = (status: number, text: string): string =>
  Option.match(decodeError(text), {
    onNone: () => `status ${status}`,
    onSome: ({ data, message }) => {
      const { issues } = Option.getOrElse(decodeIssues(data), () => ({ issues: [] }))
      const unnamed = issues.filter((issue) => !message.includes(issue.message))
      return unnamed.length === 0 ? message : `${message} (${Reason.ofIssues(unnamed)})`
    }
  })

/** The reason of a request that the service would refuse by the schema of the operation. */
const reasonOfRequest = (cause: unknown): string => {
  if (!ParseResult.isParseError(cause)) throw cause
  return `the request does not match the operation's schema (${Reason.ofParse(cause)})`
}

/** The operations of the service at an origin, on a world of it. */
export const make = (origin: string, adminKey: string, world?: string): AdminApi.Service<RemoteFailure> => {
  const failure = (reason: string) => new RemoteFailure({ origin, reason })

  const send =
    <N extends AdminApi.Name>(name: N) =>
    (request: AdminApi.Request<N>): Effect.Effect<AdminApi.Response<N>, RemoteFailure> => {
      return Effect.gen(function* () {
        const {
          body: text,
          file,
          method,
          target
        } = yield* Effect.try({
          try: () => AdminApi.toWire(name, request, world),
          catch: (cause) => failure(reasonOfRequest(cause))
        })
        const headers = { authorization: `Bearer ${adminKey}`, "content-type": file?.mediaType ?? "application/json" }
        const body = file?.bytes ?? text ?? null
        const { bytes, ok, status } = yield* Effect.tryPromise({
          try: async (signal) => {
            const response = await fetch(origin + target, { method, headers, body, signal })
            return { ok: response.ok, status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) }
          },
          catch: (cause) => failure(Reason.ofFetch(cause))
        })
        const result = ok && AdminApi.isDownload(name) ? bytes : new TextDecoder().decode(bytes)
        if (!ok) return yield* failure(reasonOf(status, String(result)))
        return yield* Effect.mapError(AdminApi.decodeResponse(name)(result), ({ message }) => failure(message))
      })
    }

  // Each name has the function that sends its request.
  return Object.fromEntries(
    AdminApi.names.map((name) => [name, send(name)])
  ) as unknown as AdminApi.Service<RemoteFailure>
}
