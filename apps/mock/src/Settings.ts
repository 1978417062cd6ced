/**
 * Declares the settings: for each a flag, a variable of the environment, a parser and a default. A flag takes
 * precedence over the variable, the variable over the default. One file, because the table is read as a whole.
 */
import * as ServiceAddress from "@mfgdata/client/ServiceAddress"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import {
  bytes,
  choice,
  duration,
  factsSource,
  faultSource,
  key,
  passphrase,
  quota,
  quotaProblem,
  rate,
  replicaAddress,
  replicaProblem,
  secretKeyProblem,
  storeAddress,
  storeProblem,
  times,
  units,
  whole,
  withoutPassword,
  type SeedName
} from "./SettingValue.ts"

export { mostWebhooks, storeName } from "./SettingValue.ts"
export type { FactsSource, FaultSource, Rate, Quota, StoreAddress, SeedName } from "./SettingValue.ts"

/** A setting, with a value as text. */
export interface Setting<A> {
  /** The name of the value in the help. */
  readonly placeholder: string
  /** A noun phrase for the help. */
  readonly help: string
  /** The accepted values, as the end of an error message. */
  readonly expected: string
  readonly default: string | undefined
  /** The problem with a text, where that is more specific than the accepted values. */
  readonly problem?: (text: string) => string | undefined
  /** Undefined for a text that is not accepted. */
  readonly parse: (text: string) => A | undefined
  /** Set by its variable only, and never repeated: other users see the arguments of a process. */
  readonly secret?: true
}

const address = (text: string) => (/^[\w.:-]+$/.test(text) ? text : undefined)

