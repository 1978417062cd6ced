/**
 * Sends a message to a receiver with one POST and returns the outcome. Redirects are not followed.
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
  /** The resource of the event. */
  readonly table: string
}

/** The result of an attempt. */
type Result =
  | {
      readonly _tag: "Answered"
      readonly status: number
      readonly headers: { readonly [name: string]: string }
      /** The beginning of the response body, as much as the log keeps. */
      readonly body: string
    }
  /** The address is never a receiver's: nothing was sent. */
  | { readonly _tag: "Refused"; readonly reason: string }
  /** The setting `--private-networks` excludes the address: nothing was sent. */
  | { readonly _tag: "Blocked"; readonly reason: string }
  | { readonly _tag: "TimedOut"; readonly afterMillis: number }
  | { readonly _tag: "Unreachable"; readonly reason: string }

/** The outcome of an attempt, with the headers of its request if they are not those of the message. */
export type Outcome = Result & { readonly requestHeaders?: Message["headers"] }

/** Sends a message. A failure is an outcome too. */
export interface Sender {
  (message: Message): Effect.Effect<Outcome>
}

export interface Options extends AddressGuard.Permission {
  /** The timeout in real time, also when the world has a virtual clock. */
  readonly timeoutMillis?: number | undefined
}

/** The length of a response body that is logged. */
const loggedBytes = 4096
/** The length of a response body after which the connection is closed instead of reused. */
const readBytes = 64 * 1024

const limitMillis = 15_000

const flat = (headers: http.IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

const failed = (error: NodeJS.ErrnoException): Outcome =>
  error instanceof AddressGuard.AddressRefused
    ? { _tag: error.isBlocked ? "Blocked" : "Refused", reason: error.message }
    : { _tag: "Unreachable", reason: error.code === undefined ? error.message : `${error.code}: ${error.message}` }

const refused = (reason: string) => Effect.succeed<Outcome>({ _tag: "Refused", reason })

/** A sender over the network, which reuses connections until the scope ends. */
export const make = ({
  timeoutMillis = limitMillis,
  ...permission
}: Options): Effect.Effect<Sender, never, Scope.Scope> =>
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
          // A receiver may close an idle connection at any time.
          const isStale = sent.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE")
          resume(isStale && !isFresh ? attempt(url, protocol, message, true) : Effect.succeed(failed(error)))
        })
        sent.on("response", (response) => {
          const chunks: Array<Buffer> = []
          let length = 0
          // Only the status matters: a body that is cut off or endless does not change the outcome.
          const finish = () => {
            const logged = Buffer.concat(chunks).subarray(0, loggedBytes).toString("utf8")
            resume(
              Effect.succeed({
                _tag: "Answered",
                status: response.statusCode ?? 0,
                headers: flat(response.headers),
                // PostgreSQL does not store the character U+0000.
                body: logged.replaceAll("\0", "\ufffd")
              })
            )
          }
          response.on("data", (chunk: Buffer) => {
            if (length < loggedBytes) chunks.push(chunk)
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
          return refused("the address is not an http or https URL")
        }
        if (url.username !== "" || url.password !== "") return refused("the address must not contain credentials")
        const refusal = AddressGuard.ofHost(url.hostname, permission)
        return refusal === undefined
          ? attempt(url, protocol, message)
          : Effect.succeed(failed(new AddressGuard.AddressRefused(refusal)))
      })
  })

/** A sender to a function in this process, for tests. */
export const toHandler =
  (handle: (request: Request) => Promise<Response>): Sender =>
  ({ body, headers, url }) =>
    Effect.tryPromise(async (signal) => {
      const response = await handle(new Request(url, { method: "POST", headers, body, signal }))
      const text = (await response.text()).slice(0, loggedBytes)
      return {
        _tag: "Answered" as const,
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: text
      }
    }).pipe(Effect.catchAll((error) => Effect.succeed<Outcome>({ _tag: "Unreachable", reason: error.message })))
