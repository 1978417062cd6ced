/**
 * Receives webhook deliveries as an `HttpApp`: it verifies their signatures, and passes each event once to the handler of
 * its resource. It responds 2xx after the event was handled; the sender retries after any other response.
 */
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import type * as Catalogue from "@mfgdata/domain/Catalogue"
import * as WebhookEvent from "@mfgdata/domain/WebhookEvent"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as WebhookSignature from "./WebhookSignature.ts"

type Handle<A> = (event: A) => Effect.Effect<unknown, unknown, unknown>

/** The handlers of events by resource. The receiver responds 204 to events without a handler. */
export type Handlers = {
  readonly [N in Catalogue.Name]?: Handle<WebhookEvent.ServedEvent<Catalogue.ByName[N]>>
} & {
  /** Handles the events of all other tables, and those whose row does not match its type: `_tag` is then `Invalid`. */
  readonly otherwise?: Handle<WebhookEvent.WebhookEvent | WebhookEvent.InvalidEvent>
}

/** The ids of the handled events. Keep them in a store where they have to outlive the process. */
export interface SeenEvents<E = never, R = never> {
  readonly has: (id: string) => Effect.Effect<boolean, E, R>
  readonly add: (id: string) => Effect.Effect<void, E, R>
}

/** Keeps the last ids in memory (default 10 000). */
export const inMemory = (capacity = 10_000): SeenEvents => {
  const ids = new Set<string>()
  return {
    has: (id) => Effect.sync(() => ids.has(id)),
    add: (id) =>
      Effect.sync(() => {
        ids.add(id)
        for (const oldest of ids) {
          if (ids.size <= capacity) break
          ids.delete(oldest)
        }
      })
  }
}

export interface Options<H extends Handlers, E, R> extends WebhookSignature.Options {
  readonly handlers: H & { readonly [K in Exclude<keyof H, keyof Handlers>]: never }
  /** The handled events (default {@link inMemory}). */
  readonly seen?: SeenEvents<E, R> | undefined
}

type HandlerEffect<H> = ReturnType<Extract<H[keyof H], (...args: never) => unknown>>
type ErrorOf<A> = A extends Effect.Effect<unknown, infer E, unknown> ? E : never
type ContextOf<A> = A extends Effect.Effect<unknown, unknown, infer R> ? R : never

const reject = (status: number, { message }: { readonly message: string }) =>
  HttpServerResponse.text(message, { status })

const parse = (body: Uint8Array): Either.Either<unknown, { readonly message: string }> =>
  Either.try({
    try: (): unknown => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)),
    catch: () => ({ message: "Invalid body: expected JSON in UTF-8" })
  })

/**
 * Makes the app of some handlers. It responds 401 to an invalid signature, 400 to a body that is not an event, and 204
 * after the event was handled. An event whose row does not match its type goes to `otherwise`; without that handler, the
 * response is 400 where the resource has one. It fails with the error of the handler; the sender then retries.
 *
 * @example
 * const app = WebhookReceiver.make({
 *   secrets: yield* WebhookSignature.secrets,
 *   handlers: { holiday: ({ record, type }) => Effect.log(type, record.name) }
 * })
 */
export const make = <const H extends Handlers, E = never, R = never>({
  handlers,
  seen: seenEvents,
  ...signature
}: Options<H, E, R>): HttpApp.Default<E | ErrorOf<HandlerEffect<H>>, R | ContextOf<HandlerEffect<H>>> => {
  const seen: SeenEvents<E, R> = seenEvents ?? inMemory()
  type Done = Deferred.Deferred<void, E | ErrorOf<HandlerEffect<H>>>
  const running = new Map<string, Done>()

  const handle = (event: WebhookEvent.WebhookEvent | WebhookEvent.InvalidEvent) => {
    // The decoder has checked that the event is of the table that its handler is for.
    const handler = (
      event._tag === "Served" && Object.hasOwn(handlers, event.table) ? handlers[event.table] : handlers.otherwise
    ) as Handle<typeof event> | undefined
    // The type of a handler has its errors and its context.
    return (handler?.(event) ?? Effect.void) as Effect.Effect<
      unknown,
      ErrorOf<HandlerEffect<H>>,
      ContextOf<HandlerEffect<H>>
    >
  }

  /** A second delivery of an event that is being handled waits for the result of the first. */
  const once = (id: string, event: WebhookEvent.WebhookEvent | WebhookEvent.InvalidEvent) =>
    Effect.suspend(() => {
      const first = running.get(id)
      if (first !== undefined) return Deferred.await(first)
      const done: Done = Deferred.unsafeMake(Effect.runSync(Effect.fiberId))
      running.set(id, done)
      return seen.has(id).pipe(
        Effect.flatMap((isDone) => (isDone ? Effect.void : Effect.zipRight(handle(event), seen.add(id)))),
        Effect.onExit((exit) => {
          running.delete(id)
          return Deferred.done(done, exit)
        })
      )
    })

  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const read = yield* Effect.either(request.arrayBuffer)
    if (Either.isLeft(read)) return reject(400, { message: "The body cannot be read: send the delivery again" })
    const body = new Uint8Array(read.right)
    const verified = yield* Effect.either(WebhookSignature.verify({ headers: request.headers, body }, signature))
    if (Either.isLeft(verified)) return reject(401, verified.left)
    const event = Either.flatMap(parse(body), WebhookEvent.decodeAny)
    if (Either.isLeft(event)) return reject(400, event.left)
    // Without a handler for it, the sender has to know of a row that a handler was to receive.
    if (
      event.right._tag === "Invalid" &&
      handlers.otherwise === undefined &&
      Object.hasOwn(handlers, event.right.table)
    ) {
      return reject(400, event.right.error)
    }
    yield* once(verified.right.id, event.right)
    return HttpServerResponse.empty({ status: 204 })
  })
}
