/**
 * A modal dialog on the browser's own, which keeps the focus inside, closes with Escape and gives the focus back.
 */
import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { IconButton } from "./Button.tsx"

export interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  readonly kind?: "wide" | "palette" | "side"
  /** Set for a dialog that only an answer closes. */
  readonly isRequired?: boolean
}

export const Dialog = ({ children, isRequired = false, kind, onClose, title }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const isShown = useRef(true)
  const heading = useId()
  useLayoutEffect(() => {
    const { current } = dialog
    const { activeElement } = document
    current?.showModal()
    return () => {
      isShown.current = false
      current?.close()
      if (activeElement instanceof HTMLElement && activeElement.isConnected) activeElement.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class={`dialog ${kind ?? ""}`}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        if (!isRequired) onClose()
      }}
      onClose={({ currentTarget }) => {
        // A browser lets a page keep a dialog open at the first Escape only.
        if (!isShown.current) return
        if (isRequired) currentTarget.showModal()
        else onClose()
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget && !isRequired) onClose()
      }}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id={heading}>{title}</h2>
          {isRequired ? null : <IconButton icon="close" label="Close" onClick={onClose} />}
        </header>
        {children}
      </div>
    </dialog>
  )
}
