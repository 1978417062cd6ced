/** A proxy of the server that can drop data, on its open connections or on all, and can be closed. */
import * as LocalServer from "@mfgdata/testing-server"
import * as Effect from "effect/Effect"
import * as net from "node:net"
import * as tls from "node:tls"
import * as certificate from "../../webhooks/certificate.ts"

export const swallowing = (url: string, isSecure = false) =>
  Effect.gen(function* () {
    const { hostname, port } = new URL(url)
    const sockets = new Set<net.Socket>()
    const deaf = new Set<net.Socket>()
    let swallows = false
    const join = (near: net.Socket, socket: net.Socket) => {
      const way = net.connect(Number(port), hostname)
      for (const [end, other] of [
        [near, way],
        [way, near]
      ] as const) {
        sockets.add(end)
        end.on("error", () => undefined).on("close", () => other.destroy())
        end.on("data", (bytes) => deaf.has(socket) || other.write(bytes))
      }
    }
    const proxy = net.createServer((socket) => {
      if (swallows) deaf.add(socket)
      sockets.add(socket.on("error", () => undefined))
      if (!isSecure) return join(socket, socket)
      // The server's response to a request for TLS.
      socket.once("data", () => {
        socket.write("S")
        join(new tls.TLSSocket(socket, { isServer: true, ...certificate }), socket)
      })
    })
    const through = new URL(url)
    through.port = String(yield* LocalServer.listen(proxy))
    if (isSecure) through.searchParams.set("sslmode", "require")
    const lose = () => sockets.forEach((socket) => deaf.add(socket))
    const swallow = () => {
      swallows = true
      lose()
    }
    const cut = () => sockets.forEach((socket) => socket.destroy())
    return { url: through.href, lose, swallow, cut }
  })
