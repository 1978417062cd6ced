/**
 * Assembles a running service from its settings: opens the store, seeds a new one, and wires the parts of the service.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import * as OperationRoute from "../account/OperationRoute.ts"
import type { Audit } from "../access/Audit.ts"
import * as ApiKeys from "../access/ApiKeys.ts"
import * as RateLimit from "../access/RateLimit.ts"
import * as Usage from "../access/Usage.ts"
import type * as AddressGuard from "../webhooks/AddressGuard.ts"
import * as WebhookEngine from "../webhooks/WebhookEngine.ts"
import * as Sender from "../webhooks/Sender.ts"
import * as AdminHandlers from "../admin/AdminHandlers.ts"
import * as AdminHttp from "../admin/AdminHttp.ts"
import * as Quota from "../rows/Quota.ts"
import * as RowRoute from "../rows/RowRoute.ts"
import * as Seeder from "../seeds/Seeder.ts"
import type { SeedError } from "../seeds/SeedFile.ts"
import { defaults, type Settings, storeName } from "../Settings.ts"
import type { OpenError } from "../store/OpenError.ts"
import * as SecretStore from "../store/SecretStore.ts"
import * as Vault from "../store/Vault.ts"
import * as SqliteStore from "../store/sqlite/SqliteStore.ts"
import type { Store, StoreUnavailable } from "../store/Store.ts"
import * as Janitor from "../world/Janitor.ts"
import * as VirtualClock from "../world/VirtualClock.ts"
import * as World from "../world/World.ts"
import * as AuditLog from "./AuditLog.ts"
import * as Log from "./Log.ts"
import * as Maintenance from "./Maintenance.ts"
import * as Metrics from "./Metrics.ts"
import * as RequestLog from "./RequestLog.ts"
import * as Service from "./Service.ts"
import * as WebhookSecretRoute from "../webhooks/WebhookSecretRoute.ts"

/** The settings of the socket server. */
type SocketSetting = "port" | "host" | "allowedHosts" | "maxBody" | "bodyMemory" | "compression" | "drain"

export interface Options {
  readonly settings: Omit<Settings, SocketSetting>
  /** Receives the lines of the log. */
  readonly write: (line: string) => void
  /** The seed of the id generator: the same seed generates the same ids. */
  readonly idSeed?: number
  /** Replaces delivery of webhooks over the network. */
  readonly send?: Sender.Sender | undefined
  /** Receives a sentence on secrets that were encrypted for the first time. */
  readonly say?: (text: string) => Effect.Effect<void>
}

export interface Instance {
  readonly service: Service.Service
  readonly world: World.World["Type"]
  readonly keys: ApiKeys.ApiKeys
  readonly events: WebhookEngine.WebhookEngine
  readonly audit: Audit
}

type StoreSettings = Pick<Settings, "store" | "rules"> &
  Partial<Pick<Settings, "secretKey">> &
  Partial<Pick<Settings, "readers" | "statementTimeout" | "maxMemory">>

const storeOf = ({
  maxMemory: memoryBytes = defaults.maxMemory,
  readers = defaults.readers,
  rules: ruleSet,
  statementTimeout: timeoutMillis = defaults.statementTimeout,
  store
}: StoreSettings): Layer.Layer<Store, OpenError> =>
  store._tag === "Sqlite"
    ? SqliteStore.layer({ ...store, ruleSet, limits: { readers, timeoutMillis, memoryBytes } })
    : Layer.unwrapEffect(
        // Loaded on demand, so that a service on SQLite starts faster.
        Effect.promise(async () => {
          const { layer } = await import("../store/postgres/PostgresStore.ts")
          return layer({ ...store, name: storeName(store), ruleSet, timeoutMillis })
        })
      )

/** Opens the store and its world. `say` receives a sentence on secrets that were encrypted for the first time. */
export const open = (
  settings: StoreSettings,
  { say = () => Effect.void, ...options }: World.Options & { readonly say?: (text: string) => Effect.Effect<void> } = {}
): Effect.Effect<World.World["Type"], OpenError | StoreUnavailable, Scope> =>
  Effect.gen(function* () {
    const { secretKey, store } = settings
    const vault = secretKey === undefined ? undefined : Vault.make(secretKey)
    const context = yield* Layer.build(World.layer({ ...options, vault }).pipe(Layer.provide(storeOf(settings))))
    const world = Context.get(context, World.World)
    const count = yield* SecretStore.unlock(world.store, storeName(store), vault)
    if (count !== undefined && vault !== undefined) {
      yield* say(`Encrypted ${count} secrets of the store ${storeName(store)} with the key ${vault.id}.`)
    }
    return world
  })

/** Seeds an empty store once, even if several instances start at the same time. */
const seedOnce = (world: World.World["Type"], seed: Settings["seed"]) =>
  world.store.withLock(
    Effect.gen(function* () {
      yield* world.refresh
      if (world.home() === undefined) yield* Seeder.load(world, seed)
    })
  )

/** The default networks of webhooks. A service on SQLite is local, so its webhooks may reach the machine itself. */
const networks: { readonly [S in Settings["store"]["_tag"]]: AddressGuard.Networks } = {
  Sqlite: "allow",
  Postgres: "deny"
}

/** A service that runs until the scope ends. */
export const make = ({
  idSeed,
  say = () => Effect.void,
  send,
  settings,
  write
}: Options): Effect.Effect<Instance, OpenError | SeedError | StoreUnavailable, Scope> => {
  const clock = settings.clock === "virtual" ? VirtualClock.make() : undefined
  return Effect.gen(function* () {
    const { adminKey, aggregates, apiKey, log, maxAnswer, maxBatch, maxRows, privateNetworks, quota, rateLimit, seed } =
      settings
    const world = yield* open(settings, { idSeed, say })
    if (world.home() === undefined) yield* seedOnce(world, seed)
    const keys = yield* ApiKeys.make(world)
    const home = world.home()
    if (apiKey !== undefined && home !== undefined) keys.install(apiKey, home)
    const events = yield* WebhookEngine.make(
      world,
      send ?? (yield* Sender.make({ networks: privateNetworks ?? networks[settings.store._tag] }))
    )
    const maintenance = Maintenance.make(world, settings)
    const usage = Usage.make(world)
    const audit = AuditLog.make(log, world.now, write)
    const service = Service.make({
      world,
      keys,
      limit: RateLimit.make({ key: rateLimit, company: quota?.requests }, world.now),
      rows: RowRoute.make({
        world,
        maxAnswer,
        maxBatch,
        maxRows,
        aggregates: aggregates === "on",
        quota: quota === undefined ? undefined : Quota.make(quota, world.store.dialect, usage)
      }),
      operations: yield* OperationRoute.make(world),
      webhookSecrets: WebhookSecretRoute.make(events.secrets, audit),
      admin:
        adminKey === undefined
          ? undefined
          : AdminHttp.make(
              AdminHandlers.make(world, keys, {
                clock,
                events,
                quota,
                usage,
                advanceTimeout: settings.advanceTimeout,
                snapshots: settings.snapshots
              }),
              adminKey,
              audit
            ),
      audit,
      log: RequestLog.make(log, world.now, write),
      janitor: yield* Janitor.make(world.now, maintenance.tasks),
      maintenance: Effect.map(maintenance.metrics, (pairs) => [...pairs, ...Metrics.fromAttempts(events.counts())])
    })
    return { service, world, keys, events, audit }
  }).pipe(Log.withLogger(settings.log, write), clock === undefined ? identity : Effect.withClock(clock))
}
