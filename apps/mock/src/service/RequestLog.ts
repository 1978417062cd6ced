/**
 * Logs requests, one line each, if the level of the log includes their status.
 */
import type * as Cause from "effect/Cause"
import * as LogLevel from "effect/LogLevel"
import type { NamedCaller } from "../access/ApiKeys.ts"
import type * as Exchange from "../Exchange.ts"
import * as TraceContext from "../rows/request/TraceContext.ts"
import * as Log from "./Log.ts"
import * as Redaction from "./Redaction.ts"

/** A completed request. */
export interface Entry {
  readonly request: Exchange.Request
  readonly status: number
  readonly requestId: string
  readonly millis: number
  /** The caller, if the request has a valid key. */
  readonly caller?: NamedCaller | undefined
  readonly bytesIn: number
  /** The size of the response before its compression; undefined for a stream. */
  readonly bytesOut: number | undefined
  /** The defect, if the service failed. */
  readonly cause?: Cause.Cause<unknown> | undefined
}

export interface RequestLog {
  /** Reports whether requests with this status are logged. */
  readonly isEnabled: (status: number) => boolean
  readonly record: (entry: Entry) => void
}

const callerFields = ({ companyId, keyId, keyName, userId }: NamedCaller) => ({ keyId, keyName, companyId, userId })

const levelOf = (status: number) => (status >= 500 ? LogLevel.Error : LogLevel.Info)

/** A log that passes its lines to `write`. */
export const make = (level: Log.Level, now: () => number, write: (line: string) => void): RequestLog => {
  const isEnabled = (status: number) => Log.isEnabled(level, levelOf(status))
  return {
    isEnabled,
    record: ({ bytesIn, bytesOut, caller, cause, millis, request, requestId, status }) => {
      if (!isEnabled(status)) return
      const target = Redaction.target(request.target)
      const trace = request.span ?? TraceContext.fromHeaders(request.headers)
      const fields = {
        msg: `${request.method} ${target.split("?", 1)[0]} ${status}`,
        requestId,
        method: request.method,
        target,
        status,
        millis: Math.round(millis * 1000) / 1000,
        bytesIn,
        ...(bytesOut === undefined ? {} : { bytesOut }),
        ...(request.peer === undefined ? {} : { peer: request.peer }),
        ...(caller === undefined ? {} : callerFields(caller)),
        ...(trace === undefined ? {} : { traceId: trace.traceId, spanId: trace.spanId }),
        ...(level === "debug" ? { headers: Redaction.headers(request.headers) } : {})
      }
      write(Log.line(now(), levelOf(status), fields, cause))
    }
  }
}
