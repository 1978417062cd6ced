/**
 * `mfg api <method> <path>`: any call, with the profile's address and key.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import type { HttpMethod } from "@effect/platform/HttpMethod"
import * as Suggestion from "@mfgdata/domain/Suggestion"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { CallRefused, UsageError } from "../CliError.ts"
import * as Connection from "../Connection.ts"
import * as Input from "../Input.ts"
import * as Program from "../Program.ts"
import * as Screen from "../Screen.ts"

const methods: ReadonlyArray<HttpMethod> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

const methodOf = (text: string): Effect.Effect<HttpMethod, UsageError> => {
  const method = methods.find((known) => known === text.toUpperCase())
  return method === undefined
    ? Effect.fail(
        new UsageError({
          problem: `${text} is no method.`,
          nearest: Suggestion.find(text, methods),
          example: "mfg api GET '/holiday?limit=1'"
        })
      )
    : Effect.succeed(method)
}

/** Operations have their namespace in front; what begins with `/_`, health and documents stand at the origin. */
const addressOf = (path: string, { profile }: Connection.Connection): string => {
  const [first = ""] = path.replace(/^\//, "").split(/[/?]/, 1)
  const below = `/${path.replace(/^\//, "")}`
  if (first === "account") return profile.baseUrl + below
  if (/^(?:_mock|health|metrics|docs|openapi\.json|rest|api)$/.test(first)) return new URL(below, profile.restUrl).href
  return profile.restUrl + below
}

const headerOf = (text: string): Effect.Effect<readonly [string, string], UsageError> => {
  const at = text.indexOf(":")
  return at > 0
    ? Effect.succeed([text.slice(0, at).trim().toLowerCase(), text.slice(at + 1).trim()])
    : Effect.fail(
        new UsageError({
          problem: `--header takes a name and a value, and ${JSON.stringify(text)} is none.`,
          example: "--header 'Prefer: count=exact'"
        })
      )
}

/** JSON is laid out for whoever looks at it. */
const shown = (text: string): string => {
  if (!Screen.isTerminal()) return text
  try {
    return `${JSON.stringify(JSON.parse(text), null, 2)}\n`
  } catch {
    return text.replace(/\n?$/, "\n")
  }
}

const command = Command.make(
  "api",
  {
    method: Args.text({ name: "method" }).pipe(Args.withDescription(`${methods.join(", ")}.`)),
    path: Args.text({ name: "path" }).pipe(
      Args.withDescription(
        "Below the row interface; /account/... below the operation interface; /_mock, /health at the origin."
      )
    ),
    body: Options.text("body").pipe(
      Options.withAlias("d"),
      Options.withDescription("What to send: text, @file, or - for standard input."),
      Options.optional
    ),
    headers: Options.text("header").pipe(
      Options.withAlias("H"),
      Options.withDescription("A header, such as 'Prefer: count=exact'; may be repeated."),
      Options.repeated
    ),
    include: Options.boolean("include").pipe(
      Options.withAlias("i"),
      Options.withDescription("Show status and headers on standard error.")
    ),
    admin: Options.boolean("admin").pipe(Options.withDescription("Call by the administrator's key.")),
    profile: Connection.profile
  },
  ({ admin, body, headers, include, method, path, profile }) =>
    Effect.gen(function* () {
      const verb = yield* methodOf(method)
      const given = yield* Effect.forEach(headers, headerOf)
      const sent = Option.isNone(body) ? undefined : yield* Input.argument(body.value)
      const reply = yield* Connection.use(profile, (connection) =>
        Effect.flatMap(admin ? Input.adminKey(connection, "--admin") : Effect.succeed(undefined), (key) =>
          connection.call({
            method: verb,
            url: addressOf(path, connection),
            headers: Object.fromEntries(given),
            body: sent,
            key
          })
        )
      )
      if (include) {
        yield* Screen.note(`HTTP ${reply.status}`)
        for (const [name, value] of Object.entries(reply.headers)) yield* Screen.note(`${name}: ${value}`)
      }
      yield* Screen.write(shown(reply.text))
      if (reply.status >= 400) return yield* new CallRefused({ method: verb, path, status: reply.status })
    })
).pipe(Command.withDescription("Make any call, and answer what comes back as it is."))

export const program: Program.Program = Program.make(command)
