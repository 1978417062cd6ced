/**
 * `mfg-mock serve`: serves on a socket until the process is stopped.
 */
import * as Command from "@effect/cli/Command"
import * as ServiceAddress from "@mfgdata/client/ServiceAddress"
import * as Process from "@mfgdata/shell/Process"
import * as Program from "@mfgdata/shell/Program"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as LogLevel from "effect/LogLevel"
import * as Redacted from "effect/Redacted"
import { setFlagsFromString } from "node:v8"
import * as PublishedKeys from "../access/PublishedKeys.ts"
import type { Member } from "../world/World.ts"
import * as NodeServer from "../http/NodeServer.ts"
import * as RequestHost from "../http/RequestHost.ts"
import * as ConsoleAssets from "../service/console/ConsoleAssets.ts"
import type * as SignIn from "../service/console/SignIn.ts"
import * as BuildInfo from "../service/BuildInfo.ts"
import type * as Instance from "../service/Instance.ts"
import * as Log from "../service/Log.ts"
import * as EventLoopLag from "../service/metrics/EventLoopLag.ts"
import * as Settings from "../Settings.ts"
import * as Telemetry from "../telemetry/Telemetry.ts"
import * as WorldServer from "../worlds/WorldServer.ts"
import * as Flags from "./Flags.ts"
import * as PrivateFile from "./PrivateFile.ts"
import * as ServiceOrigin from "./target/ServiceOrigin.ts"

/** The values that the banner shows. */
interface BannerValues {
  readonly origin: string
  /** The origin of the port for metrics, if there is one. */
  readonly metrics: string | undefined
  readonly store: string
  readonly rules: string
  readonly home: Member | undefined
  readonly key: ShownKey
  /** The address of the console, which signs in once where the service is on this machine only. */
  readonly console: string | undefined
}

/**
 * The key of the banner: the one of the environment, which is not repeated, one that was shown before, or one to show,
 * which is new or in the documentation.
 */
type ShownKey = { readonly _tag: "Environment" | "Hidden" } | { readonly _tag: "Shown"; readonly key: string }

const variable = Settings.variable("apiKey")

/** The key as its line shows it, and as the commands to try use it. */
const shownKey = (key: ShownKey): readonly [line: string, inCommands: string] => {
  switch (key._tag) {
    case "Environment":
      return [`the value of ${variable}`, `$${variable}`]
    case "Hidden":
      return [hidden, "$KEY"]
    case "Shown":
      return [key.key, key.key]
  }
}

const hidden = `shown when it was created; "mfg-mock keys create" creates another`

const banner = ({ console, home, key, metrics, origin, rules, store }: BannerValues): string => {
  const { baseUrl, restUrl } = ServiceAddress.fromOrigin(origin)
  const [keyLine, keyInCommands] = shownKey(key)
  const lines = [
    ["rows", restUrl],
    ["operations", baseUrl],
    ["reference", `${origin}/docs`],
    ...(metrics === undefined ? [] : [["metrics", `${metrics}/metrics`] as const]),
    ...(console === undefined ? [] : [["console", console] as const]),
    ["company", home?.companyId ?? "none"],
    ["user", home?.userId ?? "none"],
    ["key", keyLine],
    ["store", `${store}, rules ${rules}`]
  ] as const
  const authorization = `-H "Authorization: Bearer ${keyInCommands}"`
  const holiday = JSON.stringify({ name: "Founding day", date: "2027-05-01", companyId: home?.companyId })
  return [
    "mfg-mock serves the manufacturing data service.",
    "",
    ...lines.map(([name, value]) => `  ${name.padEnd(12)}${value}`),
    "",
    "Try:",
    `  curl ${origin}/health/ready`,
    `  curl ${authorization} "${restUrl}/holiday?order=date.asc&limit=3"`,
    `  curl ${authorization} -H "Content-Type: application/json" -d '${holiday}' ${restUrl}/holiday`,
    ""
  ].join("\n")
}

/** The address of the console: it signs in once if the service listens on this machine only. */
const consoleAddress = (signIn: SignIn.SignIn, origin: string, host: string): string =>
  `${origin}${ConsoleAssets.mount}${RequestHost.isLoopback(host) ? `#${signIn.issue()}` : ""}`

