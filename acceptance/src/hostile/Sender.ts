/**
 * Sends requests over kept connections, and reads their responses to the end.
 */
import * as http from "node:http"
import * as net from "node:net"

export interface Answer {
  /** 0 where the connection ended without a response. */
  readonly status: number
  /** The error code of the response, or of the connection. */
  readonly code: string | undefined
  /** True where an error response has details and a hint. */
  readonly isExplained: boolean
  /** The time from the end of the request, or from its start where the whole request is sent immediately. */
  readonly millis: number
}

export interface Sent {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer | undefined
  /** Sends the body in chunks, one each 100 ms. */
  readonly isSlow?: boolean | undefined
  /** The number of further connections that send the request and read nothing, until it has its response. */
  readonly unread?: number | undefined
}

export interface Sender {
  readonly send: (sent: Sent) => Promise<Answer>
  /** The body of a successful response. */
  readonly text: (sent: Sent) => Promise<string>
  /** The body of a successful response as JSON. */
  readonly read: (sent: Sent) => Promise<unknown>
  readonly close: () => void
}

/** The time after which a request counts as unanswered. */
const patience = 30_000

/** The first part of an error response holds its code. */
const kept = 64 * 1024

const slowChunks = 30

const writeSlowly = (request: http.ClientRequest, body: Buffer, done: () => void): void => {
  const size = Math.ceil(body.length / slowChunks)
  let at = 0
  const timer = setInterval(() => {
    if (request.destroyed) return clearInterval(timer)
    request.write(body.subarray(at, at + size))
    at += size
    if (at < body.length) return
    clearInterval(timer)
    done()
    request.end()
  }, 100)
  request.once("response", () => clearInterval(timer))
}

const parse = (text: string): Pick<Answer, "code" | "isExplained"> => {
  try {
    // The caller expects an error's body, whose fields may be absent.
    const { code, details, hint } = JSON.parse(text) as { code?: string; details?: unknown; hint?: unknown }
    return { code, isExplained: Boolean(details) && Boolean(hint) }
  } catch {
    return { code: undefined, isExplained: false }
  }
}

/** Sends a request and reads nothing, until the returned function closes the connection. */
const ignore = (origin: string, { headers, method, target }: Sent): (() => void) => {
  const { host, hostname, port } = new URL(origin)
  const socket = net.connect(Number(port), hostname).on("error", () => {})
  const lines = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.pause().write(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`)
  return () => socket.destroy()
}

/** A sender with a number of connections to an origin. */
export const open = (origin: string, connections: number): Sender => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections, scheduling: "fifo" })

  const exchange = ({ body, headers, isSlow = false, method, target }: Sent, longest: number) =>
    new Promise<Answer & { readonly text: string }>((resolve) => {
      let start = performance.now()
      const settle = (status: number, text: string, code?: string) => {
        clearTimeout(timer)
        const parsed = status >= 400 ? parse(text) : { code: undefined, isExplained: false }
        const isExplained = method === "HEAD" || parsed.isExplained
        resolve({
          ...parsed,
          ...(code !== undefined && { code }),
          isExplained,
          status,
          text,
          millis: performance.now() - start
        })
      }
      const length = body === undefined || isSlow ? {} : { "Content-Length": String(body.length) }
      const request = http.request(`${origin}${target}`, { agent, method, headers: { ...headers, ...length } })
      const timer = setTimeout(
        () => request.destroy(Object.assign(new Error("no response"), { code: "ETIMEDOUT" })),
        patience
      )
      let isAnswered = false
      request.on("response", (response) => {
        isAnswered = true
        const chunks: Array<Buffer> = []
        let size = 0
        response.on("data", (chunk: Buffer) => {
          if (size < longest) chunks.push(chunk)
          size += chunk.length
        })
        const status = response.statusCode ?? 0
        // A response to HEAD has no body; its code is in a header.
        const code = method === "HEAD" ? /error=(\w+)/.exec(String(response.headers["proxy-status"]))?.[1] : undefined
        response.on("end", () => settle(status, Buffer.concat(chunks).toString(), code))
        response.on("error", (error: NodeJS.ErrnoException) => settle(0, "", error.code))
      })
      // A service that refuses a body before its end closes the connection, perhaps after its response.
      request.on("error", (error: NodeJS.ErrnoException) => {
        if (!isAnswered) settle(0, "", error.code)
      })
      if (body !== undefined && isSlow) writeSlowly(request, body, () => (start = performance.now()))
      else request.end(body)
    })

  const textOf = async (sent: Sent) => {
    const { status, text } = await exchange(sent, Infinity)
    if (status < 200 || status >= 300) throw new Error(`${sent.method} ${sent.target} got ${status}: ${text}`)
    return text
  }

  return {
    send: async (sent) => {
      const ignored = Array.from({ length: sent.unread ?? 0 }, () => ignore(origin, sent))
      const { text: _, ...answer } = await exchange(sent, kept)
      for (const close of ignored) close()
      return answer
    },
    text: textOf,
    read: async (sent) => {
      const text = await textOf(sent)
      return text === "" ? undefined : JSON.parse(text)
    },
    close: () => agent.destroy()
  }
}
