/**
 * Everything that can be set, declared once: a flag, its variable in the environment, what it takes and what it is
 * when nobody says. A flag wins over the variable, the variable over the default.
 */
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as Data from "effect/Data"
import * as Either from "effect/Either"

/** One thing that can be set, by text. */
export interface Setting<A> {
  /** What it takes, in a word. */
  readonly placeholder: string
  readonly help: string
  /** What it takes, exactly: the end of the sentence that refuses something else. */
  readonly expected: string
  readonly default: string | undefined
  /** Undefined when the text is not what is expected. */
  readonly parse: (text: string) => A | undefined
  /** On a command line the flag alone says yes. */
  readonly switch?: true
  /** Set by its variable alone and never repeated: arguments of a process are seen by others. */
  readonly secret?: true
}

const choice = <const A extends string>(...values: ReadonlyArray<A>) => ({
  placeholder: values.join("|"),
  expected: `one of ${values.join(", ")}`,
  parse: (text: string) => values.find((value) => value === text)
})

const whole = (least: number, most: number) => (text: string) => {
  const number = Number(text)
  return /^\d+$/.test(text) && number >= least && number <= most ? number : undefined
}

const units = { b: 1, kb: 1024, mb: 1024 ** 2 }

const bytes = (text: string) => {
  const [, digits, unit = "b"] = /^(\d+)(b|kb|mb)?$/.exec(text.toLowerCase()) ?? []
  // The expression names the units above and no other.
  const number = Number(digits) * units[unit as keyof typeof units]
  return number >= 1024 && number <= 256 * units.mb ? number : undefined
}

/** So many requests in so many milliseconds. */
export interface Rate {
  readonly requests: number
  readonly windowMillis: number
}

const times = { s: 1000, m: 60_000, h: 3_600_000 }

const rate = (text: string): Rate | undefined => {
  const [, requests, count, unit = "s"] = /^(\d{1,9})\/(\d{1,5})(s|m|h)$/.exec(text) ?? []
  // The expression names the units above and no other.
  const windowMillis = Number(count) * times[unit as keyof typeof times]
  const isRate = Number(requests) >= 1 && windowMillis >= times.s && windowMillis <= 24 * times.h
  return isRate ? { requests: Number(requests), windowMillis } : undefined
}

const key = (example: string) => ({
  placeholder: "key",
  expected: `mfg_ and 8 or more characters after it, without spaces, such as ${example}`,
  parse: (text: string) => (/^mfg_[\x21-\x7e]{8,}$/.test(text) ? text : undefined),
  default: undefined,
  secret: true as const
})

/** Where rows are kept. */
export type StoreAddress =
  | {
      readonly _tag: "Sqlite"
      /** A file, or `:memory:`. */
      readonly path: string
      /** Whether an answered write survives the loss of power; it does unless a test wants none of its cost. */
      readonly durable?: boolean
    }
  | {
      readonly _tag: "Postgres"
      /** The address without what is meant for us. */
      readonly url: string
      /** How many connections to hold at most. */
      readonly connections: number
    }

/** Two at least: some work holds one while it asks by another. */
const connectionsOf = whole(2, 1000)

const postgresAddress = (text: string): StoreAddress | undefined => {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const connections = connectionsOf(url.searchParams.get("max") ?? "10")
  url.searchParams.delete("max")
  return connections === undefined ? undefined : { _tag: "Postgres", url: url.href, connections }
}

