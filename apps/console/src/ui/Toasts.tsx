/**
 * Short messages at the edge of the page, with an undo where there is one. They go by themselves, and stay while one is
 * pointed at or focused.
 */
import { signal } from "@preact/signals"
import { useEffect, useState } from "preact/hooks"
import { Button, IconButton } from "./Button.tsx"

export interface ToastOptions {
  readonly kind?: "error"
  readonly undo?: () => void
  /** The name of the button (default Undo). */
  readonly action?: string
}

interface Toast extends ToastOptions {
  readonly id: number
  readonly text: string
}

const visibleMillis = 8000
const most = 4

const toasts = signal<ReadonlyArray<Toast>>([])
let count = 0

const dismiss = (id: number): void => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

/** Shows a message. */
export const show = (text: string, options: ToastOptions = {}): void => {
  toasts.value = [...toasts.value, { ...options, id: ++count, text }].slice(-most)
}

const ToastCard = ({ toast: { action = "Undo", id, kind, text, undo } }: { readonly toast: Toast }) => {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => dismiss(id), visibleMillis)
    return () => clearTimeout(timer)
  }, [isHeld])
  return (
    <li
      class={`toast ${kind ?? ""}`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      <span>{text}</span>
      {undo === undefined ? null : (
        <Button
          icon="undo"
          onClick={() => {
            dismiss(id)
            undo()
          }}
        >
          {action}
        </Button>
      )}
      <IconButton icon="close" label="Dismiss" onClick={() => dismiss(id)} />
    </li>
  )
}

/** The place of the messages. */
export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite" aria-label="Messages">
    <ul>
      {toasts.value.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </ul>
  </div>
)
