/**
 * Records the calls of the page, so that each view can show its requests. Keys are not recorded.
 */
import { signal, type ReadonlySignal } from "@preact/signals"

/** A call and the head of its response. */
export interface RecordedCall {
  readonly id: number
  /** The path of the page that sent it. */
  readonly page: string
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** The headers without those of the key. */
  readonly headers: { readonly [name: string]: string }
  readonly body: string | undefined
  readonly credential: "api" | "admin"
  readonly world: string
  /** Undefined until the response is there. */
  readonly status: number | undefined
  readonly millis: number | undefined
  readonly requestId: string | undefined
}

const most = 200

/** The longest body that is kept. */
const bodyCharacters = 64 * 1024

const calls = signal<ReadonlyArray<RecordedCall>>([])

/** The last calls, the newest first. */
export const recent: ReadonlySignal<ReadonlyArray<RecordedCall>> = calls

let count = 0

/** Records a call, and returns the function that completes the record. */
export const begin = (
  call: Omit<RecordedCall, "id" | "page" | "status" | "millis" | "requestId">
): ((response: Pick<RecordedCall, "status" | "requestId">) => void) => {
  const id = ++count
  const start = performance.now()
  const body = call.body === undefined || call.body.length <= bodyCharacters ? call.body : undefined
  const entry = {
    ...call,
    body,
    id,
    page: location.pathname,
    status: undefined,
    millis: undefined,
    requestId: undefined
  }
  calls.value = [entry, ...calls.value].slice(0, most)
  return (response) => {
    const millis = performance.now() - start
    calls.value = calls.value.map((known) => (known.id === id ? { ...known, ...response, millis } : known))
  }
}
