/**
 * Follows server-sent events. The key is a header, which `EventSource` cannot send, so the stream is one of `fetch`.
 */
import * as Connection from "./Connection.ts"
import * as ServerEvent from "./ServerEvent.ts"
import * as Service from "./Service.ts"

const pauseMillis = 1000

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, pauseMillis)
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true }
    )
  })

const once = async (
  call: Service.Call,
  lastId: string,
  signal: AbortSignal,
  onEvent: (event: ServerEvent.ServerEvent) => void
): Promise<void> => {
  const headers = {
    ...call.headers,
    Accept: "text/event-stream",
    ...(lastId === "" ? {} : { "Last-Event-ID": lastId })
  }
  const { response } = await Service.open({ ...call, headers, signal })
  if (response.body === null) return
  const parse = ServerEvent.parser(onEvent)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    parse(value)
  }
}

/**
 * Follows the events of a call until the signal is aborted. After an interruption it continues after the last event that
 * arrived. An error response rejects.
 */
export const follow = async (
  call: Service.Call,
  { onEvent, signal }: { readonly onEvent: (event: ServerEvent.ServerEvent) => void; readonly signal: AbortSignal }
): Promise<void> => {
  let lastId = ""
  const receive = (event: ServerEvent.ServerEvent) => {
    if (event.id !== "") lastId = event.id
    onEvent(event)
  }
  while (!signal.aborted) {
    try {
      await once(call, lastId, signal, receive)
    } catch (error) {
      if (signal.aborted) return
      // The stream broke off: a type error of `fetch` in the middle of the body.
      if (!(error instanceof TypeError)) throw error
      Connection.lost()
      await Connection.restored(signal).catch(() => undefined)
    }
    await pause(signal)
  }
}
