/**
 * The form of a new webhook.
 */
import { useState } from "preact/hooks"
import * as Catalogue from "../../service/Catalogue.ts"
import { messagesByField } from "../../service/ServiceError.ts"
import { CheckField, SelectField, TextField } from "../../ui/Field.tsx"
import { FormDialog } from "../../ui/FormDialog.tsx"
import * as Endpoint from "./Endpoint.ts"

const tables = Catalogue.resources.map(({ name }) => ({ value: name, text: name }))

const events = ["INSERT", "UPDATE", "DELETE"] as const

export const EndpointForm = ({
  onClose,
  onCreated
}: {
  readonly onClose: () => void
  readonly onCreated: () => void
}) => {
  const [draft, setDraft] = useState<Endpoint.Draft>({
    name: "",
    table: tables[0]?.value ?? "",
    url: "",
    events
  })
  const change = (changes: Partial<Endpoint.Draft>) => setDraft((draft) => ({ ...draft, ...changes }))
  const isCaught = draft.url === Endpoint.catchUrl()
  return (
    <FormDialog
      title="New webhook"
      action="Create"
      onClose={onClose}
      onSubmit={async () => {
        await Endpoint.create(draft)
        onCreated()
      }}
    >
      {(error) => {
        const messages = messagesByField(error)
        return (
          <>
            <TextField
              label="Name"
              required
              value={draft.name}
              error={messages.get("name")}
              onInput={({ currentTarget }) => change({ name: currentTarget.value })}
            />
            <SelectField
              label="Changes of"
              options={tables}
              value={draft.table}
              onChange={({ currentTarget }) => change({ table: currentTarget.value })}
            />
            <div class="row">
              {events.map((event) => (
                <CheckField
                  key={event}
                  label={event}
                  checked={draft.events.includes(event)}
                  onChange={(isChecked) =>
                    change({
                      events: isChecked ? [...draft.events, event] : draft.events.filter((each) => each !== event)
                    })
                  }
                />
              ))}
            </div>
            <TextField
              label="Address of the receiver"
              required
              type="url"
              value={draft.url}
              readOnly={isCaught}
              placeholder="https://receiver.example.com/hooks"
              error={messages.get("url")}
              onInput={({ currentTarget }) => change({ url: currentTarget.value })}
            />
            <CheckField
              label="Catch here: the service accepts the deliveries itself, and this page shows them"
              checked={isCaught}
              onChange={(isChecked) => change({ url: isChecked ? Endpoint.catchUrl() : "" })}
            />
          </>
        )
      }}
    </FormDialog>
  )
}
