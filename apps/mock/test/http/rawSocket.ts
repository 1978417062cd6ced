/** Sends bytes over a socket. */
import * as Effect from "effect/Effect"
import * as net from "node:net"

/** Sends pieces, and returns the received bytes up to the end of the connection. */
export const exchange = (port: number, ...pieces: ReadonlyArray<string | Uint8Array>): Effect.Effect<Buffer> =>
  Effect.async((resume) => {
    const socket = net.connect(port, "127.0.0.1")
    const received: Array<Buffer> = []
    const end = () => resume(Effect.succeed(Buffer.concat(received)))
    socket.on("data", (data) => received.push(data))
    socket.on("error", end)
    socket.on("close", end)
    for (const piece of pieces) socket.write(piece)
    return Effect.sync(() => socket.destroy())
  })

export interface RawResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

/** Joins the chunks of a body with `Transfer-Encoding: chunked`. */
const joined = (body: Buffer): Buffer => {
  const end = body.indexOf("\r\n")
  const length = Number.parseInt(body.toString("latin1", 0, end), 16)
  return length > 0
    ? Buffer.concat([body.subarray(end + 2, end + 2 + length), joined(body.subarray(end + 4 + length))])
    : Buffer.alloc(0)
}

/** Parses one response. */
export const parse = (received: Buffer): RawResponse => {
  const end = received.indexOf("\r\n\r\n")
  const [first = "", ...lines] = received.toString("latin1", 0, end).split("\r\n")
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(":")
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    })
  )
  const body = received.subarray(end + 4)
  return {
    status: Number(first.split(" ")[1]),
    headers,
    body: headers.get("transfer-encoding") === "chunked" ? joined(body) : body
  }
}
