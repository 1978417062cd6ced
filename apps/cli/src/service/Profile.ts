/**
 * Loads and saves profiles: the addresses and keys of services, in a file that its owner alone can read. Variables of
 * the environment take precedence.
 */
import * as ServiceAddress from "@mfgdata/client/ServiceAddress"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import * as Environment from "../Environment.ts"
import { FileFailed, KeyNotSent, UsageError, ProfileMissing, ProfileUnusable } from "../CliError.ts"

const optional = { exact: true } as const

/** The addresses and keys of a service. */
export const Profile = Schema.Struct({
  restUrl: Schema.String,
  baseUrl: Schema.String,
  apiKey: Schema.Redacted(Schema.String),
  adminKey: Schema.optionalWith(Schema.Redacted(Schema.String), optional),
  companyId: Schema.optionalWith(Schema.String, optional)
})
export type Profile = typeof Profile.Type

const Profiles = Schema.Struct({
  current: Schema.String,
  profiles: Schema.Record({ key: Schema.String, value: Profile })
})
/** All profiles, and the name of the current one. */
export type Profiles = typeof Profiles.Type

const none: Profiles = { current: "default", profiles: {} }

/** The path of the file: `$XDG_CONFIG_HOME/mfg/profiles.json`, or below `~/.config`. */
export const path = (): string => {
  const home = Environment.read("XDG_CONFIG_HOME")
  const windows = process.platform === "win32" ? process.env["APPDATA"] : undefined
  return join(home ?? windows ?? join(homedir(), ".config"), "mfg", "profiles.json")
}

const isExposed = (file: string): boolean => process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0

const decode = Schema.decodeUnknownEither(Schema.parseJson(Profiles))
const encode = Schema.encodeSync(Schema.parseJson(Profiles, { space: 2 }))

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** All profiles; none without a file. */
export const load: Effect.Effect<Profiles, ProfileUnusable> = Effect.suspend(() => {
  const file = path()
  const unusable = (reason: string, remedy: string) => new ProfileUnusable({ path: file, reason, remedy })
  try {
    if (!existsSync(file)) return Effect.succeed(none)
    if (isExposed(file)) {
      const mode = (statSync(file).mode & 0o777).toString(8)
      return unusable(`other users can read the keys in it (mode ${mode})`, `Run: chmod 600 ${file}`)
    }
    return Either.mapLeft(decode(readFileSync(file, "utf8")), () =>
      unusable("it does not contain profiles", `Move it away, and run: mfg login`)
    )
  } catch (cause) {
    return unusable(reasonOf(cause), "Check its owner.")
  }
})

/** Writes all profiles, readable by their owner alone. */
export const save = (profiles: Profiles): Effect.Effect<void, FileFailed> =>
  Effect.try({
    try: () => {
      const file = path()
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      const draft = `${file}.${process.pid}`
      writeFileSync(draft, `${encode(profiles)}\n`, { mode: 0o600 })
      // A file that exists keeps its mode, and the umask changes that of a new one.
      chmodSync(draft, 0o600)
      renameSync(draft, file)
    },
    catch: (cause) => new FileFailed({ path: path(), verb: "written", reason: reasonOf(cause) })
  })

/** Parses an address, without the slash at its end. */
export const address = (flag: string, text: string): Either.Either<string, UsageError> => {
  const malformed = new UsageError({
    problem: `Invalid address ${JSON.stringify(text)} for ${flag}: expected http:// or https://, without credentials, query and fragment.`,
    example: ServiceAddress.defaultOrigin
  })
  if (!URL.canParse(text)) return Either.left(malformed)
  const url = new URL(text)
  return /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === ""
    ? Either.right(url.href.replace(/\/+$/, ""))
    : Either.left(malformed)
}

const secret = (text: string | undefined): Redacted.Redacted | undefined =>
  text === undefined ? undefined : Redacted.make(text)

/** A profile with its name, or `environment`. */
export interface NamedProfile {
  readonly name: string
  readonly profile: Profile
}

const usable = (key: Redacted.Redacted): Either.Either<Redacted.Redacted, UsageError> =>
  /^[\u0021-\u007E]+$/.test(Redacted.value(key))
    ? Either.right(key)
    : Either.left(new UsageError({ problem: "Invalid API key: expected printable ASCII characters without spaces." }))

/** The origins of a profile: the only ones that get its keys. */
const originsOf = ({ baseUrl, restUrl }: Pick<Profile, "baseUrl" | "restUrl">): ReadonlyArray<string> =>
  [restUrl, baseUrl].map((url) => new URL(url).origin)

/**
 * Chooses the profile of a command. A profile named by `--profile` or `MFG_PROFILE` is used as it is. Otherwise
 * `MFG_REST_URL`, `MFG_BASE_URL`, `MFG_API_KEY` and `MFG_ADMIN_KEY` take precedence over the current profile, whose keys
 * are sent to its own origin alone.
 */
export const choose = (
  flag: Option.Option<string>
): Effect.Effect<NamedProfile, KeyNotSent | ProfileMissing | ProfileUnusable | UsageError> =>
  Effect.gen(function* () {
    const name = Option.getOrUndefined(flag) ?? Environment.read("MFG_PROFILE")
    const environment = {
      restUrl: Environment.read("MFG_REST_URL"),
      baseUrl: Environment.read("MFG_BASE_URL"),
      apiKey: secret(Environment.read("MFG_API_KEY")),
      adminKey: secret(Environment.read("MFG_ADMIN_KEY"))
    }
    const isComplete =
      environment.restUrl !== undefined && environment.baseUrl !== undefined && environment.apiKey !== undefined
    // A broken file matters only when it is used.
    const { current, profiles } = name === undefined && isComplete ? none : yield* load
    const saved = profiles[name ?? current]
    if (name !== undefined) {
      if (saved === undefined) return yield* new ProfileMissing({ name, known: Object.keys(profiles) })
      return { name, profile: saved }
    }
    const restUrl = environment.restUrl ?? saved?.restUrl
    const baseUrl = environment.baseUrl ?? saved?.baseUrl
    const apiKey = environment.apiKey ?? saved?.apiKey
    if (restUrl === undefined || baseUrl === undefined || apiKey === undefined) {
      return yield* new ProfileMissing({ name: undefined, known: Object.keys(profiles) })
    }
    const urls = {
      restUrl: yield* address("MFG_REST_URL", restUrl),
      baseUrl: yield* address("MFG_BASE_URL", baseUrl)
    }
    const foreign = saved && originsOf(urls).find((origin) => !originsOf(saved).includes(origin))
    if (environment.apiKey === undefined && foreign !== undefined) {
      return yield* new KeyNotSent({ profile: current, origin: foreign })
    }
    const adminKey = environment.adminKey ?? (foreign === undefined ? saved?.adminKey : undefined)
    // The saved company belongs to the saved key.
    const companyId = environment.apiKey === undefined ? saved?.companyId : undefined
    const profile: Profile = {
      ...urls,
      apiKey: yield* usable(apiKey),
      ...(adminKey === undefined ? {} : { adminKey }),
      ...(companyId === undefined ? {} : { companyId })
    }
    return { name: isComplete ? "environment" : current, profile }
  })
