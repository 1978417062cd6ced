/**
 * Opens sockets to a server, and asks the server to cancel a statement.
 */
import * as net from "node:net"
import type { Host } from "../../../PostgresAddress.ts"

/** The timeout of a request to cancel. */
const cancelMillis = 5000

/** Makes sockets to a host. */
export const opener =
  ({ name, path, port }: Host) =>
  () =>
    // The driver reads the host and the port for its messages, and to verify the server's certificate.
    Object.assign(path === undefined ? net.connect(port, name) : net.connect(path), { host: name, port })

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
