/**
 * Writes responses to a socket: their headers, their length, and their bodies, compressed for clients that accept it.
 */
import * as http from "node:http"
import { pipeline, Readable } from "node:stream"
import type { BodyStream } from "../Exchange.ts"
import * as Exchange from "../Exchange.ts"
import * as DisturbedResponse from "./DisturbedResponse.ts"
import * as ResponseCompression from "./ResponseCompression.ts"

export interface Options {
  readonly compresses: boolean
  /** The time in which a client can read the response to a request that is not read; then the connection closes. */
  readonly lingerMillis: number
  /** Reports whether connections close after their responses. */
  readonly isClosing: () => boolean
}

export interface ResponseWriter {
  /** Ends the connections on which no response is sent. */
  readonly release: () => void
  readonly write: (request: Exchange.Request, response: http.ServerResponse, answer: Exchange.Response) => void
  /** Writes a response to a request whose body is not read, and closes the connection. */
  readonly close: (incoming: http.IncomingMessage, response: http.ServerResponse, answer: Exchange.Response) => void
  /** Ends the responses that are sent while they are produced. */
  readonly endStreams: () => void
}

const length = (body: Exchange.Response["body"]): string => String(Exchange.bytesOf(body))

/** Encodes a long body, so that a client that reads slowly keeps its bytes in memory, and not its text as well. */
export const encode = (answer: Exchange.Response): Exchange.Response =>
  typeof answer.body === "string" && answer.body.length >= 64 * 1024
    ? { ...answer, body: Buffer.from(answer.body) }
    : answer

/** The headers as alternating names and values, the fastest form for `writeHead`. */
const headerList = (headers: Exchange.Headers): Array<string> => {
  const list: Array<string> = []
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) list.push(name, value)
  }
  return list
}

/** The text of a response to bytes that are not a valid request. It closes the connection. */
export const rawResponse = ({ body, headers, status }: Exchange.Response): string => {
  const list = [...headerList(headers), "Content-Length", length(body)]
  const lines = [`HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? ""}`, "Connection: close"]
  for (let index = 0; index < list.length; index += 2) lines.push(`${list[index]}: ${list[index + 1]}`)
  return `${lines.join("\r\n")}\r\n\r\n${body}`
}

/** A writer of the responses of one server. */
export const make = ({ compresses, isClosing, lingerMillis }: Options): ResponseWriter => {
  const writeCompressed = (
    response: http.ServerResponse,
    status: number,
    { body, headers }: ResponseCompression.Compressed
  ) => {
    const list = headerList(headers)
    if (isClosing()) list.push("Connection", "close")
    if (body instanceof Uint8Array) {
      list.push("Content-Length", length(body))
      return response.writeHead(status, list).end(body)
    }
    response.writeHead(status, list)
    // A client that disconnects ends the compression; there is nobody to whom an error could be sent.
    return pipeline(body, response, () => {})
  }

  const disturbed = DisturbedResponse.make()
  const streams = new Set<AbortController>()

  /** Sends a body part by part. The source waits while the client does not read, so that nothing is buffered. */
  const writeStream = (response: http.ServerResponse, { headers, status }: Exchange.Response, body: BodyStream) => {
    const controller = new AbortController()
    const abort = () => controller.abort()
    response.writeHead(status, headerList(headers)).flushHeaders()
    if (isClosing()) abort()
    streams.add(controller)
    response.once("close", abort)
    // A client that disconnects ends the source; there is nobody to whom an error could be sent.
    pipeline(Readable.from(body(controller.signal)), response, () => {
      streams.delete(controller)
    })
  }

  return {
    release: disturbed.release,
    write: ({ headers: asked, method }, response, answer) => {
      if (response.destroyed) return
      if (answer.sending !== undefined) return disturbed.write(response, answer, headerList(answer.headers))
      const { body, headers, status } = answer
      const isEmpty = status === 204 || status === 304 || method === "HEAD"
      if (answer.stream !== undefined && !isEmpty) return writeStream(response, answer, answer.stream)
      if (compresses && body.length >= ResponseCompression.minimumBytes && !isEmpty) {
        const accept = asked["accept-encoding"]
        const compressed = accept === undefined ? undefined : ResponseCompression.compress(accept, answer)
        if (compressed !== undefined) return void writeCompressed(response, status, compressed)
      }
      const list = headerList(headers)
      if (!isEmpty) list.push("Content-Length", length(body))
      if (isClosing()) list.push("Connection", "close")
      response.writeHead(status, list).end(body)
    },
    endStreams: () => {
      for (const controller of streams) controller.abort()
    },
    close: (incoming, response, { body, headers, status }) => {
      if (response.destroyed) return
      const list = [...headerList(headers), "Content-Length", length(body), "Connection", "close"]
      // The response is complete here. It ends later, because closing a connection with unread bytes resets it, and the
      // client may then lose the response.
      response.writeHead(status, list).write(body)
      const end = () => {
        clearTimeout(timer)
        response.end()
      }
      const timer = setTimeout(end, lingerMillis).unref()
      incoming.on("error", () => {}).once("close", end)
      incoming.once("end", end).resume()
    }
  }
}
