/**
 * Asks before something that cannot be undone.
 */
import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"
import { ErrorMessage } from "./ErrorMessage.tsx"

export interface ConfirmProps {
  readonly title: string
  /** The consequence, in a sentence. */
  readonly children: ComponentChildren
  /** The text of the button. */
  readonly action: string
  readonly run: () => Promise<unknown>
  readonly onClose: () => void
}

export const Confirm = ({ action, children, onClose, run, title }: ConfirmProps) => {
  const [error, setError] = useState<unknown>(undefined)
  const [isRunning, setRunning] = useState(false)
  const confirm = async () => {
    setRunning(true)
    try {
      await run()
      onClose()
    } catch (cause) {
      setError(cause)
      setRunning(false)
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      <ErrorMessage error={error} />
      <p class="row">
        <Button kind="danger" disabled={isRunning} onClick={() => void confirm()}>
          {action}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </p>
    </Dialog>
  )
}
