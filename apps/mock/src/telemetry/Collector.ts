/**
 * Sends requests to the collector, counts its failures, and reports when it goes away and comes back, once each time.
 */
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import type { Signal, Value } from "./OtlpMessage.ts"
import * as OtlpMessage from "./OtlpMessage.ts"
import type { OtlpSettings } from "./OtlpSettings.ts"

/** The result of sending some items. */
export type Sent =
  | { readonly _tag: "Accepted"; readonly rejected: number }
  /** The collector may accept the request later. */
  | { readonly _tag: "Away"; readonly afterMillis: number | undefined }
  /** The collector will never accept the request. */
  | { readonly _tag: "Refused" }

export interface Collector {
  readonly send: (signal: Signal, items: ReadonlyArray<Value>) => Promise<Sent>
  /** The number of requests without success. */
  readonly failures: (signal: Signal) => number
}

export interface Options {
  readonly settings: OtlpSettings
  readonly head: OtlpMessage.Head
  /** Receives a sentence when the collector goes away or comes back. */
  readonly say: (text: string, isFailure: boolean) => void
  /** Ends requests that a stop does not wait for. */
  readonly signal: AbortSignal
}

const compress = promisify(gzip)

/** The statuses after which OTLP repeats a request. */
const retried = new Set([429, 502, 503, 504])

const retryAfterMillis = (header: string | null): number | undefined =>
  header !== null && /^\d{1,4}$/.test(header) ? Number(header) * 1000 : undefined

/** The message of an error with its causes, which `fetch` hides. */
const reasonOf = (error: unknown): string => {
  const { cause, code, message } = error as NodeJS.ErrnoException & { readonly cause?: unknown }
  return cause instanceof Error ? reasonOf(cause) : (code ?? message)
}

const rejectedIn = (type: string | null, body: Uint8Array): number => {
  if (type?.startsWith("application/json") !== true) return OtlpMessage.rejectedIn(body)
  try {
    const { partialSuccess } = JSON.parse(new TextDecoder().decode(body)) as {
      readonly partialSuccess?: { readonly [name: string]: unknown }
    }
    const [count] = Object.entries(partialSuccess ?? {}).flatMap(([name, value]) =>
      name.startsWith("rejected") ? [Number(value)] : []
    )
    return count === undefined || Number.isNaN(count) ? 0 : count
  } catch {
    return 0
  }
}

export const make = ({ head, say, settings, signal: stop }: Options): Collector => {
  const isJson = settings.OTEL_EXPORTER_OTLP_PROTOCOL === "http/json"
  const isCompressed = settings.OTEL_EXPORTER_OTLP_COMPRESSION === "gzip"
  const timeoutMillis = settings.OTEL_EXPORTER_OTLP_TIMEOUT
  const headers = {
    ...settings.OTEL_EXPORTER_OTLP_HEADERS,
    "content-type": isJson ? "application/json" : "application/x-protobuf",
    ...(isCompressed ? { "content-encoding": "gzip" } : {})
  }
  const counts: { [S in Signal]: number } = { traces: 0, metrics: 0, logs: 0 }
  const failing = new Set<Signal>()
  let sinceMillis = 0

  const note = (signal: Signal, reason: string | undefined) => {
    if (reason === undefined) {
      if (!failing.delete(signal) || failing.size > 0) return
      const seconds = Math.round((performance.now() - sinceMillis) / 1000)
      return say(`The OTLP collector accepts telemetry again, after ${seconds} s`, false)
    }
    counts[signal] += 1
    if (failing.size === 0) {
      sinceMillis = performance.now()
      const origin = new URL(settings.endpoints[signal] ?? "").origin
      say(
        `The OTLP collector ${origin} does not accept ${signal}: ${reason}. What does not fit its queue is dropped`,
        true
      )
    }
    failing.add(signal)
  }

  const encode = async (signal: Signal, items: ReadonlyArray<Value>): Promise<Uint8Array> => {
    const request = OtlpMessage.request(signal, head, items)
    const body = isJson ? Buffer.from(JSON.stringify(request)) : OtlpMessage.toProtobuf(signal, request)
    return isCompressed ? compress(body) : body
  }

  return {
    failures: (signal) => counts[signal],
    send: async (signal, items) => {
      const url = settings.endpoints[signal]
      if (url === undefined) return { _tag: "Refused" }
      try {
        const body = await encode(signal, items)
        const response = await fetch(url, {
          method: "POST",
          headers,
          body,
          redirect: "manual",
          signal: AbortSignal.any([stop, AbortSignal.timeout(timeoutMillis)])
        })
        const answer = new Uint8Array(await response.arrayBuffer())
        const { status } = response
        if (response.ok) {
          note(signal, undefined)
          return { _tag: "Accepted", rejected: rejectedIn(response.headers.get("content-type"), answer) }
        }
        note(signal, `status ${status}`)
        return retried.has(status)
          ? { _tag: "Away", afterMillis: retryAfterMillis(response.headers.get("retry-after")) }
          : { _tag: "Refused" }
      } catch (error) {
        note(signal, reasonOf(error))
        return { _tag: "Away", afterMillis: undefined }
      }
    }
  }
}
