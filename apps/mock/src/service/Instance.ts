/**
 * Assembles a running service from its settings: opens the store, seeds a new one, and wires the parts of the service.
 * One file, because all parts meet here.
 */
import * as AdminApi from "@mfgdata/client/AdminApi"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import * as OperationRoute from "../account/OperationRoute.ts"
import type { Audit } from "../access/Audit.ts"
import * as ApiKeys from "../access/ApiKeys.ts"
import * as Consistency from "../access/Consistency.ts"
import * as Credentials from "../access/Credentials.ts"
import * as RateLimit from "../access/RateLimit.ts"
import * as ReplayKey from "../access/ReplayKey.ts"
import * as Usage from "../access/Usage.ts"
import type * as AddressGuard from "../webhooks/AddressGuard.ts"
import * as DeliveryGate from "../webhooks/DeliveryGate.ts"
import * as WebhookEngine from "../webhooks/WebhookEngine.ts"
import * as Sender from "../webhooks/Sender.ts"
import * as AdminHandlers from "../admin/AdminHandlers.ts"
import * as AdminHttp from "../admin/AdminHttp.ts"
import * as LoadedFaults from "../faults/LoadedFaults.ts"
import * as Faults from "../faults/Faults.ts"
import * as FaultySender from "../faults/FaultySender.ts"
import type { AdminRefused } from "../admin/AdminRefused.ts"
import type * as WorldAdmin from "../admin/WorldAdmin.ts"
import * as Quota from "../rows/Quota.ts"
import * as RowRoute from "../rows/RowRoute.ts"
import * as FactsSource from "../facts/FactsSource.ts"
import * as Seeder from "../seeds/Seeder.ts"
import type { SeedError } from "../seeds/SeedFile.ts"
import { defaults, type Settings, storeName } from "../Settings.ts"
import { type OpenError, ReplicasUnsupported } from "../store/OpenError.ts"
import * as SecretStore from "../store/SecretStore.ts"
import * as Vault from "../store/Vault.ts"
import type { OwnFile } from "../store/sqlite/file/StoreFile.ts"
import * as SqliteStore from "../store/sqlite/SqliteStore.ts"
import type { Store, StoreUnavailable } from "../store/Store.ts"
import * as Janitor from "../world/Janitor.ts"
import * as VirtualClock from "../world/VirtualClock.ts"
import * as World from "../world/World.ts"
import type { Telemetry } from "../telemetry/Telemetry.ts"
import * as Traffic from "../traffic/Traffic.ts"
import * as AuditLog from "./AuditLog.ts"
import * as BuildInfo from "./BuildInfo.ts"
import * as ConsoleRoute from "./console/ConsoleRoute.ts"
import * as SignIn from "./console/SignIn.ts"
import * as Log from "./Log.ts"
import * as Maintenance from "./Maintenance.ts"
import * as InstanceMetrics from "./metrics/InstanceMetrics.ts"
import * as RequestLog from "./RequestLog.ts"
import * as Service from "./Service.ts"
import * as TaughtInstance from "./taught/TaughtInstance.ts"
import * as WebhookSecretRoute from "../webhooks/WebhookSecretRoute.ts"

/** The settings of the socket server. */
type SocketSetting =
  | "port"
  | "metricsPort"
  | "metricsHost"
  | "host"
  | "allowedHosts"
  | "maxBody"
  | "bodyMemory"
  | "answerMemory"
  | "compression"
  | "drain"

export interface Options {
  readonly settings: Omit<Settings, SocketSetting>
  /** Receives the lines of the log. */
  readonly write: (line: string) => void
  /** The seed of the id generator: the same seed generates the same ids. */
  readonly idSeed?: number
  /** Replaces delivery of webhooks over the network. */
  readonly send?: Sender.Sender | undefined
  /** The clock of the service (default: that of the settings). */
  readonly clock?: VirtualClock.VirtualClock | undefined
  /** Set for a service on a file that another one made, next to its store. */
  readonly own?: OwnFile
  /** The name of the world (default main). */
  readonly name?: string
  /** The fault rules of the world (default: those of the settings). */
  readonly faultRules?: LoadedFaults.LoadedFaults
  /** Exports what the service does. */
  readonly telemetry?: Telemetry | undefined
  /** The operations on worlds. */
  readonly worlds?: WorldAdmin.Worlds | undefined
  /** Receives a sentence on secrets that were encrypted for the first time. */
  readonly say?: (text: string) => Effect.Effect<void>
}

