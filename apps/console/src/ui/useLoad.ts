/**
 * Loads data for a view: again when its inputs, the world or the session change, and when the service comes back.
 */
import { useEffect, useState } from "preact/hooks"
import * as Connection from "../service/Connection.ts"
import * as World from "../session/World.ts"

/** Data that is loaded. The last value stays while the next one is on its way. */
export interface Loaded<A> {
  readonly value: A | undefined
  readonly error: unknown
  readonly isLoading: boolean
  readonly reload: () => void
}

interface State<A> {
  readonly value: A | undefined
  readonly error: unknown
  readonly isLoading: boolean
}

export const useLoad = <A>(load: (signal: AbortSignal) => Promise<A>, inputs: ReadonlyArray<unknown>): Loaded<A> => {
  const [state, setState] = useState<State<A>>({ value: undefined, error: undefined, isLoading: true })
  const [version, setVersion] = useState(0)
  useEffect(() => {
    const controller = new AbortController()
    setState((state) => ({ ...state, isLoading: true }))
    load(controller.signal).then(
      (value) => {
        if (!controller.signal.aborted) setState({ value, error: undefined, isLoading: false })
      },
      (error: unknown) => {
        if (!controller.signal.aborted) setState((state) => ({ ...state, error, isLoading: false }))
      }
    )
    return () => controller.abort()
  }, [...inputs, version, Connection.epoch.value, World.current.value])
  return { ...state, reload: () => setVersion((version) => version + 1) }
}
