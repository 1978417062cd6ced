/**
 * `mfg api <method> <path>`: sends any request, with the profile's address and key.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import type { HttpMethod } from "@effect/platform/HttpMethod"
import * as AdminApi from "@mfgdata/client/AdminApi"
import * as Suggestion from "@mfgdata/domain/Suggestion"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { AdminKeyMissing, CallRefused, UsageError } from "../CliError.ts"
import * as Connection from "../service/Connection.ts"
import * as OperationReply from "../service/OperationReply.ts"
import * as Input from "../Input.ts"
import * as Output from "@mfgdata/shell/output/Output"
import * as Program from "@mfgdata/shell/Program"
import * as Terminal from "@mfgdata/shell/Terminal"

const methods: ReadonlyArray<HttpMethod> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

const methodOf = (text: string): Effect.Effect<HttpMethod, UsageError> => {
  const method = methods.find((known) => known === text.toUpperCase())
  return method === undefined
    ? Effect.fail(
        new UsageError({
          problem: `Unknown method ${text}: expected one of ${methods.join(", ")}.`,
          nearest: Suggestion.find(text, methods),
          example: "mfg api GET '/holiday?limit=1'"
        })
      )
    : Effect.succeed(method)
}

/** The first segments of paths at the origin of a service. */
const atOrigin: ReadonlySet<string> = new Set([
  AdminApi.mount.slice(1),
  "health",
  "metrics",
  "docs",
  "openapi.json",
  "rest",
  "api"
])

/** The url of a path: of an operation, of a resource, or at the origin. */
const addressOf = (path: string, { profile }: Connection.Connection): string => {
  const [first = ""] = path.replace(/^\//, "").split(/[/?]/, 1)
  const below = `/${path.replace(/^\//, "")}`
  if (first === "account") return profile.baseUrl + below
  if (atOrigin.has(first)) return new URL(below, profile.restUrl).href
  return profile.restUrl + below
}

const headerOf = (text: string): Effect.Effect<readonly [string, string], UsageError> => {
  const at = text.indexOf(":")
  return at > 0
    ? Effect.succeed([text.slice(0, at).trim().toLowerCase(), text.slice(at + 1).trim()])
    : Effect.fail(
        new UsageError({
          problem: `Invalid header ${JSON.stringify(text)}: expected <name>: <value>.`,
          example: "--header 'Prefer: count=exact'"
        })
      )
}

/** The body as it is in a pipe. On a terminal JSON is indented, and the message about an error begins a line. */
const shown = ({ status, text }: Connection.Reply): string => {
  if (!Terminal.isTerminal()) return status >= 400 && text !== "" ? text.replace(/\n?$/, "\n") : text
  try {
    return `${JSON.stringify(JSON.parse(text), null, 2)}\n`
  } catch {
    return text === "" ? "" : text.replace(/\n?$/, "\n")
  }
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Writes the body of a response; that of an error as it is. */
const write = (reply: Connection.Reply, transform: Output.Transform): Effect.Effect<void, UsageError> => {
  const isAsked = Option.isSome(transform.jq) || Option.isSome(transform.template)
  if (!isAsked || reply.status >= 400) return Terminal.write(shown(reply))
  if (isJson(reply.text)) return Output.transformed(reply.text, transform) ?? Effect.void
  return Effect.fail(
    new UsageError({
      problem: "The response is not JSON, which --jq and --template need.",
      example: "mfg api GET '/holiday?limit=1' --jq '.[0].id'"
    })
  )
}

const command = Command.make(
  "api",
  {
    method: Args.text({ name: "method" }).pipe(Args.withDescription(`Method: ${methods.join(", ")}.`)),
    path: Args.text({ name: "path" }).pipe(
      Args.withDescription(
        `Path below the row interface, /account/... of the operation interface, or /health and ${AdminApi.mount}/... of the service.`
      )
    ),
    body: Options.text("body").pipe(
      Options.withAlias("d"),
      Options.withDescription("Body of the request: text, @file, or - for standard input."),
      Options.optional
    ),
    headers: Options.text("header").pipe(
      Options.withAlias("H"),
      Options.withDescription("Header, such as 'Prefer: count=exact'; may be repeated."),
      Options.repeated
    ),
    include: Options.boolean("include").pipe(
      Options.withAlias("i"),
      Options.withDescription("Status and headers on standard error.")
    ),
    admin: Options.boolean("admin").pipe(Options.withDescription("Administrator's key in place of the API key.")),
    transform: Output.transform,
    profile: Connection.profile
  },
  ({ admin, body, headers, include, method, path, profile, transform }) =>
    Effect.gen(function* () {
      const verb = yield* methodOf(method)
      const fields = yield* Effect.forEach(headers, headerOf)
      const text = Option.isNone(body) ? undefined : yield* Input.argument(body.value)
      const reply = yield* Connection.use(profile, (connection) =>
        Effect.gen(function* () {
          const { adminKey, apiKey } = connection.profile
          const key = admin ? adminKey : apiKey
          if (key === undefined) return yield* new AdminKeyMissing({ purpose: "mfg api --admin" })
          const url = addressOf(path, connection)
          return yield* connection.call({ method: verb, url, headers: Object.fromEntries(fields), body: text, key })
        })
      )
      if (include) {
        yield* Terminal.note(`HTTP ${reply.status}`)
        for (const [name, value] of Object.entries(reply.headers)) yield* Terminal.note(`${name}: ${value}`)
      }
      yield* write(reply, transform)
      if (reply.status >= 400) {
        const requestId = OperationReply.requestId(reply)
        return yield* new CallRefused({ method: verb, path, status: reply.status, requestId })
      }
    })
).pipe(
  Command.withDescription(
    "Send any request, and write the body of the response. For example: mfg api GET '/holiday?limit=1'"
  )
)

export const program: Program.Program = Program.make(command)
