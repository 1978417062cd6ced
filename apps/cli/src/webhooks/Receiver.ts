/**
 * Receives deliveries on this machine: verifies each, reports it, and forwards it unchanged.
 */
import * as WebhookSignature from "@mfgdata/client/WebhookSignature"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import { createServer, type IncomingMessage, request as requestHttp, type Server } from "node:http"
import { request as requestHttps } from "node:https"
import type { AddressInfo } from "node:net"
import { FileFailed } from "../CliError.ts"
import * as FileAccess from "../FileAccess.ts"
import type { TemporaryWebhook } from "./TemporaryWebhook.ts"

/** A received delivery. */
export interface Delivery {
  readonly webhook: TemporaryWebhook
  readonly body: string
  readonly verdict: "verified" | "unverified" | "forged"
  /** The reason of a failed verification. */
  readonly reason: string | undefined
  /** The status of the forwarded request, if it was forwarded. */
  readonly status: number | undefined
  readonly failure: string | undefined
  readonly millis: number
}

interface ForwardResponse {
  readonly status: number
  readonly body: Buffer
  readonly failure: string | undefined
}

const readBody = async (message: IncomingMessage): Promise<Buffer> => {
  const pieces: Array<Buffer> = []
  // A message without an encoding emits bytes.
  for await (const piece of message) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

/** Headers of the connection rather than of the message. */
const connectionHeaders: ReadonlySet<string> = new Set([
  "host",
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length"
])

/** The timeout of a forwarded request, in milliseconds. */
const timeout = 15_000

/** Forwards a delivery with its headers. */
const forward = (to: string, message: IncomingMessage, body: Buffer): Promise<ForwardResponse> =>
  new Promise((resolve) => {
    const failed = (error: Error) => resolve({ status: 502, body: Buffer.from(error.message), failure: error.message })
    const headers = Object.fromEntries(Object.entries(message.headers).filter(([name]) => !connectionHeaders.has(name)))
    const open = to.startsWith("https:") ? requestHttps : requestHttp
    const sent = open(
      to,
      { method: "POST", headers: { ...headers, "content-length": body.length }, timeout },
      (response) =>
        void readBody(response).then(
          (body) => resolve({ status: response.statusCode ?? 502, body, failure: undefined }),
          (error: Error) => failed(error)
        )
    )
    sent.on("timeout", () => sent.destroy(new Error(`no response within ${timeout / 1000} s`)))
    sent.on("error", failed)
    sent.end(body)
  })

const headersOf = ({ headers }: IncomingMessage) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(",") : value])
  )

const verify = async (webhook: TemporaryWebhook, message: IncomingMessage, body: Buffer) => {
  if (webhook.secret === undefined) return { verdict: "unverified", reason: undefined } as const
  const verified = await Effect.runPromise(
    Effect.either(WebhookSignature.verify({ headers: headersOf(message), body }, { secrets: [webhook.secret] }))
  )
  return Either.isRight(verified)
    ? ({ verdict: "verified", reason: undefined } as const)
    : ({ verdict: "forged", reason: verified.left.message } as const)
}

export interface Options {
  readonly host: string
  readonly port: number
  readonly forwardTo: string | undefined
  readonly onDelivery: (delivery: Delivery) => Promise<void>
}

/** A receiver; `expect` sets the webhooks, which are created after it listens. */
export interface Receiver {
  readonly address: string
  readonly expect: (webhooks: ReadonlyArray<TemporaryWebhook>) => void
}

const listening = (server: Server, { host, port }: Options): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    // The address of a server on a port is an object.
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })

/** Starts a receiver, which listens until the scope closes. */
export const make = (options: Options): Effect.Effect<Receiver, FileFailed, Scope.Scope> => {
  const webhooks = new Map<string, TemporaryWebhook>()
  let start = () => {}
  // A delivery that arrives before the webhooks are set waits for them.
  const started = new Promise<void>((resolve) => (start = resolve))
  const server = createServer((message, response) => {
    const receive = async () => {
      const startedAt = performance.now()
      const body = await readBody(message)
      await started
      const webhook = webhooks.get(message.url ?? "")
      if (webhook === undefined || message.method !== "POST") return void response.writeHead(404).end()
      const { reason, verdict } = await verify(webhook, message, body)
      const isGenuine = verdict !== "forged"
      const forwarded =
        isGenuine && options.forwardTo !== undefined ? await forward(options.forwardTo, message, body) : undefined
      const millis = Math.round(performance.now() - startedAt)
      const facts = { webhook, body: body.toString("utf8"), verdict, reason, millis }
      await options.onDelivery({ ...facts, status: forwarded?.status, failure: forwarded?.failure })
      response.writeHead(isGenuine ? (forwarded?.status ?? 204) : 401).end(forwarded?.body)
    }
    receive().catch(() => response.writeHead(500).end())
  })
  const address = `${options.host}:${options.port}`
  return Effect.acquireRelease(
    Effect.tryPromise({
      try: () => listening(server, options),
      catch: (cause) => new FileFailed({ path: address, verb: "read", reason: FileAccess.reasonOf(cause) })
    }),
    () =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  ).pipe(
    Effect.map((port) => ({
      address: `http://${options.host.includes(":") ? `[${options.host}]` : options.host}:${port}`,
      expect: (expected) => {
        for (const webhook of expected) webhooks.set(webhook.path, webhook)
        start()
      }
    }))
  )
}
