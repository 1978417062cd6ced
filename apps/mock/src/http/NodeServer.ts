/**
 * The socket server: `node:http` on one side, `Exchange` on the other. An answer that is there at once needs no fiber.
 * A client that hangs up interrupts what it waited for.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import * as http from "node:http"
import type { AddressInfo } from "node:net"
import type { Duplex } from "node:stream"
import type * as Exchange from "../Exchange.ts"
import type { RowError } from "../rows/RowError.ts"
import type * as Service from "../service/Service.ts"
import * as SyncEffect from "../world/SyncEffect.ts"
import * as RequestBody from "./RequestBody.ts"
import * as RequestBatch from "./RequestBatch.ts"

/** How long a client may take, and how much it may send. */
export interface Limits {
  readonly headerBytes: number
  readonly targetBytes: number
  readonly bodyBytes: number
  readonly headersMillis: number
  /** For a whole request, its body included. */
  readonly requestMillis: number
  /** How long a connection may stand still while a request is read or answered, as that of a client that does not read. */
  readonly stillMillis: number
  /** How long a connection is kept for the next request. */
  readonly keepMillis: number
  /** How long a shutdown waits for answers that are under way. */
  readonly drainMillis: number
}

export const limits: Omit<Limits, "bodyBytes"> = {
  headerBytes: 16 * 1024,
  targetBytes: 8 * 1024,
  headersMillis: 10_000,
  requestMillis: 30_000,
  stillMillis: 120_000,
  // longer than the minute for which proxies commonly keep theirs: whoever sends last must not find it closed
  keepMillis: 65_000,
  drainMillis: 10_000
}

/** The address cannot be listened on. */
export class ListenFailed extends Data.TaggedError("ListenFailed")<{
  readonly host: string
  readonly port: number
  readonly cause: NodeJS.ErrnoException
}> {
  override get message() {
    const { cause, host, port } = this
    return cause.code === "EADDRINUSE"
      ? `port ${port} of ${host} is in use: stop what listens there, or choose another with --port`
      : `port ${port} of ${host} cannot be listened on: ${cause.message}`
  }
}

export interface Options extends Limits {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
}

export interface NodeServer {
  readonly host: string
  readonly port: number
}

/** Header names and values in turn, which is what `writeHead` is quickest with. */
const flat = ({ headers }: Exchange.Answer, body: Exchange.Answer["body"], method: string, status: number) => {
  const list: Array<string> = []
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) list.push(name, value)
  }
  if (status !== 204 && status !== 304 && method !== "HEAD") {
    list.push("Content-Length", String(typeof body === "string" ? Buffer.byteLength(body) : body.length))
  }
  return list
}

/** An answer to what never became a request, after which the connection ends. */
const raw = (answer: Exchange.Answer): string => {
  const list = flat(answer, answer.body, "GET", answer.status)
  const lines = [`HTTP/1.1 ${answer.status} ${http.STATUS_CODES[answer.status] ?? ""}`, "Connection: close"]
  for (let index = 0; index < list.length; index += 2) lines.push(`${list[index]}: ${list[index + 1]}`)
  return `${lines.join("\r\n")}\r\n\r\n${answer.body}`
}

/** What the parser says of its failure; the packet is what it read last. */
interface ClientError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer
}

