/**
 * The form of a new world: a fork of another one, or one that begins with a seed.
 */
import { useState } from "preact/hooks"
import * as Admin from "../../service/Admin.ts"
import { messagesByField } from "../../service/ServiceError.ts"
import * as World from "../../session/World.ts"
import * as WorldState from "../../session/WorldState.ts"
import { SelectField, TextField } from "../../ui/Field.tsx"
import { FormDialog } from "../../ui/FormDialog.tsx"
import * as Moment from "../../ui/moment.ts"

const seeds = [
  { value: "", text: "A fork: the rows of its parent" },
  { value: "demo", text: "The demo's rows" },
  { value: "empty", text: "No rows" }
]

export const WorldForm = ({ from, onClose }: { readonly from: string; readonly onClose: () => void }) => {
  const [name, setName] = useState("")
  const [seed, setSeed] = useState("")
  const [time, setTime] = useState("")
  const asOf = Moment.parse(time)
  const create = async () => {
    if (time !== "" && asOf === undefined) throw new Error(Moment.expected)
    const world = await Admin.perform("createWorld", {
      ...(name === "" ? {} : { name }),
      ...(seed === "demo" || seed === "empty" ? { seed } : { from, ...(asOf === undefined ? {} : { asOf }) })
    })
    WorldState.changed()
    World.select(world.name)
  }
  return (
    <FormDialog title="New world" action="Create and show it" onClose={onClose} onSubmit={create}>
      {(error) => (
        <>
          <TextField
            label="Name"
            value={name}
            hint="Without a name it gets one."
            error={messagesByField(error).get("name")}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
          <SelectField
            label="Begins with"
            options={seeds}
            value={seed}
            onChange={({ currentTarget }) => setSeed(currentTarget.value)}
          />
          {seed === "" ? (
            <TextField
              label={`State of ${from} at`}
              value={time}
              placeholder="2027-03-01T09:30:00Z"
              hint="Empty: now. A past moment needs --history on."
              error={time === "" || asOf !== undefined ? messagesByField(error).get("asOf") : Moment.expected}
              onInput={({ currentTarget }) => setTime(currentTarget.value)}
            />
          ) : null}
        </>
      )}
    </FormDialog>
  )
}
