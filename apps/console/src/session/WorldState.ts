/**
 * The state of the world besides its rows: its clock, its faults, the list of worlds. What changes it says so, and what
 * shows it loads again.
 */
import { signal, type ReadonlySignal } from "@preact/signals"

const count = signal(0)

/** An input of `useLoad` for what shows this state. */
export const version: ReadonlySignal<number> = count

/** Notes a change. */
export const changed = (): void => {
  count.value += 1
}
