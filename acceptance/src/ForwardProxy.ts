/**
 * A forward proxy with a password, which knows hosts that no other program knows, and a TLS server in front of a service.
 */
import * as LocalServer from "@mfgdata/testing-server"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { readFileSync } from "node:fs"
import { createServer, request, type IncomingMessage, type RequestListener } from "node:http"
import { createServer as createTlsServer } from "node:https"
import { connect } from "node:net"
import { join } from "node:path"
import * as Program from "./Program.ts"

/** Sends requests on to a port of this machine, whose name the service accepts. */
const forwarding =
  (portOf: (incoming: IncomingMessage) => number | undefined): RequestListener =>
  (incoming, outgoing) => {
    const port = portOf(incoming)
    if (port === undefined) return void outgoing.writeHead(407).end()
    const { pathname, search } = new URL(incoming.url ?? "/", "http://service.test")
    const options = {
      port,
      method: incoming.method,
      path: pathname + search,
      headers: { ...incoming.headers, host: `127.0.0.1:${port}` }
    }
    const onward = request({ ...options, host: "127.0.0.1" }, (response) => {
      outgoing.writeHead(response.statusCode ?? 500, response.headers)
      response.pipe(outgoing)
    })
    onward.on("error", () => outgoing.destroy())
    incoming.pipe(onward)
  }

export interface ForwardProxy {
  /** The address with its user and password. */
  readonly url: string
  /** The requests and tunnels, such as `GET http://service.test/rest/holiday` and `CONNECT service.test:443`. */
  readonly requests: ReadonlyArray<string>
}

/** Starts a proxy. `ports` maps each host that it knows to the port of this machine that serves it. */
export const start = (ports: Readonly<Record<string, number>>): Effect.Effect<ForwardProxy, never, Scope.Scope> =>
  Effect.gen(function* () {
    const requests: Array<string> = []
    const isAllowed = ({ headers }: IncomingMessage) =>
      headers["proxy-authorization"] === `Basic ${Buffer.from("user:secret").toString("base64")}`
    const portOf = (incoming: IncomingMessage, host: string) => {
      requests.push(`${incoming.method} ${incoming.url}`)
      return isAllowed(incoming) ? ports[host] : undefined
    }
    const server = createServer(forwarding((incoming) => portOf(incoming, new URL(incoming.url ?? "").hostname)))
    server.on("connect", (incoming, socket) => {
      const port = portOf(incoming, incoming.url?.split(":")[0] ?? "")
      if (port === undefined) return void socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
      const onward = connect(port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n")
        socket.pipe(onward).pipe(socket)
      })
      for (const end of [socket, onward]) end.on("error", () => void onward.destroy())
    })
    const port = yield* LocalServer.listen(server)
    return { url: `http://user:secret@127.0.0.1:${port}`, requests }
  })

/** A server that speaks TLS, and the file of the authority that signed its certificate. */
export interface TlsServer {
  readonly port: number
  readonly ca: string
}

/** Starts a TLS server for `localhost` and `service.test` in front of a port, with an authority made by openssl. */
export const startTls = (port: number, folder: string): Effect.Effect<TlsServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const openssl = (...args: ReadonlyArray<string>) =>
      Effect.flatMap(Program.run("openssl", args, { cwd: folder }), ({ code, stderr }) =>
        code === 0 ? Effect.void : Effect.dieMessage(`openssl: ${stderr}`)
      )
    const made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    yield* openssl("req", "-x509", ...made, "-subj", "/CN=Test CA", "-keyout", "ca.key", "-out", "ca.pem")
    const names = "subjectAltName=DNS:localhost,DNS:service.test"
    const signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-subj", "/CN=service.test", "-addext", names]
    yield* openssl("req", "-x509", ...made, ...signed, "-keyout", "server.key", "-out", "server.pem")
    const read = (name: string) => readFileSync(join(folder, name))
    const options = { key: read("server.key"), cert: read("server.pem") }
    return {
      port: yield* LocalServer.listen(
        createTlsServer(
          options,
          forwarding(() => port)
        )
      ),
      ca: join(folder, "ca.pem")
    }
  })