export interface Instance {
  readonly service: Service.Service
  readonly world: World.World["Type"]
  readonly keys: ApiKeys.ApiKeys
  readonly events: WebhookEngine.WebhookEngine
  readonly audit: Audit
  readonly faults: Faults.Faults
  /** The virtual clock, if the service has one. */
  readonly clock: VirtualClock.VirtualClock | undefined
  /** The administrator's operations on the service. */
  readonly admin: AdminApi.Service<AdminRefused>
  /** The one-time tokens that sign in to the console; undefined without a console. */
  readonly signIn: SignIn.SignIn | undefined
}

/** The settings of replicas. */
type ReadSetting = "readStore" | "readWait" | "readLag"

type StoreSettings = Pick<Settings, "store" | "rules"> &
  Partial<Pick<Settings, "secretKey">> &
  Partial<
    Pick<Settings, "history" | "pooling" | "rowSecurity" | "readers" | "statementTimeout" | "maxMemory" | ReadSetting>
  >

/** A setting that is not given leaves the history of the store as it is. */
const isOn = (history: Settings["history"] | undefined): boolean | undefined =>
  history === undefined ? undefined : history === "on"

const storeOf = ({
  history,
  own,
  pooling = defaults.pooling,
  maxMemory: memoryBytes = defaults.maxMemory,
  readLag: lagMillis = defaults.readLag,
  readStore,
  readWait: waitMillis = defaults.readWait,
  readers = defaults.readers,
  rowSecurity,
  rules: ruleSet,
  statementTimeout: timeoutMillis = defaults.statementTimeout,
  store
}: StoreSettings & { readonly own?: OwnFile | undefined }): Layer.Layer<Store, OpenError> =>
  store._tag === "Sqlite"
    ? readStore !== undefined
      ? Layer.fail(new ReplicasUnsupported({ store: storeName(store) }))
      : SqliteStore.layer({
          ...store,
          ruleSet,
          history: isOn(history),
          limits: { readers, timeoutMillis, memoryBytes },
          ...(own === undefined ? {} : { own })
        })
    : Layer.unwrapEffect(
        // Loaded on demand, so that a service on SQLite starts faster.
        Effect.promise(async () => {
          const { layer } = await import("../store/postgres/PostgresStore.ts")
          return layer({
            ...store,
            name: storeName(store),
            ruleSet,
            history: isOn(history),
            rowSecurity: isOn(rowSecurity),
            isPooled: pooling === "transaction",
            timeoutMillis,
            replicas: readStore === undefined ? undefined : { ...readStore, lagMillis, waitMillis }
          })
        })
      )

/** Opens the store and its world. `say` receives a sentence on secrets that were encrypted for the first time. */
export const open = (
  settings: StoreSettings,
  {
    say = () => Effect.void,
    own,
    ...options
  }: World.Options & { readonly say?: (text: string) => Effect.Effect<void>; readonly own?: OwnFile | undefined } = {}
): Effect.Effect<World.World["Type"], OpenError | StoreUnavailable, Scope> =>
  Effect.gen(function* () {
    const { secretKey, store } = settings
    const vault = secretKey === undefined ? undefined : Vault.make(secretKey)
    const context = yield* Layer.build(
      World.layer({ ...options, vault }).pipe(Layer.provide(storeOf({ ...settings, own })))
    )
    const world = Context.get(context, World.World)
    const count = yield* SecretStore.unlock(world.store, storeName(store), vault)
    if (count !== undefined && vault !== undefined) {
      yield* say(`Encrypted ${count} secrets of the store ${storeName(store)} with the key ${vault.id}.`)
    }
    return world
  })

/** The default networks of webhooks. A service on SQLite is local, so its webhooks may reach the machine itself. */
const networks: { readonly [S in Settings["store"]["_tag"]]: AddressGuard.Networks } = {
  Sqlite: "allow",
  Postgres: "deny"
}

/** The errors of starting a service. */
export type StartError = OpenError | SeedError | FactsSource.FactsError | LoadedFaults.FaultsInvalid | StoreUnavailable

