/**
 * Servers on loopback for tests, and HTTP servers whose responses a test decides.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import * as net from "node:net"

/** Listens on a free port, and returns it. Closes the server with its connections when the scope ends. */
export const listen = (server: net.Server): Effect.Effect<number, never, Scope.Scope> => {
  const sockets = new Set<net.Socket>()
  server.on("connection", (socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
  })
  return Effect.acquireRelease(
    Effect.async<number>((resume) => {
      // The address of a server on a port is an object.
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.address() as net.AddressInfo).port)))
    }),
    () =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        for (const socket of sockets) socket.destroy()
      })
  )
}

/** A port that was free a moment ago, for a program that listens on a fixed port. */
export const freePort: Effect.Effect<number> = Effect.scoped(Effect.suspend(() => listen(net.createServer())))

/** A request with its body. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface LocalServer {
  readonly url: string
  readonly requests: ReadonlyArray<Received>
  /** Waits for a number of requests. */
  readonly received: (count: number) => Effect.Effect<ReadonlyArray<Received>>
}

/** Starts a server that answers each request once its body has arrived. */
export const start = (
  answer: (request: Received, response: ServerResponse) => void
): Effect.Effect<LocalServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const requests: Array<Received> = []
    const waiting: Array<() => void> = []
    const server = createServer((incoming, response) => {
      const pieces: Array<Buffer> = []
      incoming.on("data", (piece: Buffer) => pieces.push(piece))
      incoming.on("end", () => {
        const { headers, method = "", url: path = "" } = incoming
        const request = { method, path, headers, body: Buffer.concat(pieces) }
        requests.push(request)
        answer(request, response)
        for (const resolve of waiting.splice(0)) resolve()
      })
    })
    const port = yield* listen(server)
    const received = (count: number) =>
      Effect.promise(async () => {
        while (requests.length < count) await new Promise<void>((resolve) => waiting.push(resolve))
        return requests
      })
    return { url: `http://127.0.0.1:${port}`, requests, received }
  })