const table = {
  port: {
    placeholder: "number",
    help: "Port to listen on; 0 selects a free port.",
    expected: "an integer from 0 to 65535",
    default: String(ServiceAddress.defaultPort),
    parse: whole(0, 65_535)
  },
  host: {
    placeholder: "address",
    help: "Address to listen on; 0.0.0.0 is every interface of the machine.",
    expected: "an address or a host name",
    default: "127.0.0.1",
    parse: address
  },
  allowedHosts: {
    placeholder: "names",
    help: "Host names of the service besides localhost, separated by commas; addresses need none.",
    expected: "host names separated by commas, such as mfg.test,dev.example",
    default: undefined,
    parse: (text: string): ReadonlyArray<string> | undefined =>
      /^[\w.-]+(,[\w.-]+)*$/.test(text) ? text.split(",") : undefined
  },
  metricsPort: {
    placeholder: "number",
    help: "Port of its own for the metrics and the health checks, without a key; 0 selects a free port.",
    expected: "an integer from 0 to 65535",
    default: undefined,
    parse: whole(0, 65_535)
  },
  metricsHost: {
    placeholder: "address",
    help: "Address of the port for metrics.",
    expected: "an address or a host name",
    default: "127.0.0.1",
    parse: address
  },
  store: {
    placeholder: "address",
    help: "Store of the rows: a SQLite file such as ./mock.db, sqlite::memory: for the life of the process, or postgres://... for a server.",
    expected:
      "a SQLite file such as ./mock.db or sqlite:mock, sqlite::memory:, or postgres://<user>@<hosts>/<database> with ?max= from 3 to 1000",
    default: "sqlite:.mfgdata/mock.db",
    parse: storeAddress,
    problem: storeProblem
  },
  pooling: {
    ...choice("session", "transaction"),
    help: "Mode of a connection pooler before PostgreSQL: session (also without one), or transaction, with no state in sessions.",
    default: "session"
  },
  readStore: {
    placeholder: "address",
    help: "PostgreSQL replicas of the store, which serve reads of rows: postgres://... with every replica as a host.",
    expected: "postgres://<user>@<hosts>/<database> with ?max= from 3 to 1000",
    default: undefined,
    parse: replicaAddress,
    problem: replicaProblem
  },
  readWait: {
    placeholder: "time",
    help: "Maximum time that a read waits for a replica with the caller's last write before it goes to the primary.",
    expected: "a time from 0ms to 10s, such as 50ms",
    default: "50ms",
    parse: duration(0, 10 * times.s)
  },
  readLag: {
    placeholder: "time",
    help: "Maximum lag of a replica that serves reads.",
    expected: "a time from 100ms to 1h, such as 10s",
    default: "10s",
    parse: duration(100, times.h)
  },
  rowSecurity: {
    ...choice("off", "on"),
    help: "Row-level security on the company in PostgreSQL, besides the condition of every statement; by default as the store has it.",
    default: undefined
  },
  snapshots: {
    placeholder: "folder",
    help: "Folder of the snapshots that the administrator's interface saves and restores.",
    expected: "the path of a folder",
    default: ".mfgdata/snapshots",
    parse: (text: string) => (text === "" ? undefined : text)
  },
  seed: {
    placeholder: "demo|empty|file",
    help: "Contents of a new store: demo (a small manufacturer), empty (a company, its user and no rows), or a file.",
    expected: "demo, empty or the path of a seed file",
    default: "demo",
    parse: (text: string): SeedName | undefined =>
      text === "demo"
        ? { _tag: "Demo" }
        : text === "empty"
          ? { _tag: "Empty" }
          : text === ""
            ? undefined
            : { _tag: "File", path: text }
  },
  rules: {
    ...choice<RuleSet>("contract", "public"),
    help: "Rules of a new store: contract checks what the interface states, public adds what the public system refuses.",
    default: "contract"
  },
  aggregates: {
    ...choice("off", "on"),
    help: "Aggregate functions in select: count(), sum(), avg(), min() and max().",
    default: "off"
  },
  maxRows: {
    placeholder: "number",
    help: "Number of rows in a list without a limit; a limit is honoured up to 10000, or up to this if it is larger.",
    expected: "an integer from 1 to 1000000",
    default: "1000",
    parse: whole(1, 1_000_000)
  },
  maxBody: {
    placeholder: "size",
    help: "Maximum size of a request body.",
    expected: "a size from 1kb to 256mb, such as 512kb or 10mb",
    default: "10mb",
    parse: bytes(units.kb, 256 * units.mb)
  },
  bodyMemory: {
    placeholder: "size",
    help: "Memory for request bodies above 64kb, of which one company takes at most half; at least twice --max-body.",
    expected: "a size from 1mb to 4096mb, such as 32mb",
    default: "32mb",
    parse: bytes(units.mb, 4096 * units.mb)
  },
  answerMemory: {
    placeholder: "size",
    help: "Memory for responses that clients have not read yet, of which one company takes at most three quarters; at least twice --max-answer.",
    expected: "a size from 1mb to 4096mb, such as 64mb",
    default: "64mb",
    parse: bytes(units.mb, 4096 * units.mb)
  },
  maxConnections: {
    placeholder: "number",
    help: "Maximum number of connections to the port, and of those to the metrics port; further ones are closed.",
    expected: "an integer from 1 to 1000000",
    default: "5000",
    parse: whole(1, 1_000_000)
  },
  maxBatch: {
    placeholder: "number",
    help: "Maximum number of rows that one request writes, changes or deletes.",
    expected: "an integer from 1 to 1000000",
    default: "10000",
    parse: whole(1, 1_000_000)
  },
  readers: {
    placeholder: "number",
    help: "Number of connections for large queries on SQLite, of which one company takes at most half.",
    expected: "an integer from 1 to 16",
    default: "2",
    parse: whole(1, 16)
  },
  statementTimeout: {
    placeholder: "time",
    help: "Maximum time in which a large query waits and runs.",
    expected: "a time from 1ms to 1h, such as 500ms or 5s",
    default: "5s",
    parse: duration(1, times.h)
  },
  maxMemory: {
    placeholder: "size",
    help: "Memory by which the process may grow while large queries run on SQLite, and the size that its caches keep to.",
    expected: "a size from 32mb to 64gb, such as 256mb",
    default: "256mb",
    parse: bytes(32 * units.mb, 64 * units.gb)
  },
  maxAnswer: {
    placeholder: "size",
    help: "Maximum size of a response with rows.",
    expected: "a size from 1kb to 256mb, such as 512kb or 32mb",
    default: "32mb",
    parse: bytes(1024, 256 * units.mb)
  },
  compression: {
    ...choice("on", "off"),
    help: "Compression of responses from 1kb for clients that accept it, with zstd (on newer versions of Node), br or gzip.",
    default: "on"
  },
  keepDeliveries: {
    placeholder: "time",
    help: "Time for which events and their deliveries are kept after they are delivered or given up.",
    expected: "a time from 1m to 3650d, such as 12h or 30d",
    default: "30d",
    parse: duration(times.m, 3650 * times.d)
  },
  keepIdempotency: {
    placeholder: "time",
    help: "Time for which the response to a write with an Idempotency-Key is kept, at least.",
    expected: "a time from 1m to 3650d, such as 24h or 7d",
    default: "24h",
    parse: duration(times.m, 3650 * times.d)
  },
  history: {
    ...choice("off", "on"),
    help: "History of the rows: every change is kept, so that rows can be read as of a time and changes undone.",
    default: "off"
  },
  keepHistory: {
    placeholder: "time",
    help: "Time for which the history of the rows is kept.",
    expected: "a time from 1m to 3650d, such as 24h or 30d",
    default: "30d",
    parse: duration(times.m, 3650 * times.d)
  },
  rateLimit: {
    placeholder: "number/time",
    help: "Maximum number of requests of a key in a time, such as 60/1m; without it there is no limit.",
    expected: "a number of requests and a time from 1s to 24h, such as 60/1m or 1000/1h",
    default: undefined,
    parse: rate
  },
  quota: {
    placeholder: "parts",
    help: "Quotas of each company: rows, bytes (of rows as JSON), webhooks and requests, each optional, such as rows=1000000,bytes=1gb,webhooks=50,requests=100/1s.",
    expected:
      "one or more of rows=<number>, bytes=<size>, webhooks=<number> and requests=<number>/<time>, with commas between them",
    default: undefined,
    parse: quota,
    problem: quotaProblem
  },
  facts: {
    placeholder: "facts",
    help: "Facts about a service that this one behaves as: a file that compare --learn has written, or public-system.",
    expected: "a facts file, or public-system",
    default: undefined,
    parse: factsSource
  },
  clock: {
    ...choice("system", "virtual"),
    help: "Clock of the service: the machine's, or a virtual one that the administrator's interface stops and moves.",
    default: "system"
  },
  advanceTimeout: {
    placeholder: "time",
    help: "Maximum time that setting or advancing a virtual clock waits for deliveries that fall due.",
    expected: "a time from 1ms to 1h, such as 10s",
    default: "30s",
    parse: duration(1, times.h)
  },
  maxWorlds: {
    placeholder: "number",
    help: "Maximum number of worlds besides main, open or idle.",
    expected: "an integer from 0 to 100000",
    default: "1000",
    parse: whole(0, 100_000)
  },
  keepWorlds: {
    placeholder: "time",
    help: "Time without a request after which a world is deleted.",
    expected: "a time from 1m to 3650d, such as 12h or 7d",
    default: "1d",
    parse: duration(times.m, 3650 * times.d)
  },
  durableWorlds: {
    ...choice("off", "on"),
    help: "Durability of worlds besides main: on keeps acknowledged writes after a loss of power, off only after a crash of the process.",
    default: "off"
  },
  privateNetworks: {
    ...choice("deny", "loopback", "allow"),
    help: "Networks that webhooks reach besides the public one: deny (none), loopback, or allow (loopback and private networks); by default allow on SQLite, deny on PostgreSQL.",
    default: undefined
  },
  faults: {
    placeholder: "names",
    help: "Fault rules: names of sets that are armed, files of sets, and header, by which requests choose rules with Mfg-Fault.",
    expected: "header, names of sets and paths of JSON files, with commas between them, such as lost-answers",
    default: undefined,
    parse: faultSource
  },
  console: {
    ...choice("on", "off"),
    help: "Console at /console: the service in a browser.",
    default: "on"
  },
  traffic: {
    placeholder: "number",
    help: "Number of the last requests and responses that the administrator's interface shows; 0 keeps none.",
    expected: "a number of exchanges from 0 to 100000",
    default: "1000",
    parse: whole(0, 100_000)
  },
  drain: {
    placeholder: "time",
    help: "Time after SIGTERM in which requests are still accepted while /health/ready responds with 503; SIGINT skips it.",
    expected: "a time from 0s to 10m, such as 0s or 15s",
    default: "5s",
    parse: duration(0, 10 * times.m)
  },
  log: {
    ...choice("off", "error", "info", "debug"),
    help: "Level of the log on standard error, as lines of JSON: failures (error), requests (info), or their headers too (debug).",
    default: "error"
  },
  apiKey: {
    ...key("mfg_local_development"),
    help: "API key with every scope in the demo's company, valid while this is set."
  },
  adminKey: {
    ...key("mfg_local_administration"),
    help: "Administrator's key; without one the administrator's interface is off."
  },
  secretKey: {
    placeholder: "key",
    help: "Key that encrypts the secrets of webhooks and OAuth clients in the store.",
    expected: `32 random bytes in base64 or hex (openssl rand -base64 32), or a passphrase of ${passphrase.length} or more characters, at least ${passphrase.characters} of them different`,
    default: undefined,
    parse: (text: string) => (secretKeyProblem(text) === undefined ? text : undefined),
    problem: secretKeyProblem,
    secret: true as const
  }
} satisfies { readonly [name: string]: Setting<unknown> }

