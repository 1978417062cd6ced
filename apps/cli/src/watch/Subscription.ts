/**
 * Subscribes to the events of a resource by a temporary webhook, after a test that the service reaches this machine.
 */
import type { QueryError, RetrieveError, WriteError } from "@mfgdata/client/ClientError"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import { Webhook } from "@mfgdata/domain/resources/Webhook"
import * as WebhookEvent from "@mfgdata/domain/WebhookEvent"
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { FileFailed, UsageError } from "../CliError.ts"
import type { AdminError } from "../service/AdminClient.ts"
import type { Connection } from "../service/Connection.ts"
import * as RowRead from "../service/RowRead.ts"
import * as Receiver from "../webhooks/Receiver.ts"
import * as TemporaryWebhook from "../webhooks/TemporaryWebhook.ts"
import * as RowEvent from "./RowEvent.ts"

export interface Options {
  /** The address of this machine for the service (default: that of the receiver). */
  readonly publicUrl: string | undefined
  /** The seconds between two checks that the service still has the webhook. */
  readonly checkEvery: number
}

/** The service has not delivered the event of the test. */
class NotReached extends Data.TaggedError("NotReached")<{ readonly address: string }> {
  override get message(): string {
    return `the service does not reach ${this.address}`
  }
}

type Failure = QueryError | WriteError | AdminError | FileFailed | UsageError | NotReached

/** The events of a resource. The stream fails when the service no longer has the webhook. */
export type Events = Stream.Stream<RowEvent.RowEvent, RetrieveError>

/** The time that the service has to deliver the event of the test. */
const patience = "3 seconds"

/** The number of events that are remembered, because a delivery can be repeated. */
const remembered = 1000

const changes = { INSERT: "insert", UPDATE: "update", DELETE: "delete" } as const

const parse = (body: string): Json | undefined => {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** The change of a delivery with its id; none of a delivery that is not about the resource. */
const changeOf = (resource: Resource.Any, body: string) => {
  const event = Option.getOrUndefined(Either.getRight(WebhookEvent.decode(parse(body))))
  if (event === undefined || event.table !== resource.resource) return undefined
  // A delivery is JSON.
  const row = event.record as JsonObject
  const change: RowEvent.RowEvent = {
    change: changes[event.type],
    time: event.timestamp,
    key: RowEvent.keyOf(resource, row),
    row
  }
  return { id: event.eventId, change }
}

const subscribe = (
  connection: Connection,
  resource: Resource.Any,
  { checkEvery, publicUrl }: Options
): Effect.Effect<Events, Failure, Scope.Scope> =>
  Effect.gen(function* () {
    const outer = yield* Effect.scope
    const queue = yield* Queue.unbounded<RowEvent.RowEvent>()
    const reached = yield* Deferred.make<void>()
    /** The webhooks of this command, which are rows of a resource too. */
    const own = new Set<string>()
    const seen = new Set<string>()
    let testId = ""
    const receiver = yield* Receiver.make({
      host: "127.0.0.1",
      port: 0,
      forwardTo: undefined,
      onDelivery: async ({ body, webhook }) => {
        if (webhook.id === testId) return Deferred.unsafeDone(reached, Exit.void)
        const event = changeOf(resource, body)
        if (event === undefined || seen.has(event.id) || own.has(event.change.key)) return
        seen.add(event.id)
        if (seen.size > remembered) seen.delete(seen.values().next().value ?? "")
        Queue.unsafeOffer(queue, event.change)
      }
    })
    const address = publicUrl ?? receiver.address
    const create = (table: string, events: ReadonlyArray<"insert" | "update" | "delete">) =>
      Effect.flatMap(
        // The path of the webhook is a secret between the service and this process: no other can send events.
        TemporaryWebhook.make(connection, {
          tables: [table],
          events: new Set(events),
          address,
          isVerified: false,
          purpose: "mfg watch"
        }),
        ([webhook]) => {
          if (webhook === undefined) return Effect.dieMessage("There is a webhook for each table.")
          own.add(webhook.id)
          receiver.expect([webhook])
          return Effect.succeed(webhook)
        }
      )
    // The second webhook is a new row of the first one's table.
    const webhook = yield* Effect.scoped(
      Effect.gen(function* () {
        testId = (yield* create(Webhook.resource, ["insert"])).id
        const webhook = yield* Scope.extend(create(resource.resource, ["insert", "update", "delete"]), outer)
        yield* Effect.timeoutFail(Deferred.await(reached), {
          duration: patience,
          onTimeout: () => new NotReached({ address })
        })
        return webhook
      })
    )
    const check = Effect.delay(RowRead.one(connection, Webhook, webhook.id, ["id"]), `${checkEvery} seconds`)
    const failing = Stream.drain(Stream.repeatEffect(check))
    return Stream.merge(Stream.fromQueue(queue), failing)
  })

/** Subscribes, or succeeds with the reason why that is impossible; everything is removed when the scope closes. */
export const make = (
  connection: Connection,
  resource: Resource.Any,
  options: Options
): Effect.Effect<Either.Either<Events, Failure>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.acquireRelease(Scope.make(), (scope, exit) => Scope.close(scope, exit))
    const result = yield* Effect.either(Scope.extend(subscribe(connection, resource, options), scope))
    if (Either.isLeft(result)) yield* Scope.close(scope, Exit.void)
    return result
  })