const storeAddress = (text: string): StoreAddress | undefined => {
  if (/^postgres(ql)?:\/\//.test(text)) return postgresAddress(text)
  return text.startsWith("sqlite:") && text.length > "sqlite:".length
    ? { _tag: "Sqlite", path: text.slice("sqlite:".length) }
    : undefined
}

const withoutPassword = (text: string): string => text.replace(/(:\/\/[^:@/]*):[^@/]*@/, "$1@")

/** What a store is called where people read: its file, or its address without a password. */
export const storeName = (address: StoreAddress): string =>
  address._tag === "Sqlite" ? address.path : withoutPassword(address.url)

/** What a new store begins with. */
export type SeedName = { readonly _tag: "Demo" | "Empty" } | { readonly _tag: "File"; readonly path: string }

const table = {
  port: {
    placeholder: "number",
    help: "The port to listen on; 0 takes a free one.",
    expected: "a whole number from 0 to 65535",
    default: "4010",
    parse: whole(0, 65_535)
  },
  host: {
    placeholder: "address",
    help: "The address to listen on; 0.0.0.0 is every one this machine has.",
    expected: "an address or a host name",
    default: "127.0.0.1",
    parse: (text: string) => (/^[\w.:-]+$/.test(text) ? text : undefined)
  },
  store: {
    placeholder: "address",
    help: "Where rows are kept: sqlite:<file>, sqlite::memory: for as long as the process lives, or postgres://... for a server.",
    expected: "sqlite:<file>, sqlite::memory: or postgres://<user>@<host>/<database>, with ?max= from 2 to 1000",
    default: "sqlite:.mfgdata/mock.db",
    parse: storeAddress
  },
  seed: {
    placeholder: "demo|empty|file",
    help: "What a new store begins with: demo (a small manufacturer), empty (a company, its user and no rows), or a file.",
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
    help: "The rules of a new store: contract checks what the interface states, public adds what the public system refuses.",
    default: "contract"
  },
  aggregates: {
    ...choice("off", "on"),
    help: "Whether lists may be grouped and added up: count(), sum(), avg(), min() and max() in select.",
    default: "off"
  },
  maxRows: {
    placeholder: "number",
    help: "Number of rows of a list without a limit. A limit is honoured up to 10000, or up to this if it is larger.",
    expected: "a whole number from 1 to 1000000",
    default: "1000",
    parse: whole(1, 1_000_000)
  },
  maxBody: {
    placeholder: "size",
    help: "How large a request's body may be.",
    expected: "a size from 1kb to 256mb, such as 512kb or 10mb",
    default: "10mb",
    parse: bytes
  },
  rateLimit: {
    placeholder: "number/time",
    help: "How many requests a key may make in a time, such as 60/1m. As many as it likes when left out.",
    expected: "a number of requests and a time from 1s to 24h, such as 60/1m or 1000/1h",
    default: undefined,
    parse: rate
  },
  clock: {
    ...choice("system", "virtual"),
    help: "What time it is: the machine's, or one that /_mock/clock stops and moves.",
    default: "system"
  },
  privateNetworks: {
    ...choice("deny", "loopback", "allow"),
    help: "Networks that webhooks reach besides the public one: deny (none), loopback, or allow (loopback and private networks). Default allow on SQLite, deny on PostgreSQL.",
    default: undefined
  },
  log: {
    ...choice("off", "error", "info", "debug"),
    help: "What standard error is told, as lines of JSON: failures, every request (info), or its headers too (debug).",
    default: "error"
  },
  apiKey: {
    ...key("mfg_local_development"),
    help: "A key that may do everything in the demo's company, for as long as this is set."
  },
  adminKey: {
    ...key("mfg_local_administration"),
    help: "The administrator's key for /_mock, which is off without one."
  }
} satisfies { readonly [name: string]: Setting<unknown> }

type Table = typeof table

/** What can be set. */
export type Name = keyof Table

/** The value of a setting; undefined only where there is no default. */
export type Value<N extends Name> =
  | NonNullable<ReturnType<Table[N]["parse"]>>
  | (Table[N]["default"] extends undefined ? undefined : never)

export type Settings = { readonly [N in Name]: Value<N> }

/** Every setting by its name. */
export const settings: { readonly [N in Name]: Setting<NonNullable<Value<N>>> } = table

/** All names, in the order in which help shows them. */
// The keys of a literal are its declared keys.
export const names = Object.keys(table) as ReadonlyArray<Name>

/** `maxRows` as it is written on a command line, without the dashes. */
export const flag = (name: Name): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The variable that sets it: `MFG_MOCK_MAX_ROWS`. */
export const variable = (name: Name): string => `MFG_MOCK_${flag(name).replaceAll("-", "_").toUpperCase()}`

/** A value that is not what its setting takes. */
export class SettingInvalid extends Data.TaggedError("SettingInvalid")<{
  readonly name: Name
  /** How it was set. */
  readonly source: string
  readonly text: string
}> {
  override get message() {
    const { expected, secret } = settings[this.name]
    return `${this.source} takes ${expected}${secret === true ? "" : `, not ${JSON.stringify(withoutPassword(this.text))}`}`
  }
}

/** Flags as given, by name. */
export type Given = { readonly [N in Name]?: string | undefined }

/** The environment of a process. */
export type Environment = { readonly [variable: string]: string | undefined }

/** What some settings are, from flags, the environment and the defaults. An empty variable counts as none. */
export const resolve = <const Names extends ReadonlyArray<Name>>(
  names: Names,
  given: Given,
  environment: Environment
): Either.Either<Pick<Settings, Names[number]>, SettingInvalid> => {
  const values: { [name: string]: unknown } = {}
  for (const name of names) {
    const fromEnvironment = environment[variable(name)] || undefined
    const text = given[name] ?? fromEnvironment ?? settings[name].default
    const value = text === undefined ? undefined : settings[name].parse(text)
    if (text !== undefined && value === undefined) {
      const source = given[name] === undefined ? variable(name) : `--${flag(name)}`
      return Either.left(new SettingInvalid({ name, source, text }))
    }
    values[name] = value
  }
  // One parsed value stands under each name that was asked for.
  return Either.right(values as Pick<Settings, Names[number]>)
}

/** What everything is when nobody says. */
export const defaults: Settings = Either.getOrThrow(resolve(names, {}, {}))
