/**
 * The connection to the service: notes that it has gone, and looks for it until it is back.
 */
import { signal, type ReadonlySignal } from "@preact/signals"

const reachable = signal(true)
const returns = signal(0)

/** Set while the service answers. */
export const isUp: ReadonlySignal<boolean> = reachable

/** The number of times that the service has come back: views load their data again when it changes. */
export const epoch: ReadonlySignal<number> = returns

const firstMillis = 250
const mostMillis = 3000

let waiting: ReadonlyArray<() => void> = []

const isAlive = async (): Promise<boolean> => {
  try {
    const response = await fetch("/health/live", { cache: "no-store", signal: AbortSignal.timeout(mostMillis) })
    return response.ok
  } catch {
    return false
  }
}

const look = async (millis: number): Promise<void> => {
  if (!(await isAlive())) {
    setTimeout(() => void look(Math.min(millis * 2, mostMillis)), millis)
    return
  }
  reachable.value = true
  returns.value += 1
  const released = waiting
  waiting = []
  for (const release of released) release()
}

/** Notes that a request had no response. */
export const lost = (): void => {
  if (!reachable.value) return
  reachable.value = false
  void look(firstMillis)
}

/** Resolves when the service answers. */
export const restored = (signal?: AbortSignal): Promise<void> =>
  reachable.value
    ? Promise.resolve()
    : new Promise((resolve, reject) => {
        waiting = [...waiting, resolve]
        signal?.addEventListener("abort", () => reject(signal.reason), { once: true })
      })
