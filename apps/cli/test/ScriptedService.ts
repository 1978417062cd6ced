/**
 * A service with scripted replies, which the environment of this process names.
 */
import * as LocalServer from "@mfgdata/testing-server"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { createServer, type RequestListener } from "node:http"

export interface Reply {
  readonly status: number
  /** A text is a page, anything else is JSON. */
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export const ok = (body: unknown, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status: 200,
  body,
  headers
})

/** A reply that never comes. */
export const never: Reply = { status: 0, body: null }

export interface ScriptedService {
  readonly origin: string
  /** The requests, such as `GET /rest/holiday?limit=1`. */
  readonly requests: ReadonlyArray<string>
}

/** Starts a service, and names it in the environment. Returns its origin. */
export const start = (respond: RequestListener): Effect.Effect<string, never, Scope.Scope> =>
  Effect.map(LocalServer.listen(createServer(respond)), (port) => {
    const origin = `http://127.0.0.1:${port}`
    Object.assign(process.env, {
      MFG_REST_URL: `${origin}/rest`,
      MFG_BASE_URL: `${origin}/api/v1`,
      MFG_API_KEY: "key"
    })
    return origin
  })

/** Starts a service that gives some replies in their order, and the last of them again. */
export const serving = (replies: ReadonlyArray<Reply>): Effect.Effect<ScriptedService, never, Scope.Scope> =>
  Effect.suspend(() => {
    const requests: Array<string> = []
    const origin = start((request, response) => {
      const { body, headers, status } = replies[Math.min(requests.length, replies.length - 1)] ?? ok([])
      requests.push(`${request.method} ${request.url}`)
      request.resume()
      if (status === 0) return
      const isPage = typeof body === "string"
      response
        .writeHead(status, {
          "content-type": isPage ? "text/html" : "application/json",
          "x-request-id": "req-7",
          ...headers
        })
        .end(isPage ? body : JSON.stringify(body))
    })
    return Effect.map(origin, (origin) => ({ origin, requests }))
  })
