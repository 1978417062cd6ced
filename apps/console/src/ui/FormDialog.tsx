/**
 * A dialog with a form. It stays open with the error of the service until the form is accepted.
 */
import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"
import { ErrorMessage } from "./ErrorMessage.tsx"

export interface FormDialogProps {
  readonly title: string
  /** The text of the button. */
  readonly action: string
  readonly kind?: "wide"
  readonly onClose: () => void
  readonly onSubmit: () => Promise<unknown>
  /** The fields, given the error of the last attempt. */
  readonly children: (error: unknown) => ComponentChildren
}

export const FormDialog = ({ action, children, kind, onClose, onSubmit, title }: FormDialogProps) => {
  const [error, setError] = useState<unknown>(undefined)
  const [isSending, setSending] = useState(false)
  const submit = async () => {
    setSending(true)
    setError(undefined)
    try {
      await onSubmit()
      onClose()
    } catch (cause) {
      setError(cause)
      setSending(false)
    }
  }
  return (
    <Dialog title={title} onClose={onClose} {...(kind === undefined ? {} : { kind })}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isSending) void submit()
        }}
      >
        {children(error)}
        <ErrorMessage error={error} />
        <p class="row">
          <Button type="submit" kind="primary" disabled={isSending}>
            {action}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </p>
      </form>
    </Dialog>
  )
}
