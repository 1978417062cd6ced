/**
 * The sockets under a pool. The driver closes a connection in agreement with the server, which never comes when the
 * way to it is lost, and the system gives such a way up after a quarter of an hour; so they are looked after here.
 */
import * as net from "node:net"

/** Where a server is, as the driver has read it: hosts and their ports, or the path of a local socket. */
interface Place {
  readonly host: ReadonlyArray<string>
  readonly port: ReadonlyArray<number>
  readonly path: string | false
}

export interface PostgresSockets {
  /** Begins the way to a server, the next of several each time. */
  readonly open: (place: Place) => net.Socket
  /** Closes those that have been silent for longer than they may; the driver makes others when it needs them. */
  readonly dropSilent: () => void
  /** Closes all. */
  readonly close: () => void
}

interface Traffic {
  /** How many bytes had come when it was last looked. */
  bytes: number
  /** Since when no more have come. */
  since: number
}

/** Closes a socket, whatever stands on it before: that would write what comes until then, and fail over it. */
const drop = (socket: net.Socket): void => {
  socket.emit("close")
  socket.destroy()
}

/** `silentMillis` is how long a socket may be silent, and `stepMillis` how closely that is measured. */
export const make = (silentMillis: number, stepMillis: number): PostgresSockets => {
  const sockets = new Map<net.Socket, Traffic>()
  let turn = 0

  const look = () => {
    const now = performance.now()
    for (const [socket, traffic] of sockets) {
      if (socket.destroyed) sockets.delete(socket)
      else if (socket.bytesRead !== traffic.bytes) {
        traffic.bytes = socket.bytesRead
        traffic.since = now
      }
    }
    return now
  }
  // Looked at from time to time, so that what comes is not slowed down by listening to it.
  const looking = setInterval(look, stepMillis)
  looking.unref()

  return {
    open: ({ host, path, port }) => {
      const place = turn++ % host.length
      const [name = "localhost", number = 5432] = [host[place], port[place] ?? port[0]]
      const socket = path === false ? net.connect(number, name) : net.connect(path)
      sockets.set(socket, { bytes: 0, since: performance.now() })
      // By these the driver tells where it was going, and asks for the server's certificate.
      return Object.assign(socket, { host: name, port: number })
    },
    dropSilent: () => {
      const now = look()
      for (const [socket, { since }] of sockets) if (now - since > silentMillis) drop(socket)
    },
    close: () => {
      clearInterval(looking)
      for (const socket of sockets.keys()) drop(socket)
    }
  }
}
