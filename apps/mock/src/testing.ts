/**
 * The service inside a test: a layer that gives an `HttpClient` on a world of its own, in memory and without a socket.
 * It runs under the clock it is built with, so that a `TestClock` moves caller and service together.
 */
import * as HttpClient from "@effect/platform/HttpClient"
import type { CompanyId, UserId } from "@mfgdata/domain/Ids"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as InProcess from "./http/InProcess.ts"
import * as NodeServer from "./http/NodeServer.ts"
import type { SeedError } from "./seeds/SeedFile.ts"
import * as Instance from "./service/Instance.ts"
import * as Settings from "./Settings.ts"

export interface Options extends Partial<Pick<Settings.Settings, "seed" | "rules" | "maxRows" | "maxBody" | "log">> {
  /** The same seed and the same clock make the same ids; 1 when it is left out. */
  readonly idSeed?: number
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
    /** Makes the world what it was in the beginning. */
    readonly reset: Effect.Effect<void, SeedError>
  }
>() {}

const origin = "http://mock.test"
const keys = { apiKey: "mfg_in_process_key", adminKey: "mfg_in_process_administration" }

/** An instance in memory, and its end. */
const begin = (options: Instance.Options) =>
  Effect.gen(function* () {
    const lifetime = yield* Scope.make()
    const instance = yield* Scope.extend(Instance.make(options), lifetime)
    return { instance, end: Scope.close(lifetime, Exit.void) }
  }).pipe(
    // Memory is always there and nobody else's: what is left to go wrong is the seed.
    Effect.catchAll((error) => (error._tag === "SeedError" ? Effect.fail(error) : Effect.die(error)))
  )

/**
 * A client and the world behind it.
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
    Effect.gen(function* () {
      const store = { _tag: "Sqlite", path: ":memory:" } as const
      const settings = { ...Settings.defaults, ...keys, ...given, store }
      const start = begin({ settings, idSeed, write: (line) => process.stderr.write(line) })
      let current = yield* start
      yield* Effect.addFinalizer(() => Effect.suspend(() => current.end))
      const home = current.instance.world.home()
      if (home === undefined) return yield* Effect.dieMessage("the seed has no company with a user")
      const client = InProcess.client(
        {
          handle: (request) => current.instance.service.handle(request),
          refuse: (request, error) => current.instance.service.refuse(request, error)
        },
        { ...NodeServer.limits, bodyBytes: settings.maxBody }
      )
      const world = {
        restUrl: `${origin}/rest`,
        baseUrl: `${origin}/api/v1`,
        apiKey: Redacted.make(keys.apiKey),
        adminKey: Redacted.make(keys.adminKey),
        ...home,
        reset: Effect.gen(function* () {
          yield* current.end
          current = yield* start
        })
      }
      return Context.make(HttpClient.HttpClient, client).pipe(Context.add(World, world))
    })
  )
