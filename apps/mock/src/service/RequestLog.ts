/**
 * One line for each request that is worth one.
 */
import type * as Cause from "effect/Cause"
import * as LogLevel from "effect/LogLevel"
import type * as Exchange from "../Exchange.ts"
import * as Log from "./Log.ts"
import * as Redaction from "./Redaction.ts"

/** A request that was answered. */
export interface Entry {
  readonly request: Exchange.Request
  readonly status: number
  readonly requestId: string
  readonly millis: number
  /** Why it failed, where the service did. */
  readonly cause?: Cause.Cause<unknown> | undefined
}

export interface RequestLog {
  /** Whether a request with this status has its line. */
  readonly tells: (status: number) => boolean
  readonly record: (entry: Entry) => void
}

const weight = (status: number) => (status >= 500 ? LogLevel.Error : LogLevel.Info)

/** A log that writes lines somewhere. */
export const make = (level: Log.Level, now: () => number, write: (line: string) => void): RequestLog => {
  const tells = (status: number) => Log.tells(level, weight(status))
  return {
    tells,
    record: ({ cause, millis, request, requestId, status }) => {
      if (!tells(status)) return
      const facts = {
        requestId,
        method: request.method,
        target: Redaction.target(request.target),
        status,
        millis: Math.round(millis * 1000) / 1000,
        ...(level === "debug" ? { headers: Redaction.headers(request.headers) } : {})
      }
      write(Log.line(now(), weight(status), facts, cause))
    }
  }
}