type Table = typeof table

/** The names of the settings. */
export type Name = keyof Table

/** The value of a setting; undefined only where there is no default. */
export type Value<N extends Name> =
  | NonNullable<ReturnType<Table[N]["parse"]>>
  | (Table[N]["default"] extends undefined ? undefined : never)

export type Settings = { readonly [N in Name]: Value<N> }

/** Every setting by its name. */
export const settings: { readonly [N in Name]: Setting<NonNullable<Value<N>>> } = table

/** All names, in the order of the help. */
// The keys of a literal are its declared keys.
export const names = Object.keys(table) as ReadonlyArray<Name>

/** The flag of a setting without its dashes: `max-rows` for `maxRows`. */
export const flag = (name: Name): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The variable of a setting: `MFG_MOCK_MAX_ROWS`. */
export const variable = (name: Name): string => `MFG_MOCK_${flag(name).replaceAll("-", "_").toUpperCase()}`

/** A value that its setting does not accept. */
export class SettingInvalid extends Data.TaggedError("SettingInvalid")<{
  readonly name: Name
  /** The flag or variable with the value. */
  readonly source: string
  readonly text: string
}> {
  override get message() {
    const { expected, problem, secret } = settings[this.name]
    const cause = problem?.(this.text)
    const value = secret === true ? "" : ` ${JSON.stringify(withoutPassword(this.text))}`
    return `Invalid value${value} for ${this.source}: ${cause === undefined ? "" : `${cause}; `}expected ${expected}.`
  }
}

/** The values of flags by name. */
export type FlagValues = { readonly [N in Name]?: string | undefined }

/** The environment of a process. */
export type Environment = { readonly [variable: string]: string | undefined }

/** Resolves settings from flags, the environment and the defaults. An empty variable counts as unset. */
export const resolve = <const Names extends ReadonlyArray<Name>>(
  names: Names,
  flags: FlagValues,
  environment: Environment
): Either.Either<Pick<Settings, Names[number]>, SettingInvalid> => {
  const values: { [name: string]: unknown } = {}
  for (const name of names) {
    const fromEnvironment = environment[variable(name)] || undefined
    const text = flags[name] ?? fromEnvironment ?? settings[name].default
    const value = text === undefined ? undefined : settings[name].parse(text)
    if (text !== undefined && value === undefined) {
      const source = flags[name] === undefined ? variable(name) : `--${flag(name)}`
      return Either.left(new SettingInvalid({ name, source, text }))
    }
    values[name] = value
  }
  // The record has one parsed value for each of the names.
  return Either.right(values as Pick<Settings, Names[number]>)
}

/** The defaults of all settings. */
export const defaults: Settings = Either.getOrThrow(resolve(names, {}, {}))
