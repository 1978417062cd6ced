/**
 * Ends connections on which no more requests are read, with a refusal that belongs to no request.
 */
import type * as http from "node:http"
import type { Duplex } from "node:stream"
import type { RowError } from "../rows/RowError.ts"
import type { RequestHandler } from "../service/Admission.ts"
import * as ParserError from "./ParserError.ts"
import * as ResponseWriter from "./ResponseWriter.ts"

export interface UnreadableConnection {
  /** Ends a connection whose bytes are not a request. `last` is the last response of the connection. */
  readonly end: (socket: Duplex, error: ParserError.ParserError, last: http.ServerResponse | undefined) => void
  /** Closes a connection immediately, so that nothing else of it is read. */
  readonly cut: (socket: Duplex, error: RowError) => void
}

export interface Limits extends ParserError.Sizes {
  /** The time in which a client can read the refusal. */
  readonly lingerMillis: number
}

export const make = (service: Pick<RequestHandler, "refuse">, limits: Limits): UnreadableConnection => {
  const refusal = (error: RowError): string =>
    ResponseWriter.rawResponse(service.refuse({ method: "GET", target: "", headers: {}, body: "" }, error))
  return {
    end: (socket, error, last) => {
      const isAnswering = last !== undefined && last.headersSent && !last.writableFinished
      if (!socket.writable || isAnswering) return void socket.destroy()
      socket.end(refusal(ParserError.toRowError(error, limits)))
      setTimeout(() => socket.destroy(), limits.lingerMillis).unref()
    },
    cut: (socket, error) => {
      // Nothing is sent in the middle of a response.
      if (socket.writableLength === 0) socket.end(refusal(error))
      socket.destroy()
    }
  }
}
