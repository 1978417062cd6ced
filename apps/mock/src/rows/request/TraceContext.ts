/**
 * Reads the W3C trace context of a request, and keeps it with the events of a change for their deliveries. The service
 * passes it on as it is.
 */
import type * as Exchange from "../../Exchange.ts"

export interface TraceContext {
  /** The header in the form of version 00. */
  readonly traceparent: string
  readonly tracestate: string | undefined
  readonly traceId: string
  /** The span of the client. */
  readonly spanId: string
  readonly isSampled: boolean
}

const form = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/

/** The members of vendors: at least 512 characters have to be passed on. */
const stateForm = /^[\x20-\x7e]{1,512}$/

const parse = (traceparent: string | undefined, tracestate: string | undefined): TraceContext | undefined => {
  const [, version, traceId, spanId, flags, rest] = form.exec(traceparent ?? "") ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  // Only a later version may have more fields.
  if (version === "00" && rest !== undefined) return undefined
  return {
    traceparent: `00-${traceId}-${spanId}-${flags}`,
    tracestate: tracestate !== undefined && stateForm.test(tracestate) ? tracestate : undefined,
    traceId,
    spanId,
    isSampled: (Number.parseInt(flags, 16) & 1) === 1
  }
}

/** The trace context of a request; undefined for one without a valid `traceparent`. */
export const fromHeaders = ({ traceparent, tracestate }: Exchange.Headers): TraceContext | undefined =>
  traceparent === undefined ? undefined : parse(traceparent, tracestate)

/** The text that is stored with an event. */
export const toText = (headers: Exchange.Headers): string | null => {
  const context = fromHeaders(headers)
  if (context === undefined) return null
  const { traceparent, tracestate } = context
  return tracestate === undefined ? traceparent : `${traceparent} ${tracestate}`
}

/** The headers of a stored text. */
export const headersOf = (text: string): { readonly [name: string]: string } => {
  const end = text.indexOf(" ")
  return end === -1 ? { traceparent: text } : { traceparent: text.slice(0, end), tracestate: text.slice(end + 1) }
}