/** The key of the banner; a new store gets its first one. */
const keyOf = ({ audit, keys, world }: Instance.Instance, installed: string | undefined) =>
  Effect.gen(function* () {
    const home = world.home()
    if (installed !== undefined && PublishedKeys.has(installed)) return { _tag: "Shown", key: installed } as const
    if (installed !== undefined) return { _tag: "Environment" } as const
    if (home === undefined || (yield* keys.list).length > 0) return { _tag: "Hidden" } as const
    const { key, record } = yield* keys.create({ ...home, name: "first start", scopes: ["*"], expiresAt: null })
    audit.record("key.created", { keyId: record.id, companyId: record.companyId, scopes: record.scopes })
    return { _tag: "Shown", key: Redacted.value(key) } as const
  })

/**
 * Collects the garbage of the heap when it has as much as what is in use. V8 would let it grow to several times as much
 * after a few large responses.
 */
const boundHeap = Effect.sync(() => setFlagsFromString("--heap-growing-percent=100"))

/**
 * The time that requests in progress have after the drain. Both, and the two seconds in which deliveries and a database
 * that does not respond are given up, take less than ten seconds.
 */
const stopMillis = (drain: number): number => Math.max(2500, NodeServer.limits.stopMillis - drain)

/** Exports telemetry until the scope ends. */
const exporting = (level: Log.Level, write: (line: string) => void) =>
  Effect.gen(function* () {
    // Loaded on demand: a service without a collector pays nothing for it.
    const { make } = yield* Effect.promise(() => import("../telemetry/OtlpTelemetry.ts"))
    return yield* make({
      environment: process.env,
      version: BuildInfo.version(),
      say: (msg, isFailure) => {
        const severity = isFailure ? LogLevel.Error : LogLevel.Warning
        if (Log.isEnabled(level, severity)) write(Log.line(Date.now(), severity, { msg }))
      }
    })
  })

const serve = (settings: Settings.Settings) =>
  Effect.gen(function* () {
    yield* boundHeap
    yield* PrivateFile.tighten(settings.store)
    const toTerminal = (line: string) => Effect.runSync(Terminal.writeError(line))
    const telemetry = Telemetry.isRequested(process.env) ? yield* exporting(settings.log, toTerminal) : undefined
    const instance = yield* WorldServer.make({
      settings,
      say: Terminal.note,
      telemetry,
      write: (line) => {
        toTerminal(line)
        telemetry?.log?.(line)
      }
    })
    const { service, world } = instance
    if (telemetry !== undefined) yield* telemetry.readFrom(service.metrics(EventLoopLag.make()))
    const options = {
      ...NodeServer.limits,
      allowedHosts: settings.allowedHosts ?? [],
      compresses: settings.compression === "on",
      connections: settings.maxConnections,
      bodyBytes: settings.maxBody,
      bodyMemoryBytes: settings.bodyMemory,
      answerMemoryBytes: Math.max(settings.answerMemory, 2 * settings.maxAnswer)
    }
    // It closes after the other one, so that a scrape also shows the end.
    const metrics =
      settings.metricsPort === undefined
        ? undefined
        : yield* NodeServer.listen(service.monitoring, {
            ...options,
            host: settings.metricsHost,
            port: settings.metricsPort,
            portFlag: "--metrics-port",
            stopMillis: 100
          })
    const { drain, ...address } = yield* NodeServer.listen(service, {
      ...options,
      host: settings.host,
      port: settings.port,
      stopMillis: stopMillis(settings.drain)
    })
    /** Gives balancers the time to send requests elsewhere. */
    const drained = (millis: number) =>
      Effect.all([
        service.drain,
        drain,
        millis === 0
          ? Effect.void
          : Terminal.note(`Stopping after ${Duration.format(millis)}, in which requests are still accepted.`),
        Effect.sleep(millis)
      ])
    yield* world.store.publishAddress(address)
    const origin = ServiceOrigin.fromAddress(address)
    yield* Terminal.write(
      `${banner({
        origin,
        metrics: metrics === undefined ? undefined : ServiceOrigin.fromAddress(metrics),
        console: instance.signIn && consoleAddress(instance.signIn, origin, address.host),
        store: Settings.storeName(settings.store),
        rules: world.rules(),
        home: world.home(),
        key: yield* world.store.withLock(keyOf(instance, settings.apiKey))
      })}\n`
    )
    yield* Effect.addFinalizer(() => (Process.stopSignal() === "SIGTERM" ? drained(settings.drain) : Effect.void))
    return yield* Effect.never
  }).pipe(Effect.scoped)

const command = Command.make("serve", { flags: Flags.options(Settings.names) }, ({ flags }) =>
  Effect.flatMap(Flags.resolve(Settings.names, flags), serve)
).pipe(
  Command.withDescription(
    `Serve the manufacturing data service until the process is stopped. For example: mfg-mock serve --port ${ServiceAddress.defaultPort + 1}`
  )
)

export const program: Program.Program = Program.make(command)