/** Whether it is the first line that is too long, as far as it stands in one packet. */
const isTargetTooLong = ({ rawPacket }: ClientError, { targetBytes }: Limits): boolean => {
  if (rawPacket === undefined || !/^[A-Z]+ \//.test(rawPacket.toString("latin1", 0, 16))) return false
  const end = rawPacket.indexOf("\r\n")
  return (end === -1 ? rawPacket.length : end) > targetBytes
}

/** Why the parser gave up. */
const unreadable = (error: ClientError, limits: Limits): RowError => {
  switch (error.code) {
    case "HPE_HEADER_OVERFLOW":
      return isTargetTooLong(error, limits)
        ? { _tag: "TargetTooLong", limit: limits.targetBytes }
        : { _tag: "HeadersTooLarge", limit: limits.headerBytes }
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return { _tag: "RequestTooSlow" }
    default:
      return { _tag: "RequestUnreadable" }
  }
}

/** Listens until the scope ends; then finishes what was accepted and refuses the rest. */
export const listen = (
  service: Service.Service,
  { host, port, ...limits }: Options
): Effect.Effect<NodeServer, ListenFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const fork = Runtime.runFork(yield* Effect.runtime())
    const lastOf = new WeakMap<Duplex, http.ServerResponse>()
    const turn = RequestBatch.make()
    let isDraining = false

    const write = (response: http.ServerResponse, method: string, { body, headers, status }: Exchange.Answer) => {
      if (response.destroyed) return
      const list = flat({ headers, status, body }, body, method, status)
      if (isDraining) list.push("Connection", "close")
      response.writeHead(status, list).end(body)
    }

    const answer = (request: Exchange.Request, response: http.ServerResponse) => {
      const finish = (exit: Exit.Exit<Exchange.Answer>) => {
        // An answer fails only by interruption, and then nobody listens.
        if (Exit.isSuccess(exit)) turn.write(() => write(response, request.method, exit.value))
      }
      const answered = service.handle(request)
      const exit = SyncEffect.exitOf(answered)
      if (exit !== undefined) return finish(exit)
      const fiber = fork(answered)
      fiber.addObserver(finish)
      const interrupt = () => fiber.unsafeInterruptAsFork(FiberId.none)
      if (response.destroyed) interrupt()
      else response.on("close", interrupt)
    }

    const accept = (incoming: http.IncomingMessage, response: http.ServerResponse) => {
      const { method = "GET", url: target = "/" } = incoming
      // The one header that node keeps as a list is set-cookie, which no request has to carry.
      const request = { method, target, headers: incoming.headers as Exchange.Headers, body: "" }
      const refuse = (error: RowError) => {
        incoming.resume()
        write(response, method, service.refuse(request, error))
      }
      lastOf.set(incoming.socket, response)
      if (isDraining) return refuse({ _tag: "Stopping" })
      if (incoming.headers.host === undefined && incoming.httpVersion === "1.1") return refuse({ _tag: "HostMissing" })
      if (target.length > limits.targetBytes) return refuse({ _tag: "TargetTooLong", limit: limits.targetBytes })
      RequestBody.read(incoming, limits.bodyBytes, (body) =>
        body === undefined
          ? refuse({ _tag: "BodyTooLarge", limit: limits.bodyBytes })
          : turn.answer(() => answer({ ...request, body }, response))
      )
    }

    const server = http.createServer(
      {
        maxHeaderSize: limits.headerBytes,
        headersTimeout: limits.headersMillis,
        requestTimeout: limits.requestMillis,
        connectionsCheckingInterval: Math.min(1000, limits.headersMillis),
        keepAliveTimeout: limits.keepMillis,
        // it would be refused without a body
        requireHostHeader: false,
        joinDuplicateHeaders: true
      },
      accept
    )

    server.timeout = limits.stillMillis

    // A client that asks first whether its body is wanted hears no, and does not send it.
    server.on("checkContinue", (incoming, response) => {
      if (RequestBody.isTooLarge(incoming, limits.bodyBytes)) response.shouldKeepAlive = false
      else response.writeContinue()
      accept(incoming, response)
    })

    server.on("clientError", (error: ClientError, socket) => {
      const last = lastOf.get(socket)
      const isAnswering = last !== undefined && last.headersSent && !last.writableFinished
      if (!socket.writable || isAnswering) return socket.destroy()
      const request = { method: "GET", target: "", headers: {}, body: "" }
      socket.end(raw(service.refuse(request, unreadable(error, limits))))
      // A client may read the answer before the connection goes, and not keep it.
      setTimeout(() => socket.destroy(), 1000).unref()
    })

    yield* Effect.acquireRelease(
      Effect.async<void, ListenFailed>((resume) => {
        server.once("error", (cause) => resume(Effect.fail(new ListenFailed({ host, port, cause }))))
        server.listen(port, host, () => resume(Effect.void))
      }),
      () =>
        Effect.async<void>((resume) => {
          isDraining = true
          const timer = setTimeout(() => server.closeAllConnections(), limits.drainMillis)
          // One whose answer was on its way already is idle only after it.
          const idle = setInterval(() => server.closeIdleConnections(), 50)
          server.close(() => {
            clearTimeout(timer)
            clearInterval(idle)
            resume(Effect.void)
          })
        })
    )
    // A server that listens on a port has an address with one.
    return { host, port: (server.address() as AddressInfo).port }
  })
