/**
 * Runs the service inside a test, without a socket: a layer with an `HttpClient` and a world of its own. The service uses
 * the clock of the layer, so a `TestClock` moves the test and the service together.
 */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import type { CompanyId, UserId, WebhookId } from "@mfgdata/domain/Ids"
import * as WebhookSecret from "@mfgdata/domain/WebhookSecret"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Sender from "./webhooks/Sender.ts"
import * as InProcessClient from "./http/InProcessClient.ts"
import * as NodeServer from "./http/NodeServer.ts"
import type { SeedError } from "./seeds/SeedFile.ts"
import * as Instance from "./service/Instance.ts"
import * as StoreTemplate from "./service/StoreTemplate.ts"
import * as Settings from "./Settings.ts"

export interface Options extends Partial<
  Pick<Settings.Settings, "seed" | "rules" | "aggregates" | "maxRows" | "maxAnswer" | "maxBody" | "log">
> {
  /** The seed of the id generator (default 1): the same seed and the same clock generate the same ids. */
  readonly idSeed?: number
  /** Receives the requests to all webhooks, in place of the network. */
  readonly webhooks?: (request: Request) => Promise<Response>
}

/** The state of a world at one moment, valid until the process exits. */
export interface Snapshot {
  readonly template: StoreTemplate.StoreTemplate
}

/** The world of the client, which reaches it under every host name. */
export class World extends Context.Tag("@mfgdata/mock/testing/World")<
  World,
  {
    readonly restUrl: string
    readonly baseUrl: string
    /** An API key with every scope in the world's company. */
    readonly apiKey: Redacted.Redacted
    /** The administrator's key, for `/_mock`. */
    readonly adminKey: Redacted.Redacted
    readonly companyId: CompanyId
    readonly userId: UserId
    /** The secret that signs the deliveries of a webhook, for its receiver. */
    readonly webhookSecret: (id: WebhookId) => Effect.Effect<Redacted.Redacted<WebhookSecret.WebhookSecret>>
    /** Waits until all due webhook deliveries and retries are sent. */
    readonly delivered: Effect.Effect<void>
    /** Restores the initial state of the world. */
    readonly reset: Effect.Effect<void>
    /** Saves the current state of the world. */
    readonly snapshot: Effect.Effect<Snapshot>
    /** Restores the state of a snapshot. */
    readonly restore: (snapshot: Snapshot) => Effect.Effect<void>
    /** An independent world that starts with the state of this one when the layer is built. */
    readonly fork: Layer.Layer<HttpClient.HttpClient | World>
  }
>() {}

const origin = "http://mock.test"
const keys = { apiKey: "mfg_in_process_key", adminKey: "mfg_in_process_administration" }

type WorldOptions = Omit<Options, "idSeed">

/** Starts an instance on a copy of a template. */
const start = (template: StoreTemplate.StoreTemplate, { webhooks, ...options }: WorldOptions, idSeed: number) =>
  Effect.gen(function* () {
    const lifetime = yield* Scope.make()
    const path = yield* Scope.extend(template.copy, lifetime)
    const settings = {
      ...Settings.defaults,
      ...keys,
      ...options,
      store: { _tag: "Sqlite", path, durable: false } as const
    }
    const write = (line: string) => process.stderr.write(line)
    const send = webhooks === undefined ? undefined : Sender.toHandler(webhooks)
    const instance = yield* Scope.extend(Instance.make({ settings, idSeed, write, send }), lifetime)
    return { instance, stop: Scope.close(lifetime, Exit.void) }
    // The copy is new and seeded, so opening it does not fail.
  }).pipe(Effect.orDie)

/** Requests the secret of a webhook, as its owner does. */
const secretOf = (client: HttpClient.HttpClient, id: WebhookId) =>
  HttpClientRequest.post(`${origin}/webhooks/${encodeURIComponent(id)}/secret`).pipe(
    HttpClientRequest.bearerToken(keys.apiKey),
    client.execute,
    Effect.flatMap(HttpClientResponse.schemaBodyJson(Schema.Struct({ secret: WebhookSecret.WebhookSecret }))),
    Effect.map(({ secret }) => Redacted.make(secret)),
    // The webhook of a test exists.
    Effect.orDie
  )

/** A client and a world that starts from a template. */
const build = (template: StoreTemplate.StoreTemplate, options: WorldOptions, idSeed: number) =>
  Effect.gen(function* () {
    let current = yield* start(template, options, idSeed)
    let forks = 0
    yield* Effect.addFinalizer(() => Effect.suspend(() => current.stop))
    const home = current.instance.world.home()
    if (home === undefined) return yield* Effect.dieMessage("the seed has no company with a user")
    const client = InProcessClient.client(
      {
        admit: (request) => current.instance.service.admit(request),
        handle: (request) => current.instance.service.handle(request),
        refuse: (request, error) => current.instance.service.refuse(request, error)
      },
      { ...NodeServer.limits, bodyBytes: options.maxBody ?? Settings.defaults.maxBody }
    )
    const restart = (template: StoreTemplate.StoreTemplate, idSeed: number) =>
      Effect.gen(function* () {
        yield* current.stop
        current = yield* start(template, options, idSeed)
      })
    const save = Effect.suspend(() => StoreTemplate.save(current.instance.world.store))
    // A restored or forked world must not generate ids again that were generated after the snapshot.
    const nextSeed = () => idSeed + 7919 * ++forks
    const world: World["Type"] = {
      restUrl: `${origin}/rest`,
      baseUrl: `${origin}/api/v1`,
      apiKey: Redacted.make(keys.apiKey),
      adminKey: Redacted.make(keys.adminKey),
      ...home,
      webhookSecret: (id) => secretOf(client, id),
      delivered: Effect.suspend(() => current.instance.events.idle),
      reset: Effect.suspend(() => restart(template, idSeed)),
      snapshot: Effect.map(save, (template) => ({ template })),
      restore: ({ template }) => Effect.suspend(() => restart(template, nextSeed())),
      fork: Layer.scopedContext(Effect.flatMap(save, (template) => build(template, options, nextSeed())))
    }
    return Context.make(HttpClient.HttpClient, client).pipe(Context.add(World, world))
  })

/**
 * A client and its world. The first layer of a process loads the seed; every other layer copies the result, which takes
 * milliseconds.
 *
 * @example
 * const program = Effect.gen(function* () {
 *   const { apiKey, restUrl } = yield* World
 *   const client = yield* HttpClient.HttpClient
 *   return yield* client.get(`${restUrl}/holiday`, { headers: { authorization: `Bearer ${Redacted.value(apiKey)}` } })
 * }).pipe(Effect.provide(layer({ seed: { _tag: "Empty" } })))
 */
export const layer = ({ idSeed = 1, ...options }: Options = {}): Layer.Layer<
  HttpClient.HttpClient | World,
  SeedError
> =>
  Layer.scopedContext(
    Effect.flatMap(
      StoreTemplate.fromSeed({ seed: Settings.defaults.seed, rules: Settings.defaults.rules, ...options }, idSeed),
      (template) => build(template, options, idSeed + 1)
    )
  )
