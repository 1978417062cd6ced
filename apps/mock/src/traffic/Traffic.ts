/**
 * Keeps the last exchanges of a world in memory, bounded in number and in bytes. Recording keeps references; secrets are
 * hidden when somebody reads.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import type { NamedCaller } from "../access/ApiKeys.ts"
import * as Exchange from "../Exchange.ts"
import * as ServiceColumn from "../sql/ServiceColumn.ts"
import * as TrafficText from "./TrafficText.ts"

/** A completed exchange. */
interface Completed {
  readonly request: Exchange.Request
  readonly response: Exchange.Response
  readonly resource: string | undefined
  readonly requestId: string
  /** Milliseconds since 1970, by the clock of the world. */
  readonly at: number
  readonly millis: number
}

/** An exchange whose bodies are texts that are kept. */
interface Recorded extends Completed {
  readonly sequence: number
  readonly request: Exchange.Request & { readonly body: string }
  readonly response: Exchange.Response & { readonly body: string }
  /** The sizes of the whole bodies, where the texts are others. */
  readonly requestBytes: number | undefined
  readonly responseBytes: number | undefined
  /** The memory that the exchange takes, about. */
  readonly size: number
}

export type Filter = Omit<AdminApi.Request<"listTraffic">, "limit" | "after">

export interface Traffic {
  readonly record: (exchange: Completed) => void
  /** The newest exchanges of a filter first, before the exchange `after`. */
  readonly list: (filter: Filter, limit: number, after?: number) => ReadonlyArray<AdminApi.Exchange>
  /** The exchanges of a filter after the exchange `after`, the oldest first. */
  readonly since: (filter: Filter, after: number) => ReadonlyArray<AdminApi.Exchange>
  /** The number of the last exchange; 0 before the first. */
  readonly last: () => number
  /** Calls the listener after each exchange; the returned function removes it. */
  readonly subscribe: (listener: () => void) => () => void
}

export interface Options {
  readonly exchanges: number
  readonly bytes: number
  /** The caller of a request, as far as its key is known when somebody reads. */
  readonly callerOf: (headers: Exchange.Headers) => NamedCaller | undefined
}

/** The memory that the exchanges of a world take at most. */
export const mostBytes: number = 64 * 1024 * 1024

/** The memory of an exchange without its texts. */
const overhead = 1000

/** A message with a body that can be kept: itself, if its body can be. */
const keep = <M extends Exchange.Request | Exchange.Response>(
  message: M,
  text: string
): M & { readonly body: string } =>
  // The guard compares the body.
  message.body === text ? (message as M & { readonly body: string }) : { ...message, body: text }

const record = (exchange: Completed, sequence: number): Recorded => {
  const { request, response } = exchange
  const texts = { request: TrafficText.fromBody(request.body), response: TrafficText.fromBody(response.body) }
  return {
    at: exchange.at,
    millis: exchange.millis,
    requestId: exchange.requestId,
    resource: exchange.resource,
    sequence,
    request: keep(request, texts.request),
    response: keep(response, texts.response),
    requestBytes: request.body === texts.request ? undefined : Exchange.bytesOf(request.body),
    responseBytes: response.body === texts.response ? undefined : Exchange.bytesOf(response.body),
    size: overhead + 2 * (texts.request.length + texts.response.length + request.target.length)
  }
}

const lost = { Reset: "reset", Hang: "hang", Cut: "cut", Paced: null } as const

const show = (
  { at, millis, request, requestBytes, requestId, resource, response, responseBytes, sequence }: Recorded,
  caller: NamedCaller | undefined
): AdminApi.Exchange => ({
  sequence,
  at: ServiceColumn.timestamp(at),
  millis: Math.round(millis * 1000) / 1000,
  method: request.method,
  target: TrafficText.redactTarget(request.target),
  resource: resource ?? null,
  status: response.status,
  requestId,
  apiKey: caller?.keyName ?? null,
  companyId: caller?.companyId ?? null,
  peer: request.peer ?? null,
  traceparent: request.headers["traceparent"] ?? null,
  fault: response.headers["Mfg-Fault"] ?? null,
  lost: response.sending === undefined ? null : lost[response.sending._tag],
  request: {
    headers: TrafficText.redactHeaders(request.headers),
    body: TrafficText.redactBody(request.body, request.headers["content-type"]),
    bytes: requestBytes ?? Exchange.bytesOf(request.body)
  },
  response: {
    headers: TrafficText.redactHeaders(response.headers),
    body: TrafficText.redactBody(response.body, response.headers["Content-Type"]),
    bytes: responseBytes ?? Exchange.bytesOf(response.body)
  }
})

const isOfStatus = (wanted: string, status: number): boolean =>
  wanted.endsWith("xx") ? wanted[0] === String(status)[0] : wanted === String(status)

const millisOf = (timestamp: Timestamp.Timestamp | undefined): number | undefined =>
  timestamp === undefined ? undefined : Timestamp.toDateTime(timestamp).epochMillis

/** Compiles a filter to a predicate. */
const matching = (filter: Filter, callerOf: Options["callerOf"]): ((exchange: Recorded) => boolean) => {
  const { fault, key, method, path, request: requestId, resource, slower, status } = filter
  const [since, until] = [millisOf(filter.since), millisOf(filter.until)]
  return ({ at, millis, request, requestId: id, resource: name, response }) => {
    const faults = response.headers["Mfg-Fault"]
    return (
      (method === undefined || method === request.method) &&
      (resource === undefined || resource === name) &&
      (status === undefined || isOfStatus(status, response.status)) &&
      (key === undefined || key === callerOf(request.headers)?.keyName) &&
      (path === undefined || request.target.startsWith(path)) &&
      (requestId === undefined || requestId === id) &&
      (fault === undefined || (faults !== undefined && (fault === "*" || faults.split(", ").includes(fault)))) &&
      (since === undefined || at >= since) &&
      (until === undefined || at < until) &&
      (slower === undefined || millis >= slower)
    )
  }
}

/** The traffic of a world. */
export const make = ({ callerOf, ...limits }: Options): Traffic => {
  // The oldest exchange is at `start`; the places before it are empty, and removed from time to time.
  let kept: Array<Recorded | undefined> = []
  let start = 0
  let bytes = 0
  let count = 0
  const listeners = new Set<() => void>()

  const shown = (exchange: Recorded) => show(exchange, callerOf(exchange.request.headers))

  const trim = () => {
    while (kept.length - start > limits.exchanges || (bytes > limits.bytes && start < kept.length)) {
      bytes -= kept[start]?.size ?? 0
      kept[start] = undefined
      start += 1
    }
    if (start <= limits.exchanges) return
    kept = kept.slice(start)
    start = 0
  }

  return {
    record: (exchange) => {
      count += 1
      const recorded = record(exchange, count)
      kept.push(recorded)
      bytes += recorded.size
      trim()
      for (const listener of listeners) listener()
    },
    list: (filter, limit, after = Infinity) => {
      const isMatch = matching(filter, callerOf)
      const found: Array<AdminApi.Exchange> = []
      for (let index = kept.length - 1; index >= start && found.length < limit; index -= 1) {
        const exchange = kept[index]
        if (exchange !== undefined && exchange.sequence < after && isMatch(exchange)) found.push(shown(exchange))
      }
      return found
    },
    since: (filter, after) => {
      const isMatch = matching(filter, callerOf)
      return kept
        .slice(start)
        .flatMap((exchange) =>
          exchange !== undefined && exchange.sequence > after && isMatch(exchange) ? [shown(exchange)] : []
        )
    },
    last: () => count,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    }
  }
}