/** A service that runs until the scope ends. */
export const make = ({
  settings,
  clock = settings.clock === "virtual" ? VirtualClock.make() : undefined,
  faultRules,
  idSeed,
  name = AdminApi.main,
  own,
  say = () => Effect.void,
  send,
  telemetry,
  worlds,
  write
}: Options): Effect.Effect<Instance, StartError, Scope> => {
  return Effect.gen(function* () {
    const { adminKey, aggregates, apiKey, facts, log, maxAnswer, maxBatch, maxRows } = settings
    const { privateNetworks, quota, rateLimit, seed } = settings
    const taught = facts === undefined ? undefined : TaughtInstance.make(yield* FactsSource.read(facts))
    const opened = yield* open(settings, { idSeed, own, say })
    if (opened.home() === undefined) yield* Seeder.beginOnce(opened, seed)
    const world = taught === undefined ? opened : yield* taught.teach(opened)
    const keys = yield* ApiKeys.make(world)
    const consistency = Consistency.make(world.store)
    yield* consistency.writtenByOthers
    const home = world.home()
    if (apiKey !== undefined && home !== undefined) keys.install(apiKey, home)
    const faults = Faults.make({
      ...(faultRules ?? (yield* LoadedFaults.load(settings.faults ?? []))),
      world: name,
      now: world.now
    })
    const sender = send ?? (yield* Sender.make({ networks: privateNetworks ?? networks[settings.store._tag] }))
    const tracing = telemetry?.tracing
    const faulty = FaultySender.make(sender, faults)
    const gate = DeliveryGate.make(tracing === undefined ? faulty : tracing.around(faulty))
    const events = yield* WebhookEngine.make(world, gate.send)
    // Only an administrator can read the traffic; the one of worlds is that of the main world.
    const isRecorded = settings.traffic > 0 && (adminKey !== undefined || name !== AdminApi.main)
    const traffic = isRecorded
      ? Traffic.make({
          exchanges: settings.traffic,
          bytes: Traffic.mostBytes,
          callerOf: (headers) => keys.peek(Credentials.fromHeaders(headers))
        })
      : undefined
    const maintenance = Maintenance.make(world, settings)
    const usage = Usage.make(world)
    const audit = AuditLog.make(log, world.now, write)
    // Another world has no page of its own: the console of the main one shows it.
    const signIn =
      settings.console === "on" && name === AdminApi.main ? SignIn.make({ keys, world, apiKey, adminKey }) : undefined
    const admin = AdminHandlers.make(world, keys, {
      clock,
      events,
      faults,
      quota,
      traffic:
        traffic === undefined
          ? undefined
          : {
              traffic,
              clock,
              version: BuildInfo.version(),
              handle: (request) => service.route(request),
              apiKey: ReplayKey.make(keys, world),
              withoutDeliveries: gate.withoutDeliveries
            },
      usage,
      worlds,
      advanceTimeout: settings.advanceTimeout,
      snapshots: settings.snapshots
    })
    const service: Service.Service = Service.make({
      world,
      keys,
      limit: RateLimit.make({ key: rateLimit, company: quota?.requests }, world.now),
      consistency,
      rows: RowRoute.make({
        world,
        consistency,
        maxAnswer,
        maxBatch,
        maxRows,
        aggregates: aggregates === "on",
        catalogue: taught?.catalogue,
        quota: Quota.make(quota ?? {}, world.store.dialect, usage)
      }),
      operations: yield* OperationRoute.make(world),
      faults,
      tracing,
      traffic,
      webhookSecrets: WebhookSecretRoute.make(events.secrets, audit),
      documents: taught?.documents,
      console: signIn === undefined ? undefined : ConsoleRoute.make(signIn),
      admin:
        adminKey === undefined
          ? undefined
          : AdminHttp.make(admin, adminKey, audit, (worlds ?? AdminHandlers.worldsWithout(world)).use),
      audit,
      log: RequestLog.make(log, world.now, write),
      janitor: yield* Janitor.make(world.now, maintenance.tasks),
      maintenance: Effect.map(maintenance.metrics, (pairs) => [
        ...pairs,
        ...InstanceMetrics.read({
          store: world.store.dialect.name,
          attempts: events.counts(),
          worlds: worlds?.counts(),
          replicas: world.store.replicas,
          telemetry
        })
      ])
    })
    return {
      service: taught?.wrap(service, world) ?? service,
      world,
      keys,
      events,
      audit,
      faults,
      clock,
      admin,
      signIn
    }
  }).pipe(Log.withLogger(settings.log, write), clock === undefined ? identity : Effect.withClock(clock))
}
