/**
 * A server on this machine that deliveries arrive at: each is verified, told, and handed on as it came.
 */
import * as WebhookSignature from "@mfgdata/client/WebhookSignature"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import { createServer, type IncomingMessage, request as requestHttp, type Server } from "node:http"
import { request as requestHttps } from "node:https"
import type { AddressInfo } from "node:net"
import { FileFailed } from "../CliError.ts"
import * as Input from "../Input.ts"
import type { Temporary } from "./Temporary.ts"

/** What came of a delivery. */
export interface Received {
  readonly hook: Temporary
  readonly body: string
  readonly verdict: "verified" | "unverified" | "forged"
  /** Why it was not believed. */
  readonly reason: string | undefined
  /** What the address it was handed on to answered, if it was. */
  readonly status: number | undefined
  readonly failure: string | undefined
  readonly millis: number
}

interface Forwarded {
  readonly status: number
  readonly body: Buffer
  readonly failure: string | undefined
}

const whole = async (message: IncomingMessage): Promise<Buffer> => {
  const pieces: Array<Buffer> = []
  // Nothing gave it an encoding, so it gives bytes.
  for await (const piece of message) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

/** Headers that are about the connection, and not about what it carries. */
const ofConnection: ReadonlySet<string> = new Set([
  "host",
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length"
])

const patience = 15_000

/** Sends a delivery on, with the headers it came with. */
const forward = (to: string, message: IncomingMessage, body: Buffer): Promise<Forwarded> =>
  new Promise((resolve) => {
    const failed = (error: Error) => resolve({ status: 502, body: Buffer.from(error.message), failure: error.message })
    const headers = Object.fromEntries(Object.entries(message.headers).filter(([name]) => !ofConnection.has(name)))
    const open = to.startsWith("https:") ? requestHttps : requestHttp
    const sent = open(
      to,
      { method: "POST", headers: { ...headers, "content-length": body.length }, timeout: patience },
      (answer) =>
        void whole(answer).then(
          (body) => resolve({ status: answer.statusCode ?? 502, body, failure: undefined }),
          (error: Error) => failed(error)
        )
    )
    sent.on("timeout", () => sent.destroy(new Error(`no answer within ${patience / 1000} s`)))
    sent.on("error", failed)
    sent.end(body)
  })

const headersOf = ({ headers }: IncomingMessage) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(",") : value])
  )

const verify = async (hook: Temporary, message: IncomingMessage, body: Buffer) => {
  if (hook.secret === undefined) return { verdict: "unverified", reason: undefined } as const
  const verified = await Effect.runPromise(
    Effect.either(WebhookSignature.verify({ headers: headersOf(message), body }, { secrets: [hook.secret] }))
  )
  return Either.isRight(verified)
    ? ({ verdict: "verified", reason: undefined } as const)
    : ({ verdict: "forged", reason: verified.left.message } as const)
}

export interface Options {
  readonly host: string
  readonly port: number
  readonly to: string | undefined
  readonly tell: (received: Received) => Promise<void>
}

/** Where it listens, and what becomes known to it later: whose deliveries to expect. */
export interface Receiver {
  readonly address: string
  readonly expect: (hooks: ReadonlyArray<Temporary>) => void
}

const listening = (server: Server, { host, port }: Options): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    // A server that listens on a port has an address of this form.
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })

/** Listens until the scope closes. */
export const make = (options: Options): Effect.Effect<Receiver, FileFailed, Scope.Scope> => {
  const hooks = new Map<string, Temporary>()
  let begin = () => {}
  // What arrives while the webhooks are being made waits until they are known.
  const known = new Promise<void>((resolve) => (begin = resolve))
  const server = createServer((message, response) => {
    const receive = async () => {
      const started = performance.now()
      const body = await whole(message)
      await known
      const hook = hooks.get(message.url ?? "")
      if (hook === undefined || message.method !== "POST") return void response.writeHead(404).end()
      const { reason, verdict } = await verify(hook, message, body)
      const isGood = verdict !== "forged"
      const answer = isGood && options.to !== undefined ? await forward(options.to, message, body) : undefined
      const millis = Math.round(performance.now() - started)
      const facts = { hook, body: body.toString("utf8"), verdict, reason, millis }
      await options.tell({ ...facts, status: answer?.status, failure: answer?.failure })
      response.writeHead(isGood ? (answer?.status ?? 204) : 401).end(answer?.body)
    }
    receive().catch(() => response.writeHead(500).end())
  })
  const where = `${options.host}:${options.port}`
  return Effect.acquireRelease(
    Effect.tryPromise({
      try: () => listening(server, options),
      catch: (cause) => new FileFailed({ path: where, verb: "read", reason: Input.reasonOf(cause) })
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
        for (const hook of expected) hooks.set(hook.path, hook)
        begin()
      }
    }))
  )
}
