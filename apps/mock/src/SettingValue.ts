/**
 * Parses the values of settings from their texts.
 */

import type { Facts } from "@mfgdata/domain/Facts"
import * as PostgresAddress from "./PostgresAddress.ts"

/** The value of `--faults`: `header`, names of sets and files of sets. */
export type FaultSource = ReadonlyArray<
  | { readonly _tag: "Header" }
  | { readonly _tag: "Set"; readonly name: string }
  | { readonly _tag: "File"; readonly path: string }
>

export const faultSource = (text: string): FaultSource | undefined => {
  const parts = text.split(",").map((part) => part.trim())
  return parts.includes("")
    ? undefined
    : parts.map((part) =>
        part === "header"
          ? { _tag: "Header" }
          : /[./\\]/.test(part)
            ? { _tag: "File", path: part }
            : { _tag: "Set", name: part }
      )
}

export const choice = <const A extends string>(...values: ReadonlyArray<A>) => ({
  placeholder: values.join("|"),
  expected: `one of ${values.join(", ")}`,
  parse: (text: string) => values.find((value) => value === text)
})

export const whole = (least: number, most: number) => (text: string) => {
  const number = Number(text)
  return /^\d+$/.test(text) && number >= least && number <= most ? number : undefined
}

export const units = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 }

export const bytes = (least: number, most: number) => (text: string) => {
  const [, digits, unit = "b"] = /^(\d+)(b|kb|mb|gb)?$/.exec(text.toLowerCase()) ?? []
  // The expression names the units above and no other.
  const number = Number(digits) * units[unit as keyof typeof units]
  return number >= least && number <= most ? number : undefined
}

/** A number of requests in a number of milliseconds. */
export interface Rate {
  readonly requests: number
  readonly windowMillis: number
}

export const times = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

export const rate = (text: string): Rate | undefined => {
  const [, requests, count, unit = "s"] = /^(\d{1,9})\/(\d{1,5})(s|m|h)$/.exec(text) ?? []
  // The expression names the units above and no other.
  const windowMillis = Number(count) * times[unit as keyof typeof times]
  const isRate = Number(requests) >= 1 && windowMillis >= times.s && windowMillis <= 24 * times.h
  return isRate ? { requests: Number(requests), windowMillis } : undefined
}

/** The maximum number of webhooks of a company, which no quota exceeds. */
export const mostWebhooks = 1000

/** The quotas of each company. */
export interface Quota {
  readonly rows?: number
  /** The bytes of the rows as JSON. */
  readonly bytes?: number
  readonly webhooks?: number
  readonly requests?: Rate
}

const count = whole(1, 1_000_000_000_000)

const quotaParts = {
  rows: { expected: "a number of rows from 1", parse: count },
  bytes: { expected: "a size from 1kb, such as 1gb", parse: bytes(units.kb, 2 ** 20 * units.gb) },
  webhooks: { expected: `a number of webhooks from 1 to ${mostWebhooks}`, parse: whole(1, mostWebhooks) },
  requests: { expected: "a number of requests and a time, such as 100/1s", parse: rate }
}

const isQuotaPart = (name: string): name is keyof typeof quotaParts => Object.hasOwn(quotaParts, name)

/** The parts of a quota by name, as text. */
const quotaTexts = (text: string): ReadonlyArray<readonly [name: string, value: string]> =>
  text.split(",").map((part) => {
    const [name = "", ...value] = part.trim().split("=")
    return [name, value.join("=")]
  })

/** The first part of a quota that is not accepted. */
export const quotaProblem = (text: string): string | undefined => {
  const names = quotaTexts(text).map(([name]) => name)
  const problems = quotaTexts(text).map(([name, value], index) =>
    !isQuotaPart(name)
      ? `unknown part ${JSON.stringify(name)}`
      : names.indexOf(name) !== index
        ? `the part ${JSON.stringify(name)} is repeated`
        : quotaParts[name].parse(value) === undefined
          ? `${JSON.stringify(value)} of the part ${JSON.stringify(name)} is not ${quotaParts[name].expected}`
          : undefined
  )
  return problems.find((problem) => problem !== undefined)
}

export const quota = (text: string): Quota | undefined =>
  quotaProblem(text) === undefined
    ? Object.fromEntries(
        quotaTexts(text).map(([name, value]) => [name, isQuotaPart(name) && quotaParts[name].parse(value)])
      )
    : undefined

/** A time in milliseconds. */
export const duration = (least: number, most: number) => (text: string) => {
  const [, digits, unit = "s"] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? []
  const millis = Number(digits) * (unit === "ms" ? 1 : times[unit as keyof typeof times])
  return millis >= least && millis <= most ? millis : undefined
}

