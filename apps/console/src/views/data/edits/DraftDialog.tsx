/**
 * The form of a row to create. What is typed is in the queue of edits at every moment.
 */
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import type { ResourceInfo } from "../../../service/Catalogue.ts"
import { Button } from "../../../ui/Button.tsx"
import { Dialog } from "../../../ui/Dialog.tsx"
import * as CellText from "../value/CellText.ts"
import * as EditQueue from "./EditQueue.ts"
import * as Edits from "./Edits.ts"
import { RowForm } from "./RowForm.tsx"

export interface DraftDialogProps {
  readonly resource: ResourceInfo
  readonly id: string
  readonly onReview: () => void
  readonly onClose: () => void
}

export const DraftDialog = ({ id, onClose, onReview, resource }: DraftDialogProps) => {
  const edit = Edits.queue.value.find((other) => other.id === id)
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>("input, textarea")?.focus(), [])
  useEffect(() => {
    if (edit === undefined) onClose()
  }, [edit === undefined])
  if (edit?._tag !== "Create") return null
  const fields = resource.columns.map((column) => {
    const input = edit.inputs[column.name]
    return { column, value: undefined, input, problem: input?.problem ?? edit.failure?.fields[column.name] }
  })
  return (
    <Dialog title={`New ${resource.name}`} kind="wide" onClose={onClose}>
      <form
        ref={form}
        class="value-form"
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          form.current?.requestSubmit()
        }}
        onSubmit={(event) => {
          event.preventDefault()
          onClose()
          onReview()
        }}
      >
        {edit.failure === undefined ? null : (
          <p class="field-error" role="alert">
            {CellText.visible(edit.failure.message)}
          </p>
        )}
        <RowForm
          resource={resource}
          fields={fields}
          onInput={({ name }, input) => Edits.change((queue) => EditQueue.change(queue, id, name, input))}
        />
        <p class="row">
          <Button type="submit" kind="primary">
            Review and send
          </Button>
          <Button onClick={onClose}>Keep for later</Button>
          <Button kind="danger" onClick={() => Edits.change((queue) => EditQueue.drop(queue, id))}>
            Discard
          </Button>
        </p>
      </form>
    </Dialog>
  )
}
