/**
 * The receiving end of webhooks: an `HttpApp` that lets genuine deliveries in, each event once, and hands it to whoever
 * handles its resource. What it answers is what the sender goes by: 2xx when the event is done with, else it comes again.
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

/** What becomes of events, by the resource whose row changed. Events that nobody handles are answered 204. */
export type Handlers = {
  readonly [N in Catalogue.Name]?: Handle<WebhookEvent.Served<Catalogue.ByName[N]>>
} & {
  /** Events of all other tables. */
  readonly otherwise?: Handle<WebhookEvent.WebhookEvent>
}

/** Which events are done with. One that lasts longer than the process keeps them in a store. */
export interface Seen<E = never, R = never> {
  readonly has: (id: string) => Effect.Effect<boolean, E, R>
  readonly add: (id: string) => Effect.Effect<void, E, R>
}

/** Remembers the last ids in memory; 10 000 of them when nothing is said. */
export const inMemory = (capacity = 10_000): Seen => {
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
  /** {@link inMemory} when left out. */
  readonly seen?: Seen<E, R> | undefined
}

type Handling<H> = ReturnType<Extract<H[keyof H], (...args: never) => unknown>>
type Failing<A> = A extends Effect.Effect<unknown, infer E, unknown> ? E : never
type Needing<A> = A extends Effect.Effect<unknown, unknown, infer R> ? R : never

const refuse = (status: number, { message }: { readonly message: string }) =>
  HttpServerResponse.text(message, { status })

const parse = (body: Uint8Array): Either.Either<unknown, { readonly message: string }> =>
  Either.try({
    try: (): unknown => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)),
    catch: () => ({ message: "the body is not JSON" })
  })

/**
 * The app of some handlers. It answers 401 to what is not signed as it must be, 400 to what is no event, and 204 when
 * the event is done with. A handler's failure is the app's, and the event comes again.
 *
 * @example
 * const app = WebhookReceiver.make({
 *   secrets: yield* WebhookSignature.secrets,
 *   handlers: { holiday: ({ record, type }) => Effect.log(type, record.name) }
 * })
 */
export const make = <const H extends Handlers, E = never, R = never>({
  handlers,
  seen: given,
  ...trust
}: Options<H, E, R>): HttpApp.Default<E | Failing<Handling<H>>, R | Needing<Handling<H>>> => {
  const seen: Seen<E, R> = given ?? inMemory()
  type Done = Deferred.Deferred<void, E | Failing<Handling<H>>>
  const underWay = new Map<string, Done>()

  const handle = (event: WebhookEvent.WebhookEvent) => {
    // A name's handler takes the events of that name, which the decoder found it to be.
    const handler = (
      event._tag === "Served" && Object.hasOwn(handlers, event.table) ? handlers[event.table] : handlers.otherwise
    ) as Handle<typeof event> | undefined
    // What a handler may fail with and needs is read off its type.
    return (handler?.(event) ?? Effect.void) as Effect.Effect<unknown, Failing<Handling<H>>, Needing<Handling<H>>>
  }

  /** An event that arrives again while it is handled waits for the outcome of the first. */
  const once = (id: string, event: WebhookEvent.WebhookEvent) =>
    Effect.suspend(() => {
      const first = underWay.get(id)
      if (first !== undefined) return Deferred.await(first)
      const done: Done = Deferred.unsafeMake(Effect.runSync(Effect.fiberId))
      underWay.set(id, done)
      return seen.has(id).pipe(
        Effect.flatMap((isDone) => (isDone ? Effect.void : Effect.zipRight(handle(event), seen.add(id)))),
        Effect.onExit((exit) => {
          underWay.delete(id)
          return Deferred.done(done, exit)
        })
      )
    })

  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const read = yield* Effect.either(request.arrayBuffer)
    if (Either.isLeft(read)) return refuse(400, { message: "the body could not be read" })
    const body = new Uint8Array(read.right)
    const verified = yield* Effect.either(WebhookSignature.verify({ headers: request.headers, body }, trust))
    if (Either.isLeft(verified)) return refuse(401, verified.left)
    const event = Either.flatMap(parse(body), WebhookEvent.decode)
    if (Either.isLeft(event)) return refuse(400, event.left)
    yield* once(verified.right.id, event.right)
    return HttpServerResponse.empty({ status: 204 })
  })
}
