/**
 * Serves the service on a socket: adapts `node:http` to `Exchange`. A response that is ready immediately, or that a
 * callback provides, needs no fiber. A client that disconnects interrupts the fiber of its request.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import * as http from "node:http"
import type { AddressInfo } from "node:net"
import type { Duplex } from "node:stream"
import type * as Exchange from "../Exchange.ts"
import type { RowError } from "../rows/RowError.ts"
import { type Admission, tooLarge } from "../service/Admission.ts"
import * as ServiceLimits from "../service/Limits.ts"
import type * as Service from "../service/Service.ts"
import * as SyncEffect from "../world/SyncEffect.ts"
import * as BodyBudget from "./BodyBudget.ts"
import * as BodyBuffers from "./BodyBuffers.ts"
import * as ParserError from "./ParserError.ts"
import * as RequestBody from "./RequestBody.ts"
import * as RequestDecoding from "./RequestDecoding.ts"
import * as RequestHost from "./RequestHost.ts"
import * as RequestBatch from "./RequestBatch.ts"
import * as ResponseWriter from "./ResponseWriter.ts"

/** The timeouts of connections, and the maximum sizes of requests. */
export interface Limits {
  readonly headerBytes: number
  readonly targetBytes: number
  readonly bodyBytes: number
  readonly headersMillis: number
  /** The time to receive a whole request, including its body. */
  readonly requestMillis: number
  /** The time without traffic after which a connection is closed during a request, such as when its client does not read. */
  readonly socketMillis: number
  /** The time for which an idle connection stays open for the next request. */
  readonly keepAliveMillis: number
  /** The time for which a shutdown waits for requests in progress. */
  readonly drainMillis: number
  /** The memory for large bodies; a company takes at most half of it. It is at least twice the size of one body. */
  readonly bodyMemoryBytes: number
  /** The time for which a large body waits for memory. */
  readonly bodyWaitMillis: number
  /** The time in which a client can read the response to a request that is not read; then the connection closes. */
  readonly lingerMillis: number
}

export const limits: Omit<Limits, "bodyBytes" | "bodyMemoryBytes"> = {
  ...ServiceLimits.http,
  socketMillis: 120_000,
  // Longer than the minute of most proxies, so that a proxy never sends a request on a connection that just closed.
  keepAliveMillis: 65_000,
  drainMillis: 10_000,
  bodyWaitMillis: 2000,
  lingerMillis: 1000
}

/** The server cannot listen on its address. */
export class ListenFailed extends Data.TaggedError("ListenFailed")<{
  readonly host: string
  readonly port: number
  readonly cause: NodeJS.ErrnoException
}> {
  override get message() {
    const { cause, host, port } = this
    return cause.code === "EADDRINUSE"
      ? `Port ${port} of ${host} is in use. Stop the other process, or select another port with --port.`
      : `Cannot listen on port ${port} of ${host}: ${cause.message}.`
  }
}

export interface Options extends Limits {
  /** Host names of the service besides those of this machine. */
  readonly allowedHosts?: ReadonlyArray<string>
  /** Compresses the responses for clients that accept it (default true). */
  readonly compresses?: boolean
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
}

export interface NodeServer {
  readonly host: string
  readonly port: number
  /** Closes each connection after its next response, and accepts new ones as before. */
  readonly drain: Effect.Effect<void>
}

