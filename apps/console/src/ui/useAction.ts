/**
 * Runs what a person asks for, and keeps the refusal of the last time for the view to show.
 */
import { useState } from "preact/hooks"

export interface Action {
  readonly refusal: unknown
  /** Runs it, and then `after` where it succeeded. */
  readonly act: (run: () => Promise<unknown>) => Promise<void>
}

export const useAction = (after: () => void): Action => {
  const [refusal, setRefusal] = useState<unknown>(undefined)
  return {
    refusal,
    act: async (run) => {
      setRefusal(undefined)
      try {
        await run()
        after()
      } catch (error) {
        setRefusal(error)
      }
    }
  }
}
