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
import * as Redacted from "effect/Redacted"
import { setFlagsFromString } from "node:v8"
import type { Member } from "../world/World.ts"
import * as NodeServer from "../http/NodeServer.ts"
import * as Instance from "../service/Instance.ts"
import * as Settings from "../Settings.ts"
import * as Flags from "./Flags.ts"
import * as PrivateFile from "./PrivateFile.ts"
import * as ServiceOrigin from "./ServiceOrigin.ts"

/** The values that the banner shows. */
interface BannerValues {
  readonly origin: string
  readonly store: string
  readonly rules: string
  readonly home: Member | undefined
  readonly key: ShownKey
}

/** The key of the banner: the one of the environment, which is not repeated, a new one, or one that was shown before. */
type ShownKey = { readonly _tag: "Environment" | "Hidden" } | { readonly _tag: "New"; readonly key: string }

const variable = Settings.variable("apiKey")

/** The key as its line shows it, and as the commands to try use it. */
const shownKey = (key: ShownKey): readonly [line: string, inCommands: string] => {
  switch (key._tag) {
    case "Environment":
      return [`the value of ${variable}`, `$${variable}`]
    case "Hidden":
      return [hidden, "$KEY"]
    case "New":
      return [key.key, key.key]
  }
}

const hidden = `shown when it was created; "mfg-mock keys create" creates another`

const banner = ({ home, key, origin, rules, store }: BannerValues): string => {
  const { baseUrl, restUrl } = ServiceAddress.fromOrigin(origin)
  const [keyLine, keyInCommands] = shownKey(key)
  const lines = [
    ["rows", restUrl],
    ["operations", baseUrl],
    ["reference", `${origin}/docs`],
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

/** The key of the banner; a new store gets its first one. */
const keyOf = ({ audit, keys, world }: Instance.Instance, installed: string | undefined) =>
  Effect.gen(function* () {
    const home = world.home()
    if (installed !== undefined) return { _tag: "Environment" } as const
    if (home === undefined || (yield* keys.list).length > 0) return { _tag: "Hidden" } as const
    const { key, record } = yield* keys.create({ ...home, name: "first start", scopes: ["*"], expiresAt: null })
    audit.record("key.created", { keyId: record.id, companyId: record.companyId, scopes: record.scopes })
    return { _tag: "New", key: Redacted.value(key) } as const
  })

/**
 * Collects the garbage of the heap when it has as much as what is in use. V8 would let it grow to several times as much
 * after a few large responses.
 */
const boundHeap = Effect.sync(() => setFlagsFromString("--heap-growing-percent=100"))

const serve = (settings: Settings.Settings) =>
  Effect.gen(function* () {
    yield* boundHeap
    yield* PrivateFile.tighten(settings.store)
    const instance = yield* Instance.make({
      settings,
      say: Terminal.note,
      write: (line) => Effect.runSync(Terminal.writeError(line))
    })
    const { service, world } = instance
    const { drain, ...address } = yield* NodeServer.listen(service, {
      ...NodeServer.limits,
      host: settings.host,
      allowedHosts: settings.allowedHosts ?? [],
      port: settings.port,
      compresses: settings.compression === "on",
      bodyBytes: settings.maxBody,
      bodyMemoryBytes: settings.bodyMemory
    })
    /** Gives balancers the time to send requests elsewhere. */
    const drained = (millis: number) =>
      Effect.all([
        service.drain,
        drain,
        Terminal.note(`Stopping after ${Duration.format(millis)}, in which requests are still accepted.`),
        Effect.sleep(millis)
      ])
    yield* world.store.publishAddress(address)
    yield* Terminal.write(
      `${banner({
        origin: ServiceOrigin.fromAddress(address),
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
