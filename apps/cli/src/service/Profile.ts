/**
 * Saves profiles in the file that the programs of the workspace load them from, and their keys in that file or in the
 * keychain of the operating system.
 */
import * as Keychain from "@mfgdata/shell/profile/Keychain"
import * as Profiles from "@mfgdata/shell/profile/Profile"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { chmodSync, mkdirSync, renameSync, writeFileSync } from "node:fs"
import { randomUUID } from "node:crypto"
import { dirname } from "node:path"
import { FileFailed, UsageError } from "../CliError.ts"

export {
  address,
  choose,
  hasAdminKey,
  load,
  type NamedProfile,
  open,
  path,
  Profile,
  type Saved
} from "@mfgdata/shell/profile/Profile"

const encode = Schema.encodeSync(Schema.parseJson(Profiles.Profiles, { space: 2 }))

/** Writes all profiles, readable by their owner alone. */
export const save = (profiles: Profiles.Profiles): Effect.Effect<void, FileFailed> =>
  Effect.try({
    try: () => {
      const file = Profiles.path()
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      const draft = `${file}.${process.pid}`
      writeFileSync(draft, `${encode(profiles)}\n`, { mode: 0o600 })
      // A file that exists keeps its mode, and the umask changes that of a new one.
      chmodSync(draft, 0o600)
      renameSync(draft, file)
    },
    catch: (cause) =>
      new FileFailed({
        path: Profiles.path(),
        verb: "written",
        reason: cause instanceof Error ? cause.message : String(cause)
      })
  })

/** The places of keys. `auto` is the keychain where it can be used, else the file. */
export const keyStores = ["auto", "keychain", "file"] as const
export type KeyStore = (typeof keyStores)[number]

const encodeKeys = Schema.encodeSync(Schema.parseJson(Profiles.Keys))

/** Removes the keys of a profile from the keychain, where they are there. */
export const forget = (saved: Profiles.Saved | undefined): Effect.Effect<void> =>
  saved !== undefined && "keychain" in saved
    ? Effect.ignore(Keychain.of(process.platform)?.remove(saved.keychain.id) ?? Effect.void)
    : Effect.void

/** A saved profile, with the name of the place of its keys and the reason why the keychain was not used. */
export interface Kept {
  readonly saved: Profiles.Saved
  readonly place: string
  readonly problem: string | undefined
}

/** Puts the keys of a profile into their place; `before` is the saved profile that it replaces. */
export const keep = (
  name: string,
  profile: Profiles.Profile,
  before: Profiles.Saved | undefined,
  store: KeyStore
): Effect.Effect<Kept, UsageError> =>
  Effect.gen(function* () {
    const { adminKey, apiKey, ...service } = profile
    const inFile = (problem: string | undefined) =>
      Effect.as(forget(before), { saved: profile, place: `in ${Profiles.path()}`, problem })
    if (store === "file") return yield* inFile(undefined)
    const keychain = Keychain.of(process.platform)
    const refused = (problem: string) =>
      store === "keychain"
        ? Effect.fail(new UsageError({ problem, expected: "Use --key-store file." }))
        : inFile(problem)
    if (keychain === undefined) return yield* refused("No program reads the keychain of this operating system.")
    const id = before !== undefined && "keychain" in before ? before.keychain.id : randomUUID()
    const keys = encodeKeys({ apiKey, ...(adminKey === undefined ? {} : { adminKey }) })
    const written = yield* Effect.either(keychain.write(id, `mfg ${name} (${profile.restUrl})`, keys))
    if (written._tag === "Left") return yield* refused(written.left.message)
    const saved = { ...service, keychain: { id, hasAdminKey: adminKey !== undefined } }
    return { saved, place: `in the keychain (${keychain.program})`, problem: undefined }
  })
