/**
 * The sockets of a pool. The driver closes a connection only with the server's agreement, which never arrives on a lost
 * connection, and the system reports the loss after 15 minutes. So silent sockets are closed here.
 */
import * as net from "node:net"

/** The parsed address of a server: hosts and their ports, or the path of a local socket. */
interface Place {
  readonly host: ReadonlyArray<string>
  readonly port: ReadonlyArray<number>
  readonly path: string | false
}

export interface PostgresSockets {
  /** Connects to a server, in turn if there are several. */
  readonly open: (place: Place) => net.Socket
  /** Closes the sockets that were silent for too long; the driver opens others when it needs them. */
  readonly dropSilent: () => void
  /** Closes all sockets. */
  readonly close: () => void
}

interface Traffic {
  /** The number of bytes that were received at the last check. */
  bytes: number
  /** The time of the check that found the last bytes. */
  since: number
}

/** Closes a socket. It emits `close` first, so that the driver writes nothing more to it. */
const drop = (socket: net.Socket): void => {
  socket.emit("close")
  socket.destroy()
}

/** Creates the sockets: `silentMillis` is the maximum silence, and `stepMillis` the precision of its measurement. */
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
  // Traffic is sampled: a listener of `data` would slow it down.
  const looking = setInterval(look, stepMillis)
  looking.unref()

  return {
    open: ({ host, path, port }) => {
      const place = turn++ % host.length
      const [name = "localhost", number = 5432] = [host[place], port[place] ?? port[0]]
      const socket = path === false ? net.connect(number, name) : net.connect(path)
      sockets.set(socket, { bytes: 0, since: performance.now() })
      // The driver reads these for its messages, and to verify the server's certificate.
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
