/**
 * `mfg login`: keeps the address of a service and a key, once the service has accepted the key.
 */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Json from "@mfgdata/domain/Json"
import { account } from "@mfgdata/domain/Operations"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { type FileFailed, UsageError } from "../CliError.ts"
import * as Company from "../Company.ts"
import * as Connection from "../Connection.ts"
import * as Control from "../Control.ts"
import * as Input from "../Input.ts"
import * as Operations from "../Operations.ts"
import * as Profile from "../Profile.ts"
import * as Program from "../Program.ts"
import * as Screen from "../Screen.ts"

const isRow = Schema.is(Json.JsonObject)

/** A key from a file, the environment, or whoever sits there; never from a flag, which others on the machine see. */
const secret = (
  variable: string,
  file: Option.Option<string>,
  question: string
): Effect.Effect<Redacted.Redacted, UsageError | FileFailed> =>
  Effect.gen(function* () {
    const set = process.env[variable] ?? ""
    const text = Option.isSome(file)
      ? (yield* Input.text(file.value)).trim()
      : set !== ""
        ? set
        : Screen.canAsk()
          ? yield* Screen.ask(`${question}: `, true)
          : ""
    if (text === "") {
      return yield* new UsageError({
        problem: `mfg login needs the ${question.toLowerCase()}.`,
        expected: `Set ${variable}, give --key-file, or run it on a terminal to be asked.`
      })
    }
    if (!/^[\u0021-\u007E]+$/.test(text)) {
      return yield* new UsageError({ problem: "The key holds a blank or a character that no header can carry." })
    }
    return Redacted.make(text)
  })

const addresses = (
  given: { readonly [K in "url" | "restUrl" | "baseUrl"]: Option.Option<string> },
  kept: Profile.Profile | undefined
) =>
  Effect.gen(function* () {
    const read = (flag: string, text: Option.Option<string>) =>
      Option.isNone(text) ? Effect.succeed(undefined) : Profile.address(flag, text.value)
    const url = yield* read("--url", given.url)
    const whole = url === undefined ? kept : Profile.addressesOf(url)
    const restUrl = (yield* read("--rest-url", given.restUrl)) ?? whole?.restUrl
    const baseUrl = (yield* read("--base-url", given.baseUrl)) ?? whole?.baseUrl
    if (restUrl === undefined || baseUrl === undefined) {
      return yield* new UsageError({
        problem: "mfg login needs the address of the service.",
        expected: "Give --url, or --rest-url and --base-url where the two interfaces stand apart.",
        example: "mfg login --url http://127.0.0.1:4010"
      })
    }
    return { restUrl, baseUrl }
  })

const withAddress = (name: string, description: string) =>
  Options.text(name).pipe(Options.withPseudoName("address"), Options.withDescription(description), Options.optional)

const command = Command.make(
  "login",
  {
    given: {
      url: withAddress("url", "Where the service is: rows below /rest, operations below /api/v1."),
      restUrl: withAddress("rest-url", "Where rows are, if elsewhere."),
      baseUrl: withAddress("base-url", "Where operations are, if elsewhere.")
    },
    keyFile: Options.text("key-file").pipe(
      Options.withDescription("A file with the key, or - for standard input; else MFG_API_KEY, else you are asked."),
      Options.optional
    ),
    admin: Options.boolean("admin").pipe(
      Options.withDescription("Keep the administrator's key too: MFG_ADMIN_KEY, else you are asked.")
    ),
    profile: Options.text("profile").pipe(
      Options.withPseudoName("name"),
      Options.withDescription("The profile to make or change; default when left out. It becomes the current one."),
      Options.withDefault("default")
    )
  },
  ({ admin, given, keyFile, profile: name }) =>
    Effect.gen(function* () {
      const kept = yield* Profile.load
      const before = kept.profiles[name]
      const { baseUrl, restUrl } = yield* addresses(given, before)
      const isSame = before !== undefined && before.restUrl === restUrl && before.baseUrl === baseUrl
      const apiKey =
        admin && isSame && Option.isNone(keyFile) ? before.apiKey : yield* secret("MFG_API_KEY", keyFile, "API key")
      const adminKey = admin
        ? yield* secret("MFG_ADMIN_KEY", Option.none(), "Administrator's key")
        : isSame
          ? before.adminKey
          : undefined
      const draft: Profile.Profile = { restUrl, baseUrl, apiKey, ...(adminKey === undefined ? {} : { adminKey }) }
      yield* Connection.to({ name, profile: draft }, (connection) =>
        Effect.gen(function* () {
          const user = yield* Operations.call(connection, account.getCurrentUser, {})
          if (admin) yield* Control.order(connection, { purpose: "mfg login", method: "GET", path: "/keys" })
          const companyId = yield* Company.find(connection)
          const profile = companyId === undefined ? draft : { ...draft, companyId }
          yield* Profile.save({ current: name, profiles: { ...kept.profiles, [name]: profile } })
          const who = isRow(user) ? (user["fullName"] ?? user["email"]) : "somebody"
          const where = companyId === undefined ? "" : `, company ${companyId}`
          yield* Screen.note(`Logged in to ${restUrl} as ${who}${where}. Profile ${name} is kept in ${Profile.path()}.`)
        })
      )
    })
).pipe(
  Command.withDescription("Keep the address of a service and a key in a profile, once the service accepts the key.")
)

export const program: Program.Program = Program.make(command)
