/**
 * Serves the console: its page at every path, its files, the exchange of a one-time token for keys, and an address that
 * accepts deliveries of webhooks for people without a receiver.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as PreparedDocument from "../../rows/response/PreparedDocument.ts"
import type * as Exchange from "../../Exchange.ts"
import * as ErrorResponse from "../ErrorResponse.ts"
import * as ConsoleAssets from "./ConsoleAssets.ts"
import type { SignIn } from "./SignIn.ts"

const signInPath = `${ConsoleAssets.mount}/sign-in`

/** Accepts every POST. The log of the delivery has what was sent. */
const catchPath = `${ConsoleAssets.mount}/catch`

const caught: Exchange.Response = { status: 204, headers: {}, body: "" }

const json = (status: number, body: unknown): Exchange.Response => ({
  status,
  headers: { "Content-Type": "application/json", "Cache-Control": "no-store" },
  body: JSON.stringify(body)
})

const notBuilt: Exchange.Response = {
  status: 503,
  headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  body: "The console is not built: run npm run build.\n"
}

const refused = json(403, {
  code: "FORBIDDEN",
  message: "This sign-in address is not valid: each works once, for ten minutes, on the machine of the service."
})

/** The header with the token. The body of a request without a key is not read, and pages of other sites cannot send it. */
const tokenHeader = "mfg-sign-in"

/** The handler of the paths at and below the mount. */
export const make = (signIn: SignIn): Exchange.Handler => {
  const exchange = (request: Exchange.Request): Exchange.Response => {
    const keys = request.exposure === undefined ? signIn.redeem(request.headers[tokenHeader] ?? "") : undefined
    return keys === undefined ? refused : json(200, keys)
  }

  return (request) => {
    const { method, target } = request
    const [path = ""] = target.split("?", 1)
    const error = (tag: "PathUnknown" | "MethodUnsupported", allowed: ReadonlyArray<string> = []) =>
      Exit.succeed(
        ErrorResponse.toResponse(
          target,
          tag === "PathUnknown" ? { _tag: tag } : { _tag: tag, method, allowed: [...allowed] }
        )
      )
    if (path === signInPath && method !== "GET" && method !== "HEAD") {
      return method === "POST" ? Exit.succeed(exchange(request)) : error("MethodUnsupported", ["GET", "HEAD", "POST"])
    }
    if (path === catchPath && method === "POST") return Exit.succeed(caught)
    if (method !== "GET" && method !== "HEAD") return error("MethodUnsupported", ["GET", "HEAD"])
    if (path.startsWith(ConsoleAssets.assetMount)) {
      return Effect.flatMap(
        Effect.promise(() => ConsoleAssets.readAsset(path.slice(ConsoleAssets.assetMount.length))),
        (asset) => (asset === undefined ? error("PathUnknown") : Exit.succeed(PreparedDocument.respond(asset, request)))
      )
    }
    return Effect.map(Effect.promise(ConsoleAssets.readPage), (page) =>
      page === undefined ? notBuilt : PreparedDocument.respond(page, request)
    )
  }
}
