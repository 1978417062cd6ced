/**
 * Connects a command to a service: its rows through the client, and any request as it is.
 */
import * as Options from "@effect/cli/Options"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type { HttpMethod } from "@effect/platform/HttpMethod"
import { Unreachable } from "@mfgdata/client/ClientError"
import * as Rows from "@mfgdata/client/Rows"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { KeyNotSent, KeysUnreadable, UsageError, ProfileMissing, ProfileUnusable } from "../CliError.ts"
import * as Profile from "./Profile.ts"
import type { CertificatesUnusable } from "@mfgdata/shell/network/Certificates"
import * as Network from "@mfgdata/shell/network/Network"
import * as Wire from "./Wire.ts"

/** The flag of every command that sends requests. */
export const profile: Options.Options<Option.Option<string>> = Options.text("profile").pipe(
  Options.withPseudoName("name"),
  Options.withDescription("Profile of the service (default: the current profile)."),
  Options.optional
)

/** A request. */
interface Call {
  readonly method: HttpMethod
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** The key (default: that of the profile). */
  readonly key?: Redacted.Redacted | undefined
}

/** A response. */
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

/** The retries of a connection: few for a person who waits, many for a long transfer. */
export type RetryMode = "brief" | "long"

const retries = { brief: { times: 1, longest: "5 seconds" }, long: { times: 8 } } as const

const unreachable = (url: string, reason: Unreachable["reason"], cause: unknown): Unreachable =>
  new Unreachable({ subject: url, origin: new URL(url).origin, reason, written: false, cause })

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
    const response = client.execute(request).pipe(
      Effect.flatMap((response) =>
        Effect.map(response.text, (text): Reply => ({ status: response.status, headers: response.headers, text }))
      ),
      // The platform's errors hold the request, and with it the key.
      Effect.mapError((error) =>
        unreachable(url, error._tag === "ResponseError" ? "Interruption" : "Connection", error.cause)
      )
    )
    return Effect.locally(response, HttpClient.currentTracerDisabledWhen, () => true)
  }

/** Connects with a profile. */
export const to = <A, E>(
  { name, profile }: Profile.NamedProfile,
  work: (connection: Connection) => Effect.Effect<A, E>,
  retryMode: RetryMode = "brief"
): Effect.Effect<A, E | CertificatesUnusable> =>
  Effect.gen(function* () {
    const client = yield* Effect.flatMap(HttpClient.HttpClient, Wire.shown)
    const rows = yield* Rows.make({
      restUrl: profile.restUrl,
      apiKey: profile.apiKey,
      retry: retries[retryMode]
    }).pipe(Effect.provideService(HttpClient.HttpClient, client))
    return yield* work({ name, profile, rows, call: caller(client, profile) })
  }).pipe(Effect.provide(Network.layer([profile.restUrl, profile.baseUrl])))

/** Connects with the profile of `--profile`, of the environment, or with the current one. */
export const use = <A, E>(
  flag: Option.Option<string>,
  work: (connection: Connection) => Effect.Effect<A, E>,
  retryMode: RetryMode = "brief"
): Effect.Effect<
  A,
  E | CertificatesUnusable | KeyNotSent | KeysUnreadable | ProfileMissing | ProfileUnusable | UsageError
> => Effect.flatMap(Profile.choose(flag), (profile) => to(profile, work, retryMode))
