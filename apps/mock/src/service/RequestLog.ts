/**
 * One line of JSON for each request that is worth one, through one redactor: no key, no secret and no value of a
 * filter is ever written.
 */
import * as Cause from "effect/Cause"
import type * as Exchange from "../Exchange.ts"
import type { Settings } from "../Settings.ts"

export type Level = Settings["log"]

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
  /** Whether every request has its line, so that its time must be taken. */
  readonly isVerbose: boolean
  readonly record: (entry: Entry) => void
}

const hidden = "***"
const secretHeaders = new Set(["authorization", "apikey", "cookie", "set-cookie", "proxy-authorization"])
const plainParameters = new Set(["select", "order", "limit", "offset", "columns", "on_conflict"])

/** Keys and secrets wherever they stand, as in a path that was mistyped. */
const withoutKeys = (line: string): string => line.replaceAll(/\b(mfg|whsec)_[^\s"\\&,;)]+/g, `$1_${hidden}`)

const parameters = (search: string): string =>
  search
    .split("&")
    .map((parameter) => {
      const [name = "", value] = parameter.split("=", 2)
      return value === undefined || plainParameters.has(name) ? parameter : `${name}=${hidden}`
    })
    .join("&")

const target = (text: string): string => {
  const [path = "", search] = text.split("?", 2)
  return search === undefined ? path : `${path}?${parameters(search)}`
}

const shown = (headers: Exchange.Headers): Exchange.Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, secretHeaders.has(name) ? hidden : value]))

const levelOf = (status: number) => (status >= 500 ? "error" : "info")

/** A log that writes lines somewhere. */
export const make = (level: Level, now: () => number, write: (line: string) => void): RequestLog => {
  const isVerbose = level === "info" || level === "debug"
  return {
    isVerbose,
    record: ({ cause, millis, request, requestId, status }) => {
      if (level === "off" || (!isVerbose && status < 500)) return
      const line = JSON.stringify({
        time: new Date(now()).toISOString(),
        level: levelOf(status),
        requestId,
        method: request.method,
        target: target(request.target),
        status,
        ...(isVerbose ? { millis: Math.round(millis * 1000) / 1000 } : {}),
        ...(level === "debug" ? { headers: shown(request.headers) } : {}),
        ...(cause === undefined ? {} : { cause: Cause.pretty(cause) })
      })
      write(`${withoutKeys(line)}\n`)
    }
  }
}
