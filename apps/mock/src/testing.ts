/**
 * Runs the service inside a test, without a socket: a layer with an `HttpClient` and a world of its own. The service uses
 * the clock of the layer, so a `TestClock` moves the test and the service together. The same tests run against a service
 * in another process with {@link remote}. One file,
 * because a world in this process and one of a server have the same parts.
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as AdminApi from "@mfgdata/client/AdminApi"
import type * as Timestamp from "@mfgdata/domain/Timestamp"
import type { CompanyId, UserId, WebhookId } from "@mfgdata/domain/Ids"
import * as Facts from "@mfgdata/domain/Facts"
import * as WebhookSecret from "@mfgdata/domain/WebhookSecret"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { rmSync } from "node:fs"
import * as Sender from "./webhooks/Sender.ts"
import * as InProcessClient from "./http/InProcessClient.ts"
import * as NodeServer from "./http/NodeServer.ts"
import type { SeedError } from "./seeds/SeedFile.ts"
import * as Instance from "./service/Instance.ts"
import * as ConsoleAssets from "./service/console/ConsoleAssets.ts"
import * as StoreTemplate from "./service/StoreTemplate.ts"
import * as Settings from "./Settings.ts"
import * as WorldAdmin from "./admin/WorldAdmin.ts"
import * as RemoteWorld from "./worlds/RemoteWorld.ts"
import * as WorldFaults from "./worlds/WorldFaults.ts"
import * as WorldDiff from "./worlds/WorldDiff.ts"
import * as WorldServer from "./worlds/WorldServer.ts"

export interface Options extends Partial<
  Pick<Settings.Settings, "seed" | "rules" | "aggregates" | "maxRows" | "maxAnswer" | "maxBody" | "log" | "history">
> {
  /** The seed of the id generator (default 1): the same seed and the same clock generate the same ids. */
  readonly idSeed?: number
  /** Facts about a service that this one behaves as: those of a file, as `Facts.parse` returns them, or by name. */
  readonly facts?: Facts.Facts | "public-system"
  /** Receives the requests to all webhooks, in place of the network. */
  readonly webhooks?: (request: Request) => Promise<Response>
}

/** The state of a world at one moment, valid as long as the layer of the world. */
export type Snapshot =
  | { readonly _tag: "InProcess"; readonly template: StoreTemplate.StoreTemplate }
  | { readonly _tag: "Remote"; readonly name: string }

/** Rows that differ, by resource: those that were added and removed, and the fields of those that changed. */
export type Differences = AdminApi.WorldDiff["resources"]

/** Selects changes of rows, at most 1000. */
export type HistoryFilter = Partial<AdminApi.Request<"listHistory">>

/** The addresses of a world that listens. */
export interface Listening {
  readonly origin: string
  /** The address of the console; in this process it signs in once. */
  readonly console: string
}

export { RemoteFailed, type Options as RemoteOptions } from "./worlds/RemoteWorld.ts"

/** The world of the client. In this process, the client reaches it under every host name. */
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
    /** A client that reads rows as they were at a time. */
    readonly at: (time: Timestamp.Timestamp | Date) => HttpClient.HttpClient
    /** The changes of rows that a filter selects (default: all), the newest first. */
    readonly history: (filter?: HistoryFilter) => Effect.Effect<ReadonlyArray<AdminApi.HistoryEntry>>
    /** Waits until all due webhook deliveries and retries are sent. */
    readonly delivered: Effect.Effect<void>
    /** Restores the initial state of the world. */
    readonly reset: Effect.Effect<void>
    /** Saves the current state of the world. */
    readonly snapshot: Effect.Effect<Snapshot>
    /** Restores the state of a snapshot. */
    readonly restore: (snapshot: Snapshot) => Effect.Effect<void>
    /** The rows that have changed since a snapshot (default: since the world was made). */
    readonly diff: (since?: Snapshot) => Effect.Effect<Differences>
    /** The fault rules of the world. */
    readonly faults: WorldFaults.WorldFaults
    /**
     * Listens on loopback until the scope ends, for a browser or another process. A world of a server is reached at the
     * address of the server.
     */
    readonly listen: (options?: { readonly port?: number }) => Effect.Effect<Listening, never, Scope.Scope>
    /** An independent world that starts with the state of this one when the layer is built. */
    readonly fork: Layer.Layer<HttpClient.HttpClient | World>
  }
>() {}

const origin = "http://mock.test"
const keys = { apiKey: "mfg_in_process_key", adminKey: "mfg_in_process_administration" }

type WorldOptions = Omit<Options, "idSeed">

const sourceOf = (facts: Options["facts"]): Settings.FactsSource | undefined =>
  facts === undefined ? undefined : facts === "public-system" ? { _tag: "PublicSystem" } : { _tag: "Given", facts }

