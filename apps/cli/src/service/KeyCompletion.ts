/**
 * Completes keys of rows: asks the service where it is quick, and remembers its response for a while. A failure of any
 * kind completes nothing.
 */
import type * as Resource from "@mfgdata/domain/Resource"
import * as Variable from "@mfgdata/shell/Variable"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { hash } from "node:crypto"
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as RowQuery from "../RowQuery.ts"
import * as Connection from "./Connection.ts"

/** The time that the service has to respond. */
const patience = "300 millis"

/** The milliseconds for which a response is remembered. */
const freshness = 30_000

/** The greatest number of keys of a response. */
const limit = 50

const Remembered = Schema.parseJson(
  Schema.Struct({
    /** Identifies the service, the key and the resource. */
    source: Schema.String,
    at: Schema.Number,
    prefix: Schema.String,
    keys: Schema.Array(Schema.String)
  })
)

const decode = Schema.decodeUnknownOption(Remembered)

/** The path of the last response. */
const path = (): string => join(Variable.cacheFolder("mfg"), "completion.json")

const beginningWith = (prefix: string, keys: ReadonlyArray<string>): ReadonlyArray<string> =>
  keys.filter((key) => key.startsWith(prefix))

/** The remembered keys of a source that begin with a word, where the last response has all of them. */
const remembered = (source: string, prefix: string, now: number): ReadonlyArray<string> | undefined => {
  const last = Option.getOrUndefined(decode(readFileSync(path(), "utf8")))
  if (last === undefined || last.source !== source || now - last.at > freshness) return undefined
  const isWhole = last.prefix === prefix || (last.keys.length < limit && prefix.startsWith(last.prefix))
  return isWhole ? beginningWith(prefix, last.keys) : undefined
}

const remember = (source: string, prefix: string, keys: ReadonlyArray<string>, at: number): void => {
  const file = path()
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // Another completion may read the file at the same time.
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, JSON.stringify({ source, at, prefix, keys }), { mode: 0o600 })
  renameSync(draft, file)
}

const quietly = <A>(read: () => A): Effect.Effect<A | undefined> =>
  Effect.orElseSucceed(Effect.try(read), () => undefined)

const Rows = Schema.parseJson(Schema.Array(Schema.Record({ key: Schema.String, value: Schema.Unknown })))

const request = (
  { call, profile }: Connection.Connection,
  { key, resource }: Resource.Any,
  prefix: string
): Effect.Effect<ReadonlyArray<string>, unknown> => {
  const query: ReadonlyArray<RowQuery.Parameter> = [
    ["select", key],
    // A wildcard in the word finds more keys than those that begin with it.
    ...(prefix === "" ? [] : [[key, `like.${prefix}*`] as const]),
    ["order", key],
    ["limit", String(limit)]
  ]
  return call({ method: "GET", url: `${profile.restUrl}/${resource}?${RowQuery.toText(query)}` }).pipe(
    Effect.flatMap(({ text }) => Schema.decodeUnknown(Rows)(text)),
    Effect.map((rows) =>
      beginningWith(
        prefix,
        rows.map((row) => String(row[key]))
      )
    )
  )
}

/** The keys of a resource that begin with a word. */
export const keys = (
  resource: Resource.Any,
  profile: Option.Option<string>,
  prefix: string
): Effect.Effect<ReadonlyArray<string>> =>
  Connection.use(profile, (connection) =>
    Effect.gen(function* () {
      const { apiKey, restUrl } = connection.profile
      const source = hash("sha256", JSON.stringify([restUrl, Redacted.value(apiKey), resource.resource]))
      const now = yield* Clock.currentTimeMillis
      const known = yield* quietly(() => remembered(source, prefix, now))
      if (known !== undefined) return known
      const found = yield* request(connection, resource, prefix)
      yield* quietly(() => remember(source, prefix, found, now))
      return found
    })
  ).pipe(
    Effect.timeout(patience),
    Effect.catchAllCause(() => Effect.succeed([]))
  )
