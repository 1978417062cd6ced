/**
 * Follows the traffic of the world while a view is shown. Exchanges are gathered for a moment before the page shows
 * them, so that a busy service does not draw it for each. While paused, what arrives waits and is counted.
 */
import { useEffect, useRef, useState } from "preact/hooks"
import * as Admin from "../../service/Admin.ts"
import * as Live from "../../service/Live.ts"
import * as World from "../../session/World.ts"
import * as Exchanges from "./Exchanges.ts"
import * as TrafficFilter from "./TrafficFilter.ts"

const gatherMillis = 150

export interface Traffic {
  readonly exchanges: ReadonlyArray<TrafficFilter.Exchange>
  /** The number of exchanges that wait while the list is paused. */
  readonly waiting: number
  readonly error: unknown
  readonly clear: () => void
}

const nothing: ReadonlyArray<TrafficFilter.Exchange> = []

export const useTraffic = (search: string, isPaused: boolean): Traffic => {
  const [shown, setShown] = useState(nothing)
  const [waiting, setWaiting] = useState(nothing)
  const [error, setError] = useState<unknown>(undefined)
  const paused = useRef(isPaused)
  paused.current = isPaused

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    let gathered: Array<TrafficFilter.Exchange> = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = () => {
      timer = undefined
      const added = gathered
      gathered = []
      const keep = paused.current ? setWaiting : setShown
      keep((kept) => Exchanges.add(kept, added))
    }
    const fail = (cause: unknown) => {
      if (!signal.aborted) setError(cause)
    }
    const fields = TrafficFilter.fieldsOf(new URLSearchParams(search))
    setShown(nothing)
    setWaiting(nothing)
    setError(undefined)
    const load = async () => {
      const list = await Admin.perform("listTraffic", { ...fields, limit: 500 }, { signal })
      setShown((kept) => Exchanges.add(kept, list))
      // The stream continues after the list, so that nothing between them is missing.
      const after = list[0]?.sequence ?? 0
      await Live.follow(Admin.callOf("listTraffic", { ...fields, after }, { isSilent: true }), {
        signal,
        // The service encodes its events with the schema of this type.
        onEvent: ({ data }) => {
          gathered.push(JSON.parse(data) as TrafficFilter.Exchange)
          timer ??= setTimeout(show, gatherMillis)
        }
      })
    }
    load().catch(fail)
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [search, World.current.value])

  useEffect(() => {
    if (isPaused) return
    setShown((kept) => Exchanges.add(kept, waiting))
    setWaiting(nothing)
  }, [isPaused])

  return {
    exchanges: shown,
    waiting: waiting.length,
    error,
    clear: () => {
      setShown(nothing)
      setWaiting(nothing)
    }
  }
}