/** Starts an instance on a copy of a template. */
const start = (
  template: StoreTemplate.StoreTemplate,
  { facts, webhooks, ...options }: WorldOptions,
  idSeed: number,
  worlds: WorldAdmin.Worlds
) =>
  Effect.gen(function* () {
    const lifetime = yield* Scope.make()
    const path = yield* Scope.extend(template.copy, lifetime)
    const settings = {
      ...Settings.defaults,
      ...keys,
      history: "on" as const,
      ...options,
      facts: sourceOf(facts),
      store: { _tag: "Sqlite", path, durable: false } as const
    }
    const write = (line: string) => process.stderr.write(line)
    const send = webhooks === undefined ? undefined : Sender.toHandler(webhooks)
    const whole = { settings, idSeed, write, send, worlds }
    const instance = yield* Scope.extend(Instance.make(whole), lifetime)
    return { instance, options: whole, stop: Scope.close(lifetime, Exit.void) }
    // The copy is new and seeded, so opening it does not fail.
  }).pipe(Effect.orDie)

/** A client that reads rows as of a time. */
const pastClient = (client: HttpClient.HttpClient, time: Timestamp.Timestamp | Date): HttpClient.HttpClient =>
  HttpClient.mapRequest(
    client,
    HttpClientRequest.setHeader("accept-datetime", typeof time === "string" ? time : time.toISOString())
  )

/** Requests changes, as an administrator does. */
const historyOf = (client: HttpClient.HttpClient, filter: HistoryFilter = {}) =>
  Effect.suspend(() =>
    HttpClientRequest.get(origin + AdminApi.toWire("listHistory", { limit: 1000, ...filter }).target).pipe(
      HttpClientRequest.bearerToken(keys.adminKey),
      client.execute,
      Effect.flatMap(({ text }) => text),
      Effect.flatMap(AdminApi.decodeResponse("listHistory")),
      // The world keeps its history, unless a test turns it off.
      Effect.orDie
    )
  )

/** Requests the secret of a webhook, as its owner does. */
const secretOf = (client: HttpClient.HttpClient, origin: string, apiKey: string, id: WebhookId) =>
  HttpClientRequest.post(`${origin}/webhooks/${encodeURIComponent(id)}/secret`).pipe(
    HttpClientRequest.bearerToken(apiKey),
    client.execute,
    Effect.flatMap(HttpClientResponse.schemaBodyJson(Schema.Struct({ secret: WebhookSecret.WebhookSecret }))),
    Effect.map(({ secret }) => Redacted.make(secret)),
    // The webhook of a test exists.
    Effect.orDie
  )

/** A snapshot of a world in another process, or of one in this process where the other kind is expected. */
const foreign = Effect.dieMessage("the snapshot belongs to a world of another kind")

/** The differences between two states, which nobody else writes. */
const differences = (from: StoreTemplate.StoreTemplate, to: StoreTemplate.StoreTemplate) =>
  Effect.gen(function* () {
    const states = [
      { file: yield* from.copy, isTrusted: true },
      { file: yield* to.copy, isTrusted: true }
    ] as const
    const request = { from: "before", to: "now", ignoreIds: false, limit: everyDifference }
    const { resources } = yield* WorldDiff.make(request, states)
    return resources
  }).pipe(Effect.scoped, Effect.orDie)

/** More differences than a test has. */
const everyDifference = 1_000_000

