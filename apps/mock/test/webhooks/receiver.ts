/** A receiver of webhooks on loopback, which responds as it is configured and records its requests. */
import * as LocalServer from "@mfgdata/testing-server"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as http from "node:http"
import * as https from "node:https"

export interface Arrived {
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

export interface Receiver {
  readonly url: string
  readonly arrived: ReadonlyArray<Arrived>
  /** Sets the following responses. */
  readonly answer: (behaviour: Behaviour) => void
  /** Clears the recorded requests. */
  readonly clear: () => void
}

/** Responds to a request: a status alone, or any use of the response. */
export type Behaviour = number | ((response: http.ServerResponse, request: http.IncomingMessage) => void)

/** Listens until the scope closes, over TLS with a certificate. */
export const open = (
  first: Behaviour = 204,
  certificate?: Pick<https.ServerOptions, "cert" | "key">
): Effect.Effect<Receiver, never, Scope.Scope> =>
  Effect.gen(function* () {
    let behaviour = first
    const arrived: Array<Arrived> = []
    const receive: http.RequestListener = (request, response) => {
      let body = ""
      request.setEncoding("utf8").on("data", (text: string) => (body += text))
      request.on("end", () => {
        // Deliveries repeat no header.
        arrived.push({ headers: request.headers as Arrived["headers"], body })
        if (typeof behaviour === "number") response.writeHead(behaviour).end()
        else behaviour(response, request)
      })
    }
    const server = certificate === undefined ? http.createServer(receive) : https.createServer(certificate, receive)
    const port = yield* LocalServer.listen(server)
    return {
      url: certificate === undefined ? `http://127.0.0.1:${port}/hook` : `https://localhost:${port}/hook`,
      arrived,
      answer: (next) => void (behaviour = next),
      clear: () => void arrived.splice(0)
    }
  })
