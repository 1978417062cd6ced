/**
 * Opens and keeps named queries of a resource.
 */
import { useState } from "preact/hooks"
import { Button, IconButton } from "../../../ui/Button.tsx"
import { Dialog } from "../../../ui/Dialog.tsx"
import { TextField } from "../../../ui/Field.tsx"
import * as SavedView from "./SavedView.ts"

export interface ViewChoiceProps {
  readonly layout: SavedView.Layout
  readonly query: string
  readonly onLayout: (layout: SavedView.Layout) => void
  readonly onOpen: (query: string) => void
  readonly onClose: () => void
}

export const ViewChoice = ({ layout, onClose, onLayout, onOpen, query }: ViewChoiceProps) => {
  const [name, setName] = useState("")
  return (
    <Dialog title="Saved views" onClose={onClose}>
      {layout.views.length === 0 ? <p class="hint">No view is saved yet.</p> : null}
      <ul class="saved-views" aria-label="Saved views">
        {layout.views.map((view) => (
          <li key={view.name} class="row">
            <Button
              kind="quiet"
              title={view.query}
              onClick={() => {
                onOpen(view.query)
                onClose()
              }}
            >
              {view.name}
            </Button>
            <IconButton
              icon="trash"
              label={`Delete the view ${view.name}`}
              onClick={() => onLayout(SavedView.withoutView(layout, view.name))}
            />
          </li>
        ))}
      </ul>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() === "") return
          onLayout(SavedView.withView(layout, { name: name.trim(), query }))
          setName("")
        }}
      >
        <TextField
          label="Name of this view"
          hint={query === "" ? "All rows" : query}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Button type="submit" kind="primary">
          Save
        </Button>
      </form>
    </Dialog>
  )
}
