/**
 * Waits for the next event of something that calls listeners, for a time, or for the end of a signal.
 */

/** Waits up to a number of milliseconds. An event between two waits ends the next one immediately. */
export interface Bell {
  (millis: number): Promise<void>
}

/** A bell that listens until the signal is aborted. */
export const make = (subscribe: (listener: () => void) => () => void, signal: AbortSignal): Bell => {
  let ring = () => {}
  let isRung = false
  const unsubscribe = subscribe(() => {
    isRung = true
    ring()
  })
  signal.addEventListener("abort", () => {
    unsubscribe()
    ring()
  })
  return (millis) =>
    new Promise((resolve) => {
      if (isRung || signal.aborted) {
        isRung = false
        return resolve()
      }
      const timer = setTimeout(() => ring(), millis)
      ring = () => {
        clearTimeout(timer)
        isRung = false
        resolve()
      }
    })
}