/** Listens until the scope closes, then completes the requests in progress and refuses new ones. */
export const listen = (
  service: Service.RequestHandler,
  { allowedHosts = [], compresses = true, host, port, ...limits }: Options
): Effect.Effect<NodeServer, ListenFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const fork = Runtime.runFork(yield* Effect.runtime())
    const lastOf = new WeakMap<Duplex, http.ServerResponse>()
    const batch = RequestBatch.make()
    const checkHost = RequestHost.make({ allowedHosts, host })
    const memoryBytes = Math.max(limits.bodyMemoryBytes, 2 * limits.bodyBytes)
    const bodyTooLarge: RowError = { _tag: "BodyTooLarge", limit: limits.bodyBytes }
    const budget = BodyBudget.make(memoryBytes)
    const buffers = BodyBuffers.make({ size: limits.bodyBytes, most: Math.floor(memoryBytes / limits.bodyBytes) })
    let state: "serving" | "draining" | "stopping" = "serving"
    const { close, write } = ResponseWriter.make({ ...limits, compresses, isClosing: () => state !== "serving" })

    /** Calls `finish` with the exit of an effect. If it needs a fiber, a client that disconnects interrupts it. */
    const complete = <A>(
      effect: Effect.Effect<A>,
      response: http.ServerResponse,
      finish: (exit: Exit.Exit<A>) => void
    ) => {
      SyncEffect.observe(effect, finish, (effect) => {
        const fiber = fork(effect)
        fiber.addObserver(finish)
        const interrupt = () => fiber.unsafeInterruptAsFork(FiberId.none)
        if (response.destroyed) interrupt()
        else response.on("close", interrupt)
      })
    }

    /** Responds to a request; nothing uses its body after `release`. */
    const respond = (request: Exchange.Request, response: http.ServerResponse, release?: () => void) =>
      complete(service.handle(request), response, (exit) => {
        release?.()
        // A response fails only by interruption, after the client has disconnected.
        if (Exit.isSuccess(exit)) batch.write(() => write(request, response, exit.value))
      })

    const accept = (incoming: http.IncomingMessage, response: http.ServerResponse, isAsked = false) => {
      const { method = "GET" } = incoming
      const checked = checkHost(incoming)
      const { exposure, target } = Either.getOrElse(checked, () => ({
        target: incoming.url ?? "/",
        exposure: undefined
      }))
      // Node represents only set-cookie as a list, and requests do not contain it.
      const headers = incoming.headers as Exchange.Headers
      const request: Exchange.Request = {
        method,
        target,
        headers,
        body: "",
        exposure,
        peer: incoming.socket.remoteAddress
      }
      const refuse = (error: RowError) => {
        incoming.resume()
        write(request, response, service.refuse(request, error))
      }
      const { bodyBytes, bodyWaitMillis: waitMillis } = limits

      /** The encoding of the body, which is identity in most requests. */
      const encoding = RequestDecoding.encodingOf(headers["content-encoding"])

      const readBody = (companyId: string, limit: number, tooLarge: RowError) =>
        RequestBody.read(
          incoming,
          {
            limit,
            waitMillis,
            buffers,
            decoder: encoding === undefined ? undefined : RequestDecoding.make(encoding),
            reserve: (bytes, start) => {
              const release = budget.reserve(companyId, bytes, start)
              response.once("close", release)
              return release
            }
          },
          (outcome) => {
            switch (outcome._tag) {
              case "Complete":
                return batch.handle(() => respond({ ...request, body: outcome.body }, response, outcome.release))
              case "TooLarge":
                return refuse(tooLarge)
              case "Undecodable":
                return refuse({ _tag: "BodyUndecodable", encoding: encoding ?? "" })
              case "NoRoom": {
                const error = { _tag: "BodyMemoryFull", bytes: memoryBytes, millis: waitMillis } as const
                return close(incoming, response, service.refuse(request, error))
              }
            }
          }
        )

      const admit = (exit: Exit.Exit<Admission>) => {
        if (Exit.isFailure(exit) || response.destroyed) return
        const admission = exit.value
        if (admission._tag === "Refused") return close(incoming, response, admission.response)
        const most = admission._tag === "Admitted" ? (admission.most ?? Infinity) : Infinity
        const [limit, error] = most < bodyBytes ? [most, tooLarge] : [bodyBytes, bodyTooLarge]
        if (RequestBody.isTooLarge(incoming, limit)) {
          if (isAsked) response.shouldKeepAlive = false
          return refuse(error)
        }
        if (isAsked) response.writeContinue()
        if (admission._tag === "Admitted") return readBody(admission.companyId, limit, error)
        incoming.resume()
        return batch.handle(() => respond(request, response))
      }

      lastOf.set(incoming.socket, response)
      if (state === "stopping") return refuse({ _tag: "Stopping" })
      if (Either.isLeft(checked)) return refuse(checked.left)
      if (target.length > limits.targetBytes) return refuse({ _tag: "TargetTooLong", limit: limits.targetBytes })
      if (!RequestBody.isExpected(incoming)) return batch.handle(() => respond(request, response))
      if (RequestBody.isTooLarge(incoming, bodyBytes)) return refuse(bodyTooLarge)
      if (encoding !== undefined && !RequestDecoding.isSupported(encoding))
        return refuse({ _tag: "EncodingUnsupported", encoding, supported: RequestDecoding.supported })
      complete(service.admit(request), response, admit)
    }

    const server = http.createServer(
      {
        maxHeaderSize: limits.headerBytes,
        headersTimeout: limits.headersMillis,
        requestTimeout: limits.requestMillis,
        connectionsCheckingInterval: Math.min(1000, limits.headersMillis),
        keepAliveTimeout: limits.keepAliveMillis,
        // Node's own error response would have no body.
        requireHostHeader: false,
        joinDuplicateHeaders: true
      },
      (incoming, response) => accept(incoming, response)
    )

    server.timeout = limits.socketMillis

    // With `Expect: 100-continue`, a client learns that its request is refused before it sends the body.
    server.on("checkContinue", (incoming, response) => {
      if (RequestBody.isTooLarge(incoming, limits.bodyBytes)) response.shouldKeepAlive = false
      accept(incoming, response, true)
    })

    server.on("clientError", (error: ParserError.ParserError, socket) => {
      const last = lastOf.get(socket)
      const isAnswering = last !== undefined && last.headersSent && !last.writableFinished
      if (!socket.writable || isAnswering) return socket.destroy()
      const request = { method: "GET", target: "", headers: {}, body: "" }
      socket.end(ResponseWriter.rawResponse(service.refuse(request, ParserError.toRowError(error, limits))))
      setTimeout(() => socket.destroy(), limits.lingerMillis).unref()
    })

    yield* Effect.acquireRelease(
      Effect.async<void, ListenFailed>((resume) => {
        server.once("error", (cause) => resume(Effect.fail(new ListenFailed({ host, port, cause }))))
        server.listen(port, host, () => resume(Effect.void))
      }),
      () =>
        Effect.async<void>((resume) => {
          state = "stopping"
          const timer = setTimeout(() => server.closeAllConnections(), limits.drainMillis)
          // A connection with a response in progress becomes idle later.
          const idle = setInterval(() => server.closeIdleConnections(), 50)
          server.close(() => {
            clearTimeout(timer)
            clearInterval(idle)
            resume(Effect.void)
          })
        })
    )
    // The address of a TCP server is an object.
    const { port: actualPort } = server.address() as AddressInfo
    return { host, port: actualPort, drain: Effect.sync(() => void (state = "draining")) }
  })
