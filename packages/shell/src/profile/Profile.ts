/**
 * Loads profiles: the addresses and keys of services, in a file that its owner alone can read. The keys may be in the
 * keychain of the operating system instead. Variables of the environment take precedence.
 */
import * as ServiceAddress from "@mfgdata/client/ServiceAddress"
import { UsageError } from "@mfgdata/domain/UsageError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { existsSync, readFileSync, statSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Keychain from "./Keychain.ts"
import { KeyNotSent, KeysUnreadable, ProfileMissing, ProfileUnusable } from "./ProfileError.ts"
import * as Variable from "../Variable.ts"

const optional = { exact: true } as const

const keys = {
  apiKey: Schema.Redacted(Schema.String),
  adminKey: Schema.optionalWith(Schema.Redacted(Schema.String), optional)
}

const service = {
  restUrl: Schema.String,
  baseUrl: Schema.String,
  companyId: Schema.optionalWith(Schema.String, optional)
}

/** The addresses and keys of a service. */
export const Profile = Schema.Struct({ ...service, ...keys })
export type Profile = typeof Profile.Type

/** The keys of a profile, as the keychain has them. */
export const Keys = Schema.Struct(keys)

/** A profile whose keys are in the keychain. */
const InKeychain = Schema.Struct({
  ...service,
  keychain: Schema.Struct({
    /** The account of the item. */
    id: Schema.String,
    hasAdminKey: Schema.Boolean
  })
})

const Saved = Schema.Union(InKeychain, Profile)
export type Saved = typeof Saved.Type

export const Profiles = Schema.Struct({
  current: Schema.String,
  profiles: Schema.Record({ key: Schema.String, value: Saved })
})
/** All profiles, and the name of the current one. */
export type Profiles = typeof Profiles.Type

const none: Profiles = { current: "default", profiles: {} }

/** The path of the file: `$XDG_CONFIG_HOME/mfg/profiles.json`, or below `~/.config`. */
export const path = (): string => {
  const home = Variable.read("XDG_CONFIG_HOME")
  const windows = process.platform === "win32" ? process.env["APPDATA"] : undefined
  return join(home ?? windows ?? join(homedir(), ".config"), "mfg", "profiles.json")
}

const isExposed = (file: string): boolean => process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0

const decode = Schema.decodeUnknownEither(Schema.parseJson(Profiles))

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

const decodeKeys = Schema.decodeUnknownOption(Schema.parseJson(Keys))

/** The profile with its keys. */
export const open = (name: string, saved: Saved): Effect.Effect<Profile, KeysUnreadable> => {
  if (!("keychain" in saved)) return Effect.succeed(saved)
  const { keychain: item, ...rest } = saved
  const keychain = Keychain.of(process.platform)
  const failed = (reason: string) => new KeysUnreadable({ profile: name, reason })
  if (keychain === undefined) return failed("this machine has none")
  return keychain.read(item.id).pipe(
    Effect.mapError(({ program, reason }) => failed(`${program}: ${reason}`)),
    Effect.flatMap((text) =>
      Effect.mapError(decodeKeys(text), () => failed(`${keychain.program}: the item ${item.id} has no keys`))
    ),
    Effect.map((keys) => ({ ...rest, ...keys }))
  )
}

/** True for a profile with an administrator's key. */
export const hasAdminKey = (saved: Saved): boolean =>
  "keychain" in saved ? saved.keychain.hasAdminKey : saved.adminKey !== undefined

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

/** The keys of a profile that the environment lacks. A command with an API key of its own may do without the others. */
const keysOf = (
  name: string,
  saved: Saved,
  environment: { readonly apiKey: unknown; readonly adminKey: unknown }
): Effect.Effect<Partial<Pick<Profile, "apiKey" | "adminKey">>, KeysUnreadable> => {
  if (environment.apiKey === undefined) return open(name, saved)
  const isUseful = environment.adminKey === undefined && hasAdminKey(saved)
  return isUseful ? Effect.orElseSucceed(open(name, saved), () => ({})) : Effect.succeed({})
}

/**
 * Chooses the profile of a command. A profile named by `--profile` or `MFG_PROFILE` is used as it is. Otherwise
 * `MFG_REST_URL`, `MFG_BASE_URL`, `MFG_API_KEY` and `MFG_ADMIN_KEY` take precedence over the current profile, whose keys
 * are sent to its own origin alone.
 */
export const choose = (
  flag: Option.Option<string>
): Effect.Effect<NamedProfile, KeyNotSent | KeysUnreadable | ProfileMissing | ProfileUnusable | UsageError> =>
  Effect.gen(function* () {
    const name = Option.getOrUndefined(flag) ?? Variable.read("MFG_PROFILE")
    const environment = {
      restUrl: Variable.read("MFG_REST_URL"),
      baseUrl: Variable.read("MFG_BASE_URL"),
      apiKey: secret(Variable.read("MFG_API_KEY")),
      adminKey: secret(Variable.read("MFG_ADMIN_KEY"))
    }
    const isComplete =
      environment.restUrl !== undefined && environment.baseUrl !== undefined && environment.apiKey !== undefined
    // A broken file matters only when it is used.
    const { current, profiles } = name === undefined && isComplete ? none : yield* load
    const saved = profiles[name ?? current]
    if (name !== undefined) {
      if (saved === undefined) return yield* new ProfileMissing({ name, known: Object.keys(profiles) })
      return { name, profile: yield* open(name, saved) }
    }
    const restUrl = environment.restUrl ?? saved?.restUrl
    const baseUrl = environment.baseUrl ?? saved?.baseUrl
    if (restUrl === undefined || baseUrl === undefined || (environment.apiKey ?? saved) === undefined) {
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
    const kept = saved === undefined ? undefined : yield* keysOf(current, saved, environment)
    const apiKey = environment.apiKey ?? kept?.apiKey
    if (apiKey === undefined) return yield* new ProfileMissing({ name: undefined, known: Object.keys(profiles) })
    const adminKey = environment.adminKey ?? (foreign === undefined ? kept?.adminKey : undefined)
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
