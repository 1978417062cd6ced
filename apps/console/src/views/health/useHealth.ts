/**
 * Reads the metrics of the service at regular times while the page is visible.
 */
import { useEffect, useState } from "preact/hooks"
import * as Service from "../../service/Service.ts"
import * as Exposition from "./Exposition.ts"
import * as HealthSeries from "./HealthSeries.ts"

const periodMillis = 2000

interface State {
  readonly points: ReadonlyArray<HealthSeries.Point>
  readonly error: unknown
}

export const useHealth = (): State => {
  const [state, setState] = useState<State>({ points: [], error: undefined })
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    let last: HealthSeries.Reading | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let isReading = false
    const read = async () => {
      if (isReading) return
      isReading = true
      try {
        const { response } = await Service.open({
          target: "/metrics",
          credential: "admin",
          signal,
          // The first one is in the list of requests, the others would fill it.
          isSilent: last !== undefined
        })
        const reading = { at: Date.now(), samples: Exposition.parse(await response.text()) }
        const point = last === undefined ? undefined : HealthSeries.between(last, reading)
        last = reading
        setState(({ points }) => ({
          points: point === undefined ? points : [...points, point].slice(-HealthSeries.most),
          error: undefined
        }))
      } catch (error) {
        if (!signal.aborted) setState(({ points }) => ({ points, error }))
      }
      isReading = false
      if (!signal.aborted && !document.hidden) timer = setTimeout(() => void read(), periodMillis)
    }
    const resume = () => {
      clearTimeout(timer)
      if (!document.hidden) void read()
    }
    document.addEventListener("visibilitychange", resume, { signal })
    void read()
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [])
  return state
}
