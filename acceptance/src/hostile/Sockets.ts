/**
 * Opens the further connections of a hostile request. They send a part of it, as bytes, and read nothing.
 */
import * as net from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import type { Sent } from "./Sender.ts"

export interface Sockets {
  readonly count: number
  /** The part that each connection sends. Half of a request is half of its body, or of its head where it has none. */
  readonly sends: "nothing" | "half" | "slowly" | "everything"
  /** The number of times that it sends everything, without waiting for a response: one by default. */
  readonly times?: number
  /** Set when each connection closes soon, and is opened again. */
  readonly closes?: boolean
  /** The time from opening them to the request itself. */
  readonly millis: number
}

/** The number of connections that are opened at a time, so that this process stays free for its measurements. */
const opened = 10

/** The time after which a connection is opened again, and in which it closes. */
const againMillis = 50

/** The time between two bytes that are sent slowly. */
const byteMillis = 100

/** The bytes of a request, as its head and its body. */
const bytesOf = (
  host: string,
  { body = Buffer.alloc(0), headers, method, target }: Sent
): readonly [Buffer, Buffer] => {
  const length = body.length === 0 ? {} : { "Content-Length": String(body.length) }
  const lines = Object.entries({ Host: host, ...headers, ...length }).map(([name, value]) => `${name}: ${value}\r\n`)
  return [Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`), body]
}

/** The pieces that a connection sends. */
const partsOf = ({ sends, times = 1 }: Sockets, [head, body]: readonly [Buffer, Buffer]): ReadonlyArray<Buffer> => {
  switch (sends) {
    case "nothing":
      return []
    case "half":
      return body.length === 0
        ? [head.subarray(0, head.length / 2)]
        : [Buffer.concat([head, body.subarray(0, body.length / 2)])]
    case "slowly":
      return Array.from(head.subarray(0, -1), (_, index) => head.subarray(index, index + 1))
    case "everything":
      return [Buffer.concat(Array.from({ length: times }, () => [head, body]).flat())]
  }
}

/** Opens the connections, and waits; the returned function closes them. */
export const open = async (origin: string, sockets: Sockets, sent: Sent): Promise<() => void> => {
  const { host, hostname, port } = new URL(origin)
  const parts = partsOf(sockets, bytesOf(host, sent))
  const timers = new Set<NodeJS.Timeout>()
  const live = new Set<net.Socket>()
  const later = (millis: number, run: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      run()
    }, millis)
    timers.add(timer)
  }

  const write = (socket: net.Socket, index = 0) => {
    const part = parts[index]
    if (part === undefined || socket.destroyed) return
    socket.write(part)
    if (index + 1 < parts.length) later(byteMillis, () => write(socket, index + 1))
  }

  const connect = (index: number) => {
    // The service may close the connection at any time.
    const socket = net.connect(Number(port), hostname).on("error", () => undefined)
    live.add(socket.pause())
    socket.on("close", () => live.delete(socket))
    write(socket)
    if (sockets.closes !== true) return
    // Some close before they are open, others in the middle of the response.
    later((index * 7) % againMillis, () => {
      socket.destroy()
      later(againMillis, () => connect(index))
    })
  }

  for (let index = 0; index < sockets.count; index++) {
    connect(index)
    if (index % opened === opened - 1) await pause(1)
  }
  await pause(sockets.millis)
  return () => {
    for (const timer of timers) clearTimeout(timer)
    for (const socket of live) socket.destroy()
  }
}
