/**
 * The snapshots of the world: saved, restored and deleted.
 */
import { useState } from "preact/hooks"
import * as Address from "../../router/Address.ts"
import * as Admin from "../../service/Admin.ts"
import * as World from "../../session/World.ts"
import * as WorldState from "../../session/WorldState.ts"
import { Button, IconButton } from "../../ui/Button.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { ErrorMessage } from "../../ui/ErrorMessage.tsx"
import { TextField } from "../../ui/Field.tsx"
import { Time } from "../../ui/Time.tsx"
import * as Toasts from "../../ui/Toasts.tsx"
import { useAction } from "../../ui/useAction.ts"
import { useLoad } from "../../ui/useLoad.ts"

export const Snapshots = () => {
  const { value: world } = World.current
  const { error, reload, value } = useLoad((signal) => Admin.perform("listWorldSnapshots", { world }, { signal }), [])
  const [name, setName] = useState("")
  const [restored, setRestored] = useState<string | undefined>(undefined)
  const { act: attempt, refusal } = useAction(reload)
  return (
    <section class="card world-card">
      <h2>Snapshots of {world}</h2>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault()
          void attempt(async () => {
            await Admin.perform("createWorldSnapshot", { world, name })
            setName("")
          })
        }}
      >
        <TextField
          label="Name of a snapshot"
          required
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Button type="submit" icon="plus">
          Save
        </Button>
      </form>
      <ErrorMessage error={refusal ?? error} />
      {value?.length === 0 ? <p class="hint">A snapshot keeps the state of this world, to come back to it.</p> : null}
      <ul class="snapshots">
        {value?.map(({ createdAt, name: snapshot }) => (
          <li key={snapshot} class="row">
            <b>{snapshot}</b>
            <Time at={createdAt} />
            <span class="spring" />
            <Button onClick={() => setRestored(snapshot)}>Restore {snapshot}</Button>
            <a
              href={Address.href(
                `/worlds/diff?from=${encodeURIComponent(`${world}:${snapshot}`)}&to=${encodeURIComponent(world)}`
              )}
            >
              Changes since {snapshot}
            </a>
            <IconButton
              icon="trash"
              label={`Delete the snapshot ${snapshot}`}
              onClick={() => void attempt(() => Admin.perform("dropWorldSnapshot", { world, snapshot }))}
            />
          </li>
        ))}
      </ul>
      {restored === undefined ? null : (
        <Confirm
          title={`Restore ${restored}`}
          action="Restore"
          onClose={() => setRestored(undefined)}
          run={async () => {
            await Admin.perform("restoreWorldSnapshot", { world, snapshot: restored })
            WorldState.changed()
            Toasts.show(`The world ${world} is as in ${restored}.`)
          }}
        >
          All rows of the world {world} become those of the snapshot.
        </Confirm>
      )}
    </section>
  )
}