/** The least length of a passphrase, and the least number of its different characters. */
export const passphrase = { length: 20, characters: 8 }

/** The reason for which a key is too weak to encrypt with. */
export const secretKeyProblem = (text: string): string | undefined =>
  text.length < passphrase.length
    ? `it has ${text.length} characters`
    : new Set(text).size < passphrase.characters
      ? `it has only ${new Set(text).size} different characters`
      : undefined

export const key = (example: string) => ({
  placeholder: "key",
  expected: `mfg_ followed by 8 or more characters without spaces, such as ${example}`,
  parse: (text: string) => (/^mfg_[\x21-\x7e]{8,}$/.test(text) ? text : undefined),
  default: undefined,
  secret: true as const
})

/** The facts that the service behaves as. */
export type FactsSource =
  | { readonly _tag: "PublicSystem" }
  | { readonly _tag: "File"; readonly path: string }
  | { readonly _tag: "Given"; readonly facts: Facts }

export const factsSource = (text: string): FactsSource | undefined =>
  text === "" ? undefined : text === "public-system" ? { _tag: "PublicSystem" } : { _tag: "File", path: text }

/** The address of a store. */
export type StoreAddress =
  | {
      readonly _tag: "Sqlite"
      /** A file, or `:memory:`. */
      readonly path: string
      /** True when an acknowledged write survives the loss of power; tests turn that off for its cost. */
      readonly durable?: boolean
    }
  | {
      readonly _tag: "Postgres"
      /** The address without the parameters of this program. */
      readonly url: string
      /** The maximum number of connections. */
      readonly connections: number
      /** The state of the server (default `read-write`). */
      readonly target?: PostgresAddress.Target | undefined
    }

/** At least two: some work holds one connection and sends a query on another. */
const connectionsOf = whole(3, 1000)

/** The states of the server of a store. */
const storeTargets = ["any", "read-write", "primary"] as const

const isPostgres = (text: string): boolean => /^postgres(ql)?:\/\//.test(text)

const postgresAddress = (text: string): StoreAddress | undefined => {
  const parsed = PostgresAddress.parse(text, storeTargets)
  if (typeof parsed === "string") return undefined
  const { max = "10", target, url } = parsed
  const connections = connectionsOf(max)
  if (connections === undefined) return undefined
  const address = { _tag: "Postgres", url, connections } as const
  return target === undefined ? address : { ...address, target }
}

/** The problem with the address of a server. */
export const storeProblem = (text: string): string | undefined => {
  const parsed = isPostgres(text) ? PostgresAddress.parse(text, storeTargets) : undefined
  return typeof parsed === "string" ? parsed : undefined
}

/** The states of the replicas of a store. */
const replicaTargets = ["any", "read-only", "standby", "prefer-standby"] as const

/** The address of replicas. */
export interface ReplicaAddress {
  readonly url: string
  /** The maximum number of connections to each replica. */
  readonly connections: number
  readonly target: PostgresAddress.Target
}

export const replicaAddress = (text: string): ReplicaAddress | undefined => {
  const parsed = isPostgres(text) ? PostgresAddress.parse(text, replicaTargets) : ""
  if (typeof parsed === "string") return undefined
  const { max = "10", target = "standby", url } = parsed
  const connections = connectionsOf(max)
  return connections === undefined ? undefined : { url, connections, target }
}

/** The problem with the address of replicas. */
export const replicaProblem = (text: string): string | undefined => {
  const parsed = isPostgres(text) ? PostgresAddress.parse(text, replicaTargets) : undefined
  return typeof parsed === "string" ? parsed : undefined
}

/** A text with the form of a file: a path, or a name with an ending of SQLite's files. A single letter is a drive. */
const isFile = /^(?![a-z][\w+.-]+:).*([/\\].|\.(db|sqlite3?)$)/i

export const storeAddress = (text: string): StoreAddress | undefined => {
  if (isPostgres(text)) return postgresAddress(text)
  const path = text.startsWith("sqlite:") ? text.slice("sqlite:".length) : isFile.test(text) ? text : ""
  return path === "" ? undefined : { _tag: "Sqlite", path }
}

export const withoutPassword = (text: string): string => text.replace(/(:\/\/[^:@/]*):[^@/]*@/, "$1@")

/** The name of a store in messages: its file, or its address without the password. */
export const storeName = (address: StoreAddress): string =>
  address._tag === "Sqlite" ? address.path : withoutPassword(address.url)

/** The contents of a new store. */
export type SeedName = { readonly _tag: "Demo" | "Empty" } | { readonly _tag: "File"; readonly path: string }
