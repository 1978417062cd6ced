/**
 * Asks for the moment that the world is rewound to, and shows the number of changes since.
 */
import { useState } from "preact/hooks"
import * as Admin from "../../service/Admin.ts"
import { messagesByField } from "../../service/ServiceError.ts"
import * as World from "../../session/World.ts"
import * as WorldState from "../../session/WorldState.ts"
import { ErrorMessage } from "../../ui/ErrorMessage.tsx"
import { TextField } from "../../ui/Field.tsx"
import { FormDialog } from "../../ui/FormDialog.tsx"
import * as Moment from "../../ui/moment.ts"
import * as Toasts from "../../ui/Toasts.tsx"
import { useLoad } from "../../ui/useLoad.ts"
import * as Edits from "../data/edits/Edits.ts"

/** The most changes that are counted. */
const counted = 1000

const Consequence = ({ to }: { readonly to: NonNullable<ReturnType<typeof Moment.parse>> }) => {
  const { error, value } = useLoad(
    (signal) => Admin.perform("listHistory", { since: to, limit: counted }, { signal }),
    [to]
  )
  if (value === undefined) return <ErrorMessage error={error} />
  const resources = new Set(value.map(({ resource }) => resource))
  return (
    <p role="status">
      {value.length === counted ? `At least ${counted}` : value.length} changes since then, in {resources.size}{" "}
      resources.
    </p>
  )
}

export const RewindForm = ({ at, onClose }: { readonly at: string; readonly onClose: () => void }) => {
  const { value: world } = World.current
  const [text, setText] = useState(at)
  const to = Moment.parse(text)
  return (
    <FormDialog
      title={`Rewind ${world}`}
      action={`Rewind ${world}`}
      onClose={onClose}
      onSubmit={async () => {
        if (to === undefined) throw new Error(Moment.expected)
        const { changes } = await Admin.perform("rewindWorld", { world, to })
        WorldState.changed()
        Edits.reload()
        Toasts.show(`${changes} rows are as they were at ${to}.`)
      }}
    >
      {(error) => (
        <>
          <p>All rows of this world become those of the moment. The history keeps what they are now.</p>
          <TextField
            label="Moment"
            required
            value={text}
            error={to === undefined ? Moment.expected : messagesByField(error).get("to")}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
          {to === undefined ? null : <Consequence to={to} />}
        </>
      )}
    </FormDialog>
  )
}