/** A client and a world that starts from a template. */
const build = (template: StoreTemplate.StoreTemplate, options: WorldOptions, idSeed: number) =>
  Effect.gen(function* () {
    const server: { current?: WorldServer.WorldServer } = {}
    const worlds = WorldAdmin.deferred(() => server.current?.worlds ?? WorldAdmin.ofCommand)
    let current = yield* start(template, options, idSeed, worlds)
    let forks = 0
    yield* Effect.addFinalizer(() => Effect.suspend(() => current.stop))
    const folder = WorldServer.folderOf(":memory:")
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
    const { service } = (server.current = yield* WorldServer.around(current.options, folder, () => current.instance))
    const home = current.instance.world.home()
    if (home === undefined) return yield* Effect.dieMessage("the seed has no company with a user")
    const client = InProcessClient.client(service, {
      ...NodeServer.limits,
      bodyBytes: options.maxBody ?? Settings.defaults.maxBody
    })
    const listen: World["Type"]["listen"] = ({ port = 0 } = {}) =>
      Effect.gen(function* () {
        const address = yield* NodeServer.listen(service, {
          ...NodeServer.limits,
          host: "127.0.0.1",
          port,
          // A browser keeps its connections open, and a test does not wait for them.
          stopMillis: 100,
          bodyBytes: options.maxBody ?? Settings.defaults.maxBody,
          bodyMemoryBytes: Settings.defaults.bodyMemory
        })
        const origin = `http://${address.host}:${address.port}`
        return { origin, console: `${origin}${ConsoleAssets.mount}#${current.instance.signIn?.issue() ?? ""}` }
      }).pipe(Effect.orDie)
    const restart = (template: StoreTemplate.StoreTemplate, idSeed: number) =>
      Effect.gen(function* () {
        yield* current.stop
        current = yield* start(template, options, idSeed, worlds)
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
      webhookSecret: (id) => secretOf(client, origin, keys.apiKey, id),
      at: (time) => pastClient(client, time),
      history: (filter) => historyOf(client, filter),
      delivered: Effect.suspend(() => current.instance.events.idle),
      reset: Effect.suspend(() => restart(template, idSeed)),
      snapshot: Effect.map(save, (template) => ({ _tag: "InProcess", template })),
      restore: (snapshot) =>
        Effect.suspend(() => (snapshot._tag === "InProcess" ? restart(snapshot.template, nextSeed()) : foreign)),
      diff: (since = { _tag: "InProcess", template }) =>
        since._tag === "InProcess" ? Effect.flatMap(save, (now) => differences(since.template, now)) : foreign,
      faults: WorldFaults.make(() => current.instance.admin),
      listen,
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
  SeedError | Facts.FactsInvalid
> => {
  const { facts, rules = Settings.defaults.rules, seed = Settings.defaults.seed } = options
  const checked = facts === undefined || facts === "public-system" ? Effect.void : Facts.check(facts)
  return Layer.scopedContext(
    Effect.zipRight(
      checked,
      Effect.flatMap(StoreTemplate.fromSeed({ seed, rules }, idSeed), (template) =>
        build(template, options, idSeed + 1)
      )
    )
  )
}

/** A world of a running service, as a layer like that of a world in this process. */
const buildRemote = (
  client: HttpClient.HttpClient,
  options: RemoteWorld.Options
): Effect.Effect<Context.Context<HttpClient.HttpClient | World>, RemoteWorld.RemoteFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const { baseUrl, companyId, delivered, key, name, perform, restUrl, userId } = yield* RemoteWorld.make(
      client,
      options
    )
    let snapshots = 0
    const diff = (since: string, after?: string): Effect.Effect<Differences, RemoteWorld.RemoteFailed> =>
      Effect.gen(function* () {
        const more = after === undefined ? {} : { after }
        const request = { from: `${name}:${since}`, to: name, ignoreIds: false, limit: 1000, ...more }
        const { next, resources } = yield* perform("diffWorlds", request)
        return next === null ? resources : merge(resources, yield* diff(since, next))
      })
    const world: World["Type"] = {
      restUrl,
      baseUrl,
      apiKey: Redacted.make(key),
      adminKey: Redacted.isRedacted(options.adminKey) ? options.adminKey : Redacted.make(options.adminKey),
      companyId,
      userId,
      webhookSecret: (id) => secretOf(client, new URL(options.url).origin, key, id),
      at: (time) => pastClient(client, time),
      history: (filter = {}) => Effect.orDie(perform("listHistory", { limit: 1000, ...filter }, name)),
      delivered: Effect.orDie(delivered),
      reset: Effect.asVoid(Effect.orDie(perform("resetWorld", { world: name }))),
      snapshot: Effect.suspend(() => {
        const saved = { _tag: "Remote", name: `snapshot-${++snapshots}` } as const
        return Effect.as(Effect.orDie(perform("createWorldSnapshot", { world: name, name: saved.name })), saved)
      }),
      restore: (snapshot) =>
        snapshot._tag === "Remote"
          ? Effect.asVoid(Effect.orDie(perform("restoreWorldSnapshot", { world: name, snapshot: snapshot.name })))
          : foreign,
      diff: (since) => (since?._tag === "InProcess" ? foreign : Effect.orDie(diff(since?.name ?? ""))),
      faults: WorldFaults.make(() => ({
        createFault: (rule) => perform("createFault", rule, name),
        listFaults: () => perform("listFaults", {}, name),
        clearFaults: () => perform("clearFaults", {}, name)
      })),
      listen: () => {
        const { origin } = new URL(options.url)
        return Effect.succeed({ origin, console: `${origin}${ConsoleAssets.mount}` })
      },
      fork: Layer.scopedContext(Effect.orDie(buildRemote(client, { ...options, world: { from: name } })))
    }
    return Context.make(HttpClient.HttpClient, client).pipe(Context.add(World, world))
  })

/** Joins two pages of differences. */
const merge = (one: Differences, other: Differences): Differences =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((resource) => {
      const none = { added: [], removed: [], changed: [] }
      const [first, second] = [one[resource] ?? none, other[resource] ?? none]
      return [
        resource,
        {
          added: [...first.added, ...second.added],
          removed: [...first.removed, ...second.removed],
          changed: [...first.changed, ...second.changed]
        }
      ]
    })
  )

/**
 * A client and a world of a service in another process, on this machine or another one: the same tests run in this process,
 * or against a server. The world is made with the layer and deleted with it.
 *
 * @example
 * const world = remote({ url: "http://127.0.0.1:4010", adminKey: "mfg_local_administration" })
 */
export const remote = (
  options: RemoteWorld.Options
): Layer.Layer<HttpClient.HttpClient | World, RemoteWorld.RemoteFailed> =>
  Layer.scopedContext(Effect.flatMap(HttpClient.HttpClient, (client) => buildRemote(client, options))).pipe(
    Layer.provide(FetchHttpClient.layer)
  )
