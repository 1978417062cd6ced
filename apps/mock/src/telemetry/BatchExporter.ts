/**
 * Collects items of one kind, and sends them in batches. The queue is bounded: while the collector is away, what does not
 * fit is dropped and counted.
 */
import type { Value } from "./OtlpMessage.ts"
import type { Sent } from "./Collector.ts"

export interface BatchExporter<A> {
  readonly push: (item: A) => void
  /** Sends what waits, without a retry. */
  readonly flush: () => Promise<void>
  readonly counts: () => Counts
}

interface Counts {
  readonly exported: number
  readonly dropped: number
  readonly waiting: number
}

export interface Options<A> {
  readonly toValue: (item: A) => Value
  readonly send: (items: ReadonlyArray<Value>) => Promise<Sent>
  readonly delayMillis: number
  readonly queueSize: number
  readonly batchSize: number
}

const retryMillis = { first: 1000, most: 30_000 }

/** The number of items that are converted in one turn of the event loop. */
const slice = 64

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

export const make = <A>({ batchSize, delayMillis, queueSize, send, toValue }: Options<A>): BatchExporter<A> => {
  let queue: Array<A> = []
  /** The items that are being sent: they take their place in the queue until they are accepted. */
  let sending = 0
  let exported = 0
  let dropped = 0
  let isStopping = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let wake: (() => void) | undefined

  const pause = (millis: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, millis).unref()
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const convert = async (items: ReadonlyArray<A>): Promise<ReadonlyArray<Value>> => {
    const values: Array<Value> = []
    for (let start = 0; start < items.length; start += slice) {
      for (const item of items.slice(start, start + slice)) values.push(toValue(item))
      await turn()
    }
    return values
  }

  const sendBatch = async () => {
    const items = queue.slice(0, batchSize)
    queue = queue.slice(batchSize)
    sending = items.length
    const values = await convert(items)
    for (let wait = retryMillis.first; ; wait = Math.min(2 * wait, retryMillis.most)) {
      const sent = await send(values)
      if (sent._tag === "Accepted") {
        exported += items.length - sent.rejected
        dropped += sent.rejected
      } else if (sent._tag === "Refused" || isStopping) dropped += items.length
      else {
        await pause(sent.afterMillis ?? wait)
        continue
      }
      sending = 0
      return
    }
  }

  const run = async () => {
    clearTimeout(timer)
    timer = undefined
    await sendBatch()
    // A few items that came meanwhile wait for others: each request to the collector has a cost.
    const isFull = () => queue.length >= (isStopping ? 1 : batchSize)
    while (isFull()) await sendBatch()
    running = undefined
    if (queue.length > 0) timer ??= setTimeout(start, delayMillis).unref()
  }

  const start = (): Promise<void> => (running ??= queue.length === 0 ? undefined : run()) ?? Promise.resolve()

  return {
    push: (item) => {
      if (queue.length + sending >= queueSize) return void (dropped += 1)
      queue.push(item)
      if (running !== undefined) return
      if (queue.length >= batchSize) setImmediate(start)
      else timer ??= setTimeout(start, delayMillis).unref()
    },
    flush: () => {
      isStopping = true
      wake?.()
      return start()
    },
    counts: () => ({ exported, dropped, waiting: queue.length + sending })
  }
}
