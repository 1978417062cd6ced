/**
 * Logs requests, one line each, if the level of the log includes their status.
 */
import type * as Cause from "effect/Cause"
import * as LogLevel from "effect/LogLevel"
import type * as Exchange from "../Exchange.ts"
import * as Log from "./Log.ts"
import * as Redaction from "./Redaction.ts"

/** A completed request. */
export interface Entry {
  readonly request: Exchange.Request
  readonly status: number
  readonly requestId: string
  readonly millis: number
  /** The defect, if the service failed. */
  readonly cause?: Cause.Cause<unknown> | undefined
}

export interface RequestLog {
  /** Reports whether requests with this status are logged. */
  readonly isEnabled: (status: number) => boolean
  readonly record: (entry: Entry) => void
}

const levelOf = (status: number) => (status >= 500 ? LogLevel.Error : LogLevel.Info)

/** A log that passes its lines to `write`. */
export const make = (level: Log.Level, now: () => number, write: (line: string) => void): RequestLog => {
  const isEnabled = (status: number) => Log.isEnabled(level, levelOf(status))
  return {
    isEnabled,
    record: ({ cause, millis, request, requestId, status }) => {
      if (!isEnabled(status)) return
      const fields = {
        requestId,
        method: request.method,
        target: Redaction.target(request.target),
        status,
        millis: Math.round(millis * 1000) / 1000,
        ...(level === "debug" ? { headers: Redaction.headers(request.headers) } : {})
      }
      write(Log.line(now(), levelOf(status), fields, cause))
    }
  }
}
