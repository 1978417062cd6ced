/**
 * The clock of the world: frozen, resumed, set and advanced, where it is a virtual one.
 */
import { useState } from "preact/hooks"
import * as Timestamp from "../../ui/moment.ts"
import * as Admin from "../../service/Admin.ts"
import * as WorldState from "../../session/WorldState.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorMessage } from "../../ui/ErrorMessage.tsx"
import { Field } from "../../ui/Field.tsx"
import { useAction } from "../../ui/useAction.ts"
import { useLoad } from "../../ui/useLoad.ts"

const steps = [
  { title: "1 minute", seconds: 60 },
  { title: "1 hour", seconds: 3600 },
  { title: "1 day", seconds: 86_400 }
] as const

export const Clock = () => {
  const { error, value: clock } = useLoad(
    (signal) => Admin.perform("readClock", {}, { signal }),
    [WorldState.version.value]
  )
  const [time, setTime] = useState("")
  const { act: change, refusal } = useAction(WorldState.changed)
  if (clock === undefined) return <ErrorMessage error={error} />
  const moment = Timestamp.parse(time)
  return (
    <section class="card world-card">
      <h2>Clock</h2>
      <p role="status">
        <time dateTime={clock.now}>{clock.now}</time>
        {clock.kind === "system" ? ", that of the machine" : clock.frozen ? ", frozen" : ", running"}
        {clock.ran.length === 0 ? "" : `; ran ${clock.ran.length} attempts of deliveries`}
      </p>
      {clock.kind === "system" ? (
        <p class="hint">Only worlds and services with --clock virtual have a clock that can be changed.</p>
      ) : (
        <>
          <p class="row">
            {clock.frozen ? (
              <Button icon="play" onClick={() => void change(() => Admin.perform("resumeClock", {}))}>
                Resume
              </Button>
            ) : (
              <Button icon="pause" onClick={() => void change(() => Admin.perform("freezeClock", {}))}>
                Freeze
              </Button>
            )}
            {steps.map(({ seconds, title }) => (
              <Button key={seconds} onClick={() => void change(() => Admin.perform("advanceClock", { seconds }))}>
                Advance {title}
              </Button>
            ))}
          </p>
          <form
            class="row"
            onSubmit={(event) => {
              event.preventDefault()
              if (moment !== undefined) void change(() => Admin.perform("setClock", { to: moment }))
            }}
          >
            <Field label="Set to" error={time === "" || moment !== undefined ? undefined : Timestamp.expected}>
              {(described) => (
                <input
                  {...described}
                  placeholder={clock.now}
                  value={time}
                  onInput={({ currentTarget }) => setTime(currentTarget.value)}
                />
              )}
            </Field>
            <Button type="submit" disabled={moment === undefined}>
              Set
            </Button>
          </form>
        </>
      )}
      <ErrorMessage error={refusal} />
    </section>
  )
}
