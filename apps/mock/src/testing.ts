/**
 * The service inside a test: a layer that gives an `HttpClient` on a world of its own, without a socket. It runs under
 * the clock it is built with, so that a `TestClock` moves caller and service together.
 */
import * as HttpClient from "@effect/platform/HttpClient"
import type { CompanyId, UserId } from "@mfgdata/domain/Ids"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as Sender from "./webhooks/Sender.ts"
import * as InProcessClient from "./http/InProcessClient.ts"
import * as NodeServer from "./http/NodeServer.ts"
import type { SeedError } from "./seeds/SeedFile.ts"
import * as Instance from "./service/Instance.ts"
import * as StoreTemplate from "./service/StoreTemplate.ts"
import * as Settings from "./Settings.ts"

export interface Options extends Partial<
  Pick<Settings.Settings, "seed" | "rules" | "aggregates" | "maxRows" | "maxBody" | "log">
> {
  /** The same seed and the same clock make the same ids; 1 when it is left out. */
  readonly idSeed?: number
  /** Receives what webhooks are sent, whatever their url. Without it they go out over the network. */
  readonly webhooks?: (request: Request) => Promise<Response>
}

/** What a world was at some moment; good as long as the process lives. */
export interface Snapshot {
  readonly template: StoreTemplate.Template
}

/** The world that the client talks to. Every host name leads to it. */
export class World extends Context.Tag("@mfgdata/mock/testing/World")<
  World,
  {
    readonly restUrl: string
    readonly baseUrl: string
    /** A key that may do everything in the world's company. */
    readonly apiKey: Redacted.Redacted
    /** Opens `/_mock`. */
    readonly adminKey: Redacted.Redacted
    readonly companyId: CompanyId
    readonly userId: UserId
    /** Waits until everything that is due was sent to webhooks, once or again. */
    readonly delivered: Effect.Effect<void>
    /** Makes the world what it was in the beginning. */
    readonly reset: Effect.Effect<void>
    /** Remembers what the world is now. */
    readonly snapshot: Effect.Effect<Snapshot>
    /** Makes the world what it was when the snapshot was taken. */
    readonly restore: (snapshot: Snapshot) => Effect.Effect<void>
    /** Another world, which begins as what this one is when the layer is built; neither sees what the other does. */
    readonly fork: Layer.Layer<HttpClient.HttpClient | World>
  }
>() {}

const origin = "http://mock.test"
const keys = { apiKey: "mfg_in_process_key", adminKey: "mfg_in_process_administration" }

type Given = Omit<Options, "idSeed">

/** An instance on a copy of a template, and its end. */
const begin = (template: StoreTemplate.Template, { webhooks, ...given }: Given, idSeed: number) =>
  Effect.gen(function* () {
    const lifetime = yield* Scope.make()
    const path = yield* Scope.extend(template.copy, lifetime)
    const settings = {
      ...Settings.defaults,
      ...keys,
      ...given,
      store: { _tag: "Sqlite", path, durable: false } as const
    }
    const write = (line: string) => process.stderr.write(line)
    const post = webhooks === undefined ? undefined : Sender.toHandler(webhooks)
    const instance = yield* Scope.extend(Instance.make({ settings, idSeed, write, post }), lifetime)
    return { instance, end: Scope.close(lifetime, Exit.void) }
    // The copy is ours alone, and it has a seed already.
  }).pipe(Effect.orDie)

/** A client and a world that begins as a template says. */
const build = (template: StoreTemplate.Template, given: Given, idSeed: number) =>
  Effect.gen(function* () {
    let current = yield* begin(template, given, idSeed)
    let forks = 0
    yield* Effect.addFinalizer(() => Effect.suspend(() => current.end))
    const home = current.instance.world.home()
    if (home === undefined) return yield* Effect.dieMessage("the seed has no company with a user")
    const client = InProcessClient.client(
      {
        handle: (request) => current.instance.service.handle(request),
        refuse: (request, error) => current.instance.service.refuse(request, error)
      },
      { ...NodeServer.limits, bodyBytes: given.maxBody ?? Settings.defaults.maxBody }
    )
    const restart = (template: StoreTemplate.Template, idSeed: number) =>
      Effect.gen(function* () {
        yield* current.end
        current = yield* begin(template, given, idSeed)
      })
    const save = Effect.suspend(() => StoreTemplate.save(current.instance.world.store))
    // A world must not give an id again that its past has given already.
    const nextSeed = () => idSeed + 7919 * ++forks
    const world: World["Type"] = {
      restUrl: `${origin}/rest`,
      baseUrl: `${origin}/api/v1`,
      apiKey: Redacted.make(keys.apiKey),
      adminKey: Redacted.make(keys.adminKey),
      ...home,
      delivered: Effect.suspend(() => current.instance.events.idle),
      reset: Effect.suspend(() => restart(template, idSeed)),
      snapshot: Effect.map(save, (template) => ({ template })),
      restore: ({ template }) => Effect.suspend(() => restart(template, nextSeed())),
      fork: Layer.scopedContext(Effect.flatMap(save, (template) => build(template, given, nextSeed())))
    }
    return Context.make(HttpClient.HttpClient, client).pipe(Context.add(World, world))
  })

/**
 * A client and the world behind it. The first layer of a process plants the seed; all others begin with a copy, which
 * takes milliseconds.
 *
 * @example
 * const program = Effect.gen(function* () {
 *   const { apiKey, restUrl } = yield* World
 *   const client = yield* HttpClient.HttpClient
 *   return yield* client.get(`${restUrl}/holiday`, { headers: { authorization: `Bearer ${Redacted.value(apiKey)}` } })
 * }).pipe(Effect.provide(layer({ seed: { _tag: "Empty" } })))
 */
export const layer = ({ idSeed = 1, ...given }: Options = {}): Layer.Layer<HttpClient.HttpClient | World, SeedError> =>
  Layer.scopedContext(
    Effect.flatMap(
      StoreTemplate.planted({ seed: Settings.defaults.seed, rules: Settings.defaults.rules, ...given }, idSeed),
      (template) => build(template, given, idSeed + 1)
    )
  )
