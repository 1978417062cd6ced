/** A receiver of webhooks on loopback, which answers as it is told and remembers what came. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as http from "node:http"
import * as https from "node:https"
import type { AddressInfo } from "node:net"

export interface Arrived {
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

export interface Receiver {
  readonly url: string
  readonly arrived: ReadonlyArray<Arrived>
  /** Answers what is to come. */
  readonly answer: (behaviour: Behaviour) => void
  /** Forgets what came. */
  readonly clear: () => void
}

/** Answers a request; the status alone, or whatever a response can do. */
export type Behaviour = number | ((response: http.ServerResponse, request: http.IncomingMessage) => void)

/** Listens until the scope ends, over TLS where there is a certificate. */
export const open = (
  first: Behaviour = 204,
  certificate?: Pick<https.ServerOptions, "cert" | "key">
): Effect.Effect<Receiver, never, Scope.Scope> =>
  Effect.gen(function* () {
    let behaviour = first
    const arrived: Array<Arrived> = []
    const hear: http.RequestListener = (request, response) => {
      let body = ""
      request.setEncoding("utf8").on("data", (text: string) => (body += text))
      request.on("end", () => {
        // No header of a delivery is sent twice.
        arrived.push({ headers: request.headers as Arrived["headers"], body })
        if (typeof behaviour === "number") response.writeHead(behaviour).end()
        else behaviour(response, request)
      })
    }
    const server = certificate === undefined ? http.createServer(hear) : https.createServer(certificate, hear)
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.sync(() => {
          server.closeAllConnections()
          server.close()
        })
    )
    // A server that listens on a port has an address with one.
    const { port } = server.address() as AddressInfo
    return {
      url: certificate === undefined ? `http://127.0.0.1:${port}/hook` : `https://localhost:${port}/hook`,
      arrived,
      answer: (next) => void (behaviour = next),
      clear: () => void arrived.splice(0)
    }
  })
