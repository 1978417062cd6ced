/**
 * Loads a server over a number of connections, with one request at a time on each. Uses a client on `node:net`,
 * because the clients of Node are slower than the server.
 */
import * as net from "node:net"

export interface Target {
  readonly host: string
  readonly port: number
}

export interface Load {
  readonly connections: number
  readonly requests: number
  /** The bytes of the next request. */
  readonly next: () => Buffer
}

export interface Outcome {
  readonly perSecond: number
  /** The median and the 99th percentile of response times, in milliseconds. */
  readonly median: number
  readonly p99: number
}

const headEnd = Buffer.from("\r\n\r\n")
const lengthForm = /\r\ncontent-length: (\d+)/i

/** The bytes of a request. */
export const request = (
  method: string,
  target: string,
  headers: { readonly [name: string]: string },
  body = ""
): Buffer => {
  const lines = Object.entries(body === "" ? headers : { ...headers, "Content-Length": Buffer.byteLength(body) })
  const head = [`${method} ${target} HTTP/1.1`, "Host: localhost", ...lines.map(([name, value]) => `${name}: ${value}`)]
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`)
}

interface Connection {
  /** Sends a request, and calls back after its complete response. */
  readonly ask: (request: Buffer, done: () => void) => void
  readonly end: () => void
}

/** A connection that requires successful responses. */
const connect = ({ host, port }: Target, fail: (error: Error) => void): Promise<Connection> => {
  let answered = () => {}
  let missing = -1
  const read = (chunk: Buffer) => {
    if (missing === -1) {
      const end = chunk.indexOf(headEnd)
      // The head of a response is small: it arrives in one piece.
      if (end === -1) return fail(new Error("an answer came without its head"))
      const head = chunk.toString("latin1", 0, end)
      if (!head.startsWith("HTTP/1.1 2")) return fail(new Error(`refused: ${chunk.toString()}`))
      missing = Number(lengthForm.exec(head)?.[1] ?? 0) - (chunk.length - end - headEnd.length)
    } else missing -= chunk.length
    if (missing > 0) return
    missing = -1
    answered()
  }
  const buffer = Buffer.allocUnsafe(256 * 1024)
  const onread = {
    buffer,
    callback: (length: number) => {
      read(buffer.subarray(0, length))
      return true
    }
  }
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host, port, onread, noDelay: true }, () =>
      resolve({
        ask: (request, done) => {
          answered = done
          socket.write(request)
        },
        end: () => socket.destroy()
      })
    )
    socket.on("error", (error) => {
      reject(error)
      fail(error)
    })
  })
}

const quantile = (sorted: Float64Array, share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0

/** Keeps every connection busy until enough requests were sent. */
export const run = async (target: Target, { connections: count, next, requests }: Load): Promise<Outcome> => {
  let fail: (error: Error) => void = () => {}
  const failed = new Promise<never>((_, reject) => (fail = reject))
  const connections = await Promise.all(Array.from({ length: count }, () => connect(target, (error) => fail(error))))
  const latencies: Array<number> = []
  const begin = performance.now()
  let left = requests
  const keepBusy = ({ ask }: Connection) =>
    new Promise<void>((resolve) => {
      const again = () => {
        if (left-- <= 0) return resolve()
        const sent = performance.now()
        ask(next(), () => {
          latencies.push(performance.now() - sent)
          again()
        })
      }
      again()
    })
  try {
    await Promise.race([Promise.all(connections.map(keepBusy)), failed])
  } finally {
    for (const connection of connections) connection.end()
  }
  const sorted = Float64Array.from(latencies).toSorted()
  return {
    perSecond: (requests * 1000) / (performance.now() - begin),
    median: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99)
  }
}
