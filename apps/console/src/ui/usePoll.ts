/**
 * Repeats a look at the service while a component is shown, and the page is visible.
 */
import { useEffect } from "preact/hooks"

/** Runs `look` at intervals while `isOn`. */
export const usePoll = (look: () => void, millis: number, isOn: boolean = true): void => {
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") look()
    }, millis)
    return () => clearInterval(timer)
  }, [isOn])
}
