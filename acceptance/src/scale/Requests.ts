/**
 * Sends requests to the rows of running services.
 */
import * as PostgresServer from "@mfgdata/testing-postgres"
import * as Effect from "effect/Effect"
import * as Program from "../Program.ts"

const apiKey = "mfg_scale_torture_key"

/** A server and its standbys, until the scope ends. */
export const cluster = (standbys: number) =>
  Effect.acquireRelease(
    Effect.promise(() => PostgresServer.cluster(standbys)),
    ({ stop }) => Effect.promise(stop)
  )

/** The address of a store on some servers. */
export const addressOf = (urls: ReadonlyArray<string>): string =>
  `postgres://postgres@${urls.map((url) => new URL(url).host).join()}/postgres`

/** Starts a service on a port (default: a free one). */
export const start = (bin: string, flags: ReadonlyArray<string>, port = 0) =>
  Program.start([bin, "serve", "--port", String(port), "--seed", "empty", "--traffic", "0", ...flags], /Try:/, {
    env: { MFG_MOCK_API_KEY: apiKey, MFG_MOCK_LOG: "off" }
  })

/** Starts a service, and returns its origin. */
export const serve = (bin: string, flags: ReadonlyArray<string>) =>
  Effect.map(start(bin, flags), ({ said }) => /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? "")

export interface Response {
  /** 0 without a response. */
  readonly status: number
  /** The cause without a response. */
  readonly body: string
  readonly position: string | null
}

/** Sends a request for holidays; a lost connection is a response with the status 0. */
export const send = async (
  origin: string,
  method: string,
  query: string,
  headers: Readonly<Record<string, string>> = {},
  body?: unknown
): Promise<Response> => {
  try {
    const response = await fetch(`${origin}/rest/holiday${query}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000)
    })
    return { status: response.status, body: await response.text(), position: response.headers.get("mfg-position") }
  } catch (error) {
    // The error of fetch has the cause of a lost connection.
    const cause = error instanceof Error ? (error.cause ?? error) : error
    return { status: 0, body: String(cause), position: null }
  }
}

export const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))
