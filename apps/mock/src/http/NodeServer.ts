/**
 * Serves the service on a socket: adapts `node:http` to `Exchange`. A response that is ready immediately, or that a
 * callback provides, needs no fiber. A client that disconnects interrupts the fiber of its request.
 * One file, because every request on a socket passes through all of it.
 */
import * as Cause from "effect/Cause"
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
import { type Admission, type RequestHandler, tooLarge } from "../service/Admission.ts"
import * as ServiceLimits from "../service/Limits.ts"
import * as Settings from "../Settings.ts"
import * as SyncEffect from "../world/SyncEffect.ts"
import * as BodyBudget from "./BodyBudget.ts"
import * as BodyBuffers from "./BodyBuffers.ts"
import * as ConnectionCompany from "./ConnectionCompany.ts"
import type * as ParserError from "./ParserError.ts"
import * as Pipelining from "./Pipelining.ts"
import * as RequestBody from "./RequestBody.ts"
import * as RequestDecoding from "./RequestDecoding.ts"
import * as RequestHost from "./RequestHost.ts"
import * as RequestBatch from "./RequestBatch.ts"
import * as ResponseWriter from "./ResponseWriter.ts"
import * as UnreadableConnection from "./UnreadableConnection.ts"
import * as UnreadResponses from "./UnreadResponses.ts"

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
  /** The maximum number of connections. A further one is closed, because a response would cost more than the connection. */
  readonly connections: number
  /** The maximum number of requests that wait on a connection for the response to one before. */
  readonly pipelined: number
  /** The time for which an idle connection stays open for the next request. */
  readonly keepAliveMillis: number
  /** The time for which a stop waits for requests in progress. */
  readonly stopMillis: number
  /** The memory for large bodies; a company takes at most half of it. It is at least twice the size of one body. */
  readonly bodyMemoryBytes: number
  /** The memory for responses that clients have not read. It is at least twice the size of one response with rows. */
  readonly answerMemoryBytes: number
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
  stopMillis: 7500,
  connections: Settings.defaults.maxConnections,
  answerMemoryBytes: Settings.defaults.answerMemory,
  bodyWaitMillis: 2000,
  lingerMillis: 1000
}

