/**
 * The dialogs of the shell, of which one is open at a time.
 */
import { signal, type ReadonlySignal } from "@preact/signals"

export type Panel = "palette" | "keys" | "requests" | "session" | "navigation"

const opened = signal<Panel | undefined>(undefined)

/** The open dialog. */
export const current: ReadonlySignal<Panel | undefined> = opened

export const open = (panel: Panel): void => {
  opened.value = panel
}

export const close = (): void => {
  opened.value = undefined
}
