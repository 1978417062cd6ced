/**
 * The service that a command talks to: its rows through the client, and any call as it is.
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Options from "@effect/cli/Options"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type { HttpMethod } from "@effect/platform/HttpMethod"
import { Unreachable } from "@mfgdata/client/ClientError"
import * as Rows from "@mfgdata/client/Rows"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { UsageError, ProfileMissing, ProfileUnusable } from "./CliError.ts"
import * as Profile from "./Profile.ts"

/** The option of every command that asks a service. */
export const profile: Options.Options<Option.Option<string>> = Options.text("profile").pipe(
  Options.withPseudoName("name"),
  Options.withDescription("Which profile to use; unless told, the current one."),
  Options.optional
)

/** A call as it is. */
interface Call {
  readonly method: HttpMethod
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** The key to call by; left out, the profile's. */
  readonly key?: Redacted.Redacted | undefined
}

/** An answer as it is. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
}

export interface Connection {
  readonly name: string
  readonly profile: Profile.Profile
  readonly rows: Rows.Service
  readonly call: (call: Call) => Effect.Effect<Reply, Unreachable>
}

/** How patiently calls are repeated: a person wants to know at once, and a long transfer wants to last. */
export type Patience = "brief" | "long"

const retries = { brief: { times: 1, longest: "5 seconds" }, long: { times: 8 } } as const

const unreachable = (url: string, reason: Unreachable["reason"], cause: unknown): Unreachable =>
  new Unreachable({ subject: url, origin: new URL(url).origin, reason, cause })

const caller =
  (client: HttpClient.HttpClient, profile: Profile.Profile): Connection["call"] =>
  ({ body, headers = {}, key = profile.apiKey, method, url }) => {
    const plain = HttpClientRequest.make(method)(url, {
      headers: { accept: "application/json", authorization: `Bearer ${Redacted.value(key)}`, ...headers }
    })
    const request =
      body === undefined
        ? plain
        : HttpClientRequest.bodyText(plain, body, headers["content-type"] ?? "application/json")
    const answered = client.execute(request).pipe(
      Effect.flatMap((response) =>
        Effect.map(response.text, (text): Reply => ({ status: response.status, headers: response.headers, text }))
      ),
      // The platform's errors hold the request, and with it the key.
      Effect.mapError((error) =>
        unreachable(url, error._tag === "ResponseError" ? "Interruption" : "Connection", error.cause)
      )
    )
    return Effect.locally(answered, HttpClient.currentTracerDisabledWhen, () => true)
  }

/** Connects by a profile that is at hand. */
export const to = <A, E>(
  { name, profile }: Profile.Chosen,
  work: (connection: Connection) => Effect.Effect<A, E>,
  patience: Patience = "brief"
): Effect.Effect<A, E> =>
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient
    const rows = yield* Rows.make({
      restUrl: profile.restUrl,
      apiKey: profile.apiKey,
      retry: retries[patience]
    })
    return yield* work({ name, profile, rows, call: caller(client, profile) })
  }).pipe(Effect.provide(NodeHttpClient.layer))

/** Connects by the profile that is asked for. */
export const use = <A, E>(
  named: Option.Option<string>,
  work: (connection: Connection) => Effect.Effect<A, E>,
  patience: Patience = "brief"
): Effect.Effect<A, E | ProfileMissing | ProfileUnusable | UsageError> =>
  Effect.flatMap(Profile.choose(named), (chosen) => to(chosen, work, patience))