/** The server cannot listen on its address. */
export class ListenFailed extends Data.TaggedError("ListenFailed")<{
  readonly host: string
  readonly port: number
  readonly flag: string
  readonly cause: NodeJS.ErrnoException
}> {
  override get message() {
    const { cause, flag, host, port } = this
    return cause.code === "EADDRINUSE"
      ? `Port ${port} of ${host} is in use. Stop the other process, or select another port with ${flag}.`
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
  /** The flag of the port (default --port). */
  readonly portFlag?: string
}

export interface NodeServer {
  readonly host: string
  readonly port: number
  /** Closes each connection after its next response, and accepts new ones as before. */
  readonly drain: Effect.Effect<void>
}

/** The headers of a request. Node represents only set-cookie as a list, and requests do not contain it. */
const headersOf = ({ headers }: http.IncomingMessage) => headers as Exchange.Headers

/** Listens until the scope closes, then completes the requests in progress and refuses new ones. */
export const listen = (
  service: RequestHandler,
  { allowedHosts = [], compresses = true, host, port, portFlag: flag = "--port", ...limits }: Options
): Effect.Effect<NodeServer, ListenFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const fork = Runtime.runFork(yield* Effect.runtime())
    const lastOf = new WeakMap<Duplex, http.ServerResponse>()
    const batch = RequestBatch.make()
    const companies = ConnectionCompany.make((headers) => service.companyOf?.(headers))
    const companyOf = (incoming: http.IncomingMessage) => companies.find(incoming.socket, headersOf(incoming))
    const pipelining = Pipelining.make(limits.pipelined)
    const unreadable = UnreadableConnection.make(service, limits)
    const checkHost = RequestHost.make({ allowedHosts, host })
    const memoryBytes = Math.max(limits.bodyMemoryBytes, 2 * limits.bodyBytes)
    const bodyTooLarge: RowError = { _tag: "BodyTooLarge", limit: limits.bodyBytes }
    const budget = BodyBudget.make(memoryBytes)
    const smallBudget = BodyBudget.make(Math.max(ServiceLimits.pieces.memoryBytes, 2 * limits.bodyBytes))
    const buffers = BodyBuffers.make({ size: limits.bodyBytes, most: Math.floor(memoryBytes / limits.bodyBytes) })
    const unread = UnreadResponses.make(limits.answerMemoryBytes)
    let state: "serving" | "draining" | "stopping" = "serving"
    const { close, endStreams, release, write } = ResponseWriter.make({
      ...limits,
      compresses,
      isClosing: () => state !== "serving"
    })

    /** Calls `finish` with the exit of an effect. If it needs a fiber, a client that disconnects interrupts it. */
    const complete = <A>(
      effect: Effect.Effect<A>,
      response: http.ServerResponse,
      finish: (exit: Exit.Exit<A>) => void
    ) => {
      SyncEffect.observe(effect, finish, (effect) => {
        const fiber = fork(effect)
        const interrupt = () => fiber.unsafeInterruptAsFork(FiberId.none)
        fiber.addObserver((exit) => {
          // A fiber refers to its exit, which would keep the body in memory until the client has read it.
          response.off("close", interrupt)
          finish(exit)
        })
        if (response.destroyed) interrupt()
        else response.on("close", interrupt)
      })
    }

    /** Writes a response. One that Node refuses, for the characters of a header, ends its connection and no other one. */
    const send: typeof write = (request, response, answer) => {
      try {
        write(request, response, answer)
      } catch (cause) {
        response.destroy()
        fork(Effect.logError("A response cannot be sent", Cause.die(cause)))
      }
    }

    /** Responds to a request; nothing uses its body after `release`. */
    const respond = (request: Exchange.Request, response: http.ServerResponse, release?: () => void) =>
      complete(service.handle(request), response, (exit) => {
        release?.()
        // A response fails only by interruption, after the client has disconnected.
        if (Exit.isFailure(exit)) return
        const answer = ResponseWriter.encode(exit.value)
        unread.hold(response, answer, companyOf)
        batch.write(() => send(request, response, answer))
      })

    const accept = (incoming: http.IncomingMessage, response: http.ServerResponse, isAsked = false) => {
      const { method = "GET", socket } = incoming
      // The rest of a packet is parsed after its connection is closed.
      if (socket.destroyed) return
      if (pipelining.isTooLong(incoming, response))
        return unreadable.cut(socket, { _tag: "PipelineTooLong", limit: limits.pipelined })
      const checked = checkHost(incoming)
      const { exposure, target } = Either.getOrElse(checked, () => ({
        target: incoming.url ?? "/",
        exposure: undefined
      }))
      const headers = headersOf(incoming)
      const request: Exchange.Request = {
        method,
        target,
        headers,
        body: "",
        exposure,
        peer: incoming.socket.remoteAddress,
        unread
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
              const { reserve } = bytes > RequestBody.largeBytes ? budget : smallBudget
              const release = reserve(companyId, bytes, start)
              if (release !== undefined) response.once("close", release)
              return release
            }
          },
          (outcome) => {
            switch (outcome._tag) {
              case "Complete":
                return batch.handle(
                  () => respond({ ...request, body: outcome.body }, response, outcome.release),
                  companyId
                )
              case "TooLarge":
                return refuse(tooLarge)
              case "Undecodable":
                return refuse({ _tag: "BodyUndecodable", encoding: encoding ?? "" })
              case "Fragmented":
                return unreadable.cut(socket, { _tag: "BodyFragmented", ...ServiceLimits.pieces })
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

      lastOf.set(socket, response)
      if (state === "stopping") return refuse({ _tag: "Stopping" })
      if (Either.isLeft(checked)) return refuse(checked.left)
      if (target.length > limits.targetBytes) return refuse({ _tag: "TargetTooLong", limit: limits.targetBytes })
      if (!RequestBody.isExpected(incoming)) return batch.handle(() => respond(request, response), companyOf(incoming))
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
    server.maxConnections = limits.connections
    server.on("drop", () => service.dropped?.())

    // With `Expect: 100-continue`, a client learns that its request is refused before it sends the body.
    server.on("checkContinue", (incoming, response) => {
      if (RequestBody.isTooLarge(incoming, limits.bodyBytes)) response.shouldKeepAlive = false
      accept(incoming, response, true)
    })

    server.on("clientError", (error: ParserError.ParserError, socket) =>
      unreadable.end(socket, error, lastOf.get(socket))
    )

    yield* Effect.acquireRelease(
      Effect.async<void, ListenFailed>((resume) => {
        server.once("error", (cause) => resume(Effect.fail(new ListenFailed({ host, port, flag, cause }))))
        // Where the system keeps fewer new connections, a client that opens many makes all others wait for seconds.
        server.listen({ port, host, backlog: limits.connections }, () => resume(Effect.void))
      }),
      () =>
        Effect.async<void>((resume) => {
          // Requests that have already arrived are read before: the close of an idle connection would lose them.
          setImmediate(() => {
            state = "stopping"
            release()
            endStreams()
            const timer = setTimeout(() => server.closeAllConnections(), limits.stopMillis)
            // A connection with a response in progress becomes idle later.
            const idle = setInterval(() => setImmediate(() => server.closeIdleConnections()), 50)
            server.close(() => {
              clearTimeout(timer)
              clearInterval(idle)
              resume(Effect.void)
            })
          })
        })
    )
    // The address of a TCP server is an object.
    const { port: actualPort } = server.address() as AddressInfo
    return {
      host,
      port: actualPort,
      drain: Effect.sync(() => {
        state = "draining"
        endStreams()
      })
    }
  })
