/**
 * One attempt to hand an event to a receiver: a POST, and whatever came of it. Redirects are not followed.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as http from "node:http"
import * as https from "node:https"
import * as AddressGuard from "./AddressGuard.ts"

export interface Message {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** What came of an attempt. */
export type Outcome =
  | {
      readonly _tag: "Answered"
      readonly status: number
      readonly headers: { readonly [name: string]: string }
      /** As much of it as the log keeps. */
      readonly body: string
    }
  /** The address is none that may be sent to: nothing was sent. */
  | { readonly _tag: "Refused"; readonly reason: string }
  /** The setting keeps deliveries from the address: nothing was sent. */
  | { readonly _tag: "Blocked"; readonly reason: string }
  | { readonly _tag: "TimedOut"; readonly afterMillis: number }
  | { readonly _tag: "Unreachable"; readonly reason: string }

/** Hands over a message; what goes wrong is an outcome too. */
export interface Post {
  (message: Message): Effect.Effect<Outcome>
}

export interface Options extends AddressGuard.Permission {
  /** Real time, whatever clock the world goes by: a network has no other. */
  readonly timeoutMillis?: number | undefined
}

/** How much of an answer is kept, and after how much the connection is not worth keeping. */
const keptBytes = 4096
const readBytes = 64 * 1024

const limitMillis = 15_000

const flat = (headers: http.IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

const failed = (error: NodeJS.ErrnoException): Outcome =>
  error instanceof AddressGuard.AddressRefused
    ? { _tag: error.isBlocked ? "Blocked" : "Refused", reason: error.message }
    : { _tag: "Unreachable", reason: error.code === undefined ? error.message : `${error.code}: ${error.message}` }

const refused = (reason: string) => Effect.succeed<Outcome>({ _tag: "Refused", reason })

/** Posts over the network, keeping connections until the scope ends. */
export const make = ({
  timeoutMillis = limitMillis,
  ...permission
}: Options): Effect.Effect<Post, never, Scope.Scope> =>
  Effect.gen(function* () {
    const lookup = AddressGuard.lookup(permission)
    const options = { keepAlive: true, lookup }
    const agents = { "http:": new http.Agent(options), "https:": new https.Agent(options) }
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const agent of Object.values(agents)) agent.destroy()
      })
    )

    const attempt = (
      url: URL,
      protocol: keyof typeof agents,
      message: Message,
      isFresh = false
    ): Effect.Effect<Outcome> =>
      Effect.async((resume) => {
        const { body, headers } = message
        const { request } = protocol === "https:" ? https : http
        const sent = request(url, {
          method: "POST",
          agent: isFresh ? false : agents[protocol],
          lookup,
          headers: { ...headers, "content-length": String(Buffer.byteLength(body)) }
        })
        const timer = setTimeout(() => {
          resume(Effect.succeed({ _tag: "TimedOut", afterMillis: timeoutMillis }))
          sent.destroy()
        }, timeoutMillis)
        sent.on("close", () => clearTimeout(timer))
        sent.on("error", (error: NodeJS.ErrnoException) => {
          // The receiver closed a connection that was kept, as it may at any time.
          const isStale = sent.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE")
          resume(isStale && !isFresh ? attempt(url, protocol, message, true) : Effect.succeed(failed(error)))
        })
        sent.on("response", (response) => {
          const chunks: Array<Buffer> = []
          let length = 0
          // The status is what counts; a body that breaks off or has no end changes nothing of it.
          const finish = () => {
            const kept = Buffer.concat(chunks).subarray(0, keptBytes).toString("utf8")
            resume(
              Effect.succeed({
                _tag: "Answered",
                status: response.statusCode ?? 0,
                headers: flat(response.headers),
                // A store takes no such character, and half of one may stand at the end.
                body: kept.replaceAll("\0", "\ufffd")
              })
            )
          }
          response.on("data", (chunk: Buffer) => {
            if (length < keptBytes) chunks.push(chunk)
            length += chunk.length
            if (length < readBytes) return
            finish()
            sent.destroy()
          })
          response.on("end", finish)
          response.on("error", finish)
          response.on("close", finish)
        })
        sent.end(body)
        return Effect.sync(() => sent.destroy())
      })

    return (message) =>
      Effect.suspend(() => {
        const url = URL.canParse(message.url) ? new URL(message.url) : undefined
        const protocol = url?.protocol
        if (url === undefined || (protocol !== "http:" && protocol !== "https:")) {
          return refused("it is no http or https address")
        }
        if (url.username !== "" || url.password !== "") return refused("an address carries no credentials")
        const refusal = AddressGuard.ofHost(url.hostname, permission)
        return refusal === undefined
          ? attempt(url, protocol, message)
          : Effect.succeed(failed(new AddressGuard.AddressRefused(refusal)))
      })
  })

/** Posts to a function of this process, as a test has one. */
export const toHandler =
  (handle: (request: Request) => Promise<Response>): Post =>
  ({ body, headers, url }) =>
    Effect.tryPromise(async (signal) => {
      const response = await handle(new Request(url, { method: "POST", headers, body, signal }))
      const text = (await response.text()).slice(0, keptBytes)
      return {
        _tag: "Answered" as const,
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: text
      }
    }).pipe(Effect.catchAll((error) => Effect.succeed<Outcome>({ _tag: "Unreachable", reason: error.message })))
