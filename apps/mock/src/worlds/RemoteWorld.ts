/**
 * A world of a running service, made for a test over its administrator's interface, and deleted with the scope.
 */
import * as HttpBody from "@effect/platform/HttpBody"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as AdminApi from "@mfgdata/client/AdminApi"
import * as OperationError from "@mfgdata/domain/OperationError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import * as RealTime from "../world/RealTime.ts"

/** The service refused an operation, or cannot be reached. */
export class RemoteFailed extends Data.TaggedError("RemoteFailed")<{
  readonly url: string
  readonly operation: AdminApi.Name
  readonly reason: string
}> {
  override get message() {
    return `The service at ${this.url} did not perform ${this.operation}: ${this.reason}`
  }
}

export interface Options {
  /** The address of the service, such as `http://127.0.0.1:4010`. */
  readonly url: string
  readonly adminKey: Redacted.Redacted | string
  /** The choices of the world (default: a fork of `main`). */
  readonly world?: AdminApi.Request<"createWorld">
}

export interface RemoteWorld extends AdminApi.NewWorld {
  /** Performs an operation of the administrator. With `on`, it acts on that world. */
  readonly perform: Perform
  /** Waits until no delivery of the world is due or in flight. */
  readonly delivered: Effect.Effect<void, RemoteFailed>
}

interface Perform {
  <N extends AdminApi.Name>(
    name: N,
    request: AdminApi.Request<N>,
    on?: string
  ): Effect.Effect<AdminApi.Response<N>, RemoteFailed>
}

const decodeError = Schema.decodeUnknownOption(Schema.parseJson(OperationError.OperationError))

const pauseMillis = 20

const performWith =
  (client: HttpClient.HttpClient, { adminKey, url }: Options): Perform =>
  (name, request, on) => {
    const key = Redacted.isRedacted(adminKey) ? Redacted.value(adminKey) : adminKey
    const { body, method, target } = AdminApi.toWire(name, request, on)
    const failed = (reason: string) => new RemoteFailed({ url, operation: name, reason })
    return HttpClientRequest.make(method)(new URL(target, url).href).pipe(
      HttpClientRequest.bearerToken(key),
      (sent) => (body === undefined ? sent : HttpClientRequest.setBody(sent, HttpBody.text(body, "application/json"))),
      client.execute,
      Effect.flatMap((response) => Effect.map(response.text, (text) => ({ status: response.status, text }))),
      Effect.mapError(({ message }) => failed(message)),
      Effect.flatMap(({ status, text }) =>
        status < 300
          ? Effect.mapError(AdminApi.decodeResponse(name)(text), ({ message }) => failed(message))
          : Effect.fail(
              failed(
                Option.match(decodeError(text), { onNone: () => `status ${status}`, onSome: ({ message }) => message })
              )
            )
      ),
      Effect.scoped
    )
  }

/** Makes a world. */
export const make = (
  client: HttpClient.HttpClient,
  options: Options
): Effect.Effect<RemoteWorld, RemoteFailed, Scope> =>
  Effect.gen(function* () {
    const perform = performWith(client, options)
    const made = yield* Effect.acquireRelease(perform("createWorld", options.world ?? {}), ({ name }) =>
      // The service deletes it later, if it cannot be reached now.
      Effect.ignore(perform("dropWorld", { world: name }))
    )
    const { name } = made
    const isQuiet = Effect.gen(function* () {
      const { inFlight, now } = yield* perform("readClock", {}, name)
      if (inFlight.length > 0) return false
      const pending = yield* perform("listDeliveries", { state: "pending", limit: 1000 }, name)
      return pending.every(({ dueAt }) => dueAt === null || dueAt > now)
    })
    const delivered: Effect.Effect<void, RemoteFailed> = Effect.flatMap(isQuiet, (isOver) =>
      isOver ? Effect.void : Effect.zipRight(RealTime.pause(pauseMillis), delivered)
    )
    return { ...made, perform, delivered }
  })
