/**
 * Opens sockets to a server, and asks the server to cancel a statement.
 */
import * as net from "node:net"

/** The timeout of a request to cancel. */
const cancelMillis = 5000

/** The parsed address of a server: hosts and their ports, or the path of a local socket. */
export interface Place {
  readonly host: ReadonlyArray<string>
  readonly port: ReadonlyArray<number>
  readonly path: string | false
}

let turn = 0

/** Makes sockets to one of the hosts of an address; connections use the hosts in turn. */
export const opener = ({ host, path, port }: Place) => {
  const index = turn++ % host.length
  const [name = "localhost", number = 5432] = [host[index], port[index] ?? port[0]]
  return () =>
    // The driver reads the host and the port for its messages, and to verify the server's certificate.
    Object.assign(path === false ? net.connect(number, name) : net.connect(path), { host: name, port: number })
}

/** Asks the server to cancel the statement that a connection runs. A connection of its own carries the request. */
export const requestCancel = (
  open: () => net.Socket,
  { pid, secret }: { pid: number; secret: number }
): Promise<void> =>
  new Promise((resolve) => {
    const request = Buffer.alloc(16)
    request.writeUInt32BE(16, 0)
    request.writeUInt32BE(80_877_102, 4)
    request.writeUInt32BE(pid, 8)
    request.writeUInt32BE(secret, 12)
    const socket = open()
    socket.setTimeout(cancelMillis, () => socket.destroy())
    socket.on("error", () => undefined).on("close", () => resolve())
    socket.resume().end(request)
  })
