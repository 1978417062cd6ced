/**
 * `mfg login`: saves the address of a service and a key in a profile, after the service has accepted the key.
 */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as ServiceAddress from "@mfgdata/client/ServiceAddress"
import * as Json from "@mfgdata/domain/Json"
import { account } from "@mfgdata/domain/Operations"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { type FileFailed, UsageError } from "../CliError.ts"
import * as Environment from "../Environment.ts"
import * as Company from "../service/Company.ts"
import * as Connection from "../service/Connection.ts"
import * as AdminClient from "../service/AdminClient.ts"
import * as Input from "../Input.ts"
import * as Operations from "../service/Operations.ts"
import * as Profile from "../service/Profile.ts"
import * as Default from "@mfgdata/shell/Default"
import * as Program from "@mfgdata/shell/Program"
import * as Terminal from "@mfgdata/shell/Terminal"

const isRow = Schema.is(Json.JsonObject)

/** Reads a key from a file, the environment or the terminal; never from a flag, which other users can see. */
const secret = (
  variable: Environment.Variable,
  file: Option.Option<string>,
  question: string
): Effect.Effect<Redacted.Redacted, UsageError | FileFailed> =>
  Effect.gen(function* () {
    const fromEnvironment = Environment.read(variable) ?? ""
    const text = Option.isSome(file)
      ? (yield* Input.text(file.value)).trim()
      : fromEnvironment !== ""
        ? fromEnvironment
        : Terminal.canAsk()
          ? yield* Terminal.ask(`${question}: `, true)
          : ""
    if (text === "") {
      return yield* new UsageError({
        problem: `Missing ${question} of mfg login.`,
        expected: `Set ${variable}, use --key-file, or run the command on a terminal.`
      })
    }
    if (!/^[\u0021-\u007E]+$/.test(text)) {
      return yield* new UsageError({ problem: "Invalid key: expected printable ASCII characters without spaces." })
    }
    return Redacted.make(text)
  })

const addresses = (
  flags: { readonly [K in "url" | "restUrl" | "baseUrl"]: Option.Option<string> },
  saved: Profile.Saved | undefined
) =>
  Effect.gen(function* () {
    const read = (flag: string, text: Option.Option<string>) =>
      Option.isNone(text) ? Effect.succeed(undefined) : Profile.address(flag, text.value)
    const url = yield* read("--url", flags.url)
    const defaults = url === undefined ? saved : ServiceAddress.fromOrigin(url)
    const restUrl = (yield* read("--rest-url", flags.restUrl)) ?? defaults?.restUrl
    const baseUrl = (yield* read("--base-url", flags.baseUrl)) ?? defaults?.baseUrl
    if (restUrl === undefined || baseUrl === undefined) {
      return yield* new UsageError({
        problem: "Missing address of mfg login.",
        expected: "Use --url, or --rest-url and --base-url if the two interfaces have different origins.",
        example: `mfg login --url ${ServiceAddress.defaultOrigin}`
      })
    }
    return { restUrl, baseUrl }
  })

/** The place of the keys that the flag or the variable names. */
const storeOf = (flag: Option.Option<Profile.KeyStore>): Effect.Effect<Profile.KeyStore, UsageError> => {
  const variable = Environment.read("MFG_KEY_STORE") ?? "auto"
  const named = Option.getOrUndefined(flag) ?? Profile.keyStores.find((store) => store === variable)
  return named === undefined
    ? new UsageError({
        problem: `Invalid value ${JSON.stringify(variable)} of MFG_KEY_STORE: expected one of ${Profile.keyStores.join(", ")}.`
      })
    : Effect.succeed(named)
}

const withAddress = (name: string, description: string) =>
  Options.text(name).pipe(Options.withPseudoName("address"), Options.withDescription(description), Options.optional)

const command = Command.make(
  "login",
  {
    flags: {
      url: withAddress("url", "Origin of the service, with rows below /rest and operations below /api/v1."),
      restUrl: withAddress("rest-url", "Address of the row interface (default: below --url)."),
      baseUrl: withAddress("base-url", "Address of the operation interface (default: below --url).")
    },
    keyFile: Options.text("key-file").pipe(
      Options.withDescription("File with the key, or - for standard input (default: MFG_API_KEY, or a prompt)."),
      Options.optional
    ),
    admin: Options.boolean("admin").pipe(
      Options.withDescription("Administrator's key too: MFG_ADMIN_KEY, or a prompt.")
    ),
    profile: Options.text("profile").pipe(
      Options.withPseudoName("name"),
      Options.withDescription("Profile to create or change; it becomes the current profile."),
      Default.of("default")
    ),
    keyStore: Options.choice("key-store", Profile.keyStores).pipe(
      Options.withDescription(
        "Place of the keys: keychain of the operating system, file, or auto, which is the keychain where it can be used (default: MFG_KEY_STORE, else auto)."
      ),
      Options.optional
    )
  },
  ({ admin, flags, keyFile, keyStore, profile: name }) =>
    Effect.gen(function* () {
      const store = yield* storeOf(keyStore)
      const all = yield* Profile.load
      const before = all.profiles[name]
      const { baseUrl, restUrl } = yield* addresses(flags, before)
      const isSame = before !== undefined && before.restUrl === restUrl && before.baseUrl === baseUrl
      // A keychain that cannot be read must not prevent a new login.
      const saved = isSame ? Option.getOrUndefined(yield* Effect.option(Profile.open(name, before))) : undefined
      const apiKey =
        admin && saved !== undefined && Option.isNone(keyFile)
          ? saved.apiKey
          : yield* secret("MFG_API_KEY", keyFile, "API key")
      const adminKey = admin ? yield* secret("MFG_ADMIN_KEY", Option.none(), "Administrator's key") : saved?.adminKey
      const draft: Profile.Profile = { restUrl, baseUrl, apiKey, ...(adminKey === undefined ? {} : { adminKey }) }
      yield* Connection.to({ name, profile: draft }, (connection) =>
        Effect.gen(function* () {
          const user = yield* Operations.call(connection, account.getCurrentUser, {})
          if (admin) yield* AdminClient.make(connection, "mfg login").listKeys({})
          const companyId = yield* Company.find(connection)
          const profile = companyId === undefined ? draft : { ...draft, companyId }
          const kept = yield* Profile.keep(name, profile, before, store)
          yield* Profile.save({ current: name, profiles: { ...all.profiles, [name]: kept.saved } })
          const who = isRow(user) ? (user["fullName"] ?? user["email"]) : "an unknown user"
          const where = companyId === undefined ? "" : `, company ${companyId}`
          yield* Terminal.note(
            `Logged in to ${restUrl} as ${who}${where}. Saved the profile ${name} in ${Profile.path()}, its keys ${kept.place}.`
          )
          if (kept.problem !== undefined) yield* Terminal.note(Terminal.styledError("dim", kept.problem))
        })
      )
    })
).pipe(
  Command.withDescription(
    "Save the address of a service and a key in a profile, after the service has accepted the key."
  )
)

export const program: Program.Program = Program.make(command)
