/**
 * The form that sends a recorded request again, and shows the new response beside the recorded one.
 */
import { useEffect, useRef, useState } from "preact/hooks"
import { BodyText } from "../../ui/BodyText.tsx"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { ErrorMessage } from "../../ui/ErrorMessage.tsx"
import { Field, SelectField, TextField } from "../../ui/Field.tsx"
import { Status } from "../../ui/records/Status.tsx"
import * as Replay from "./Replay.ts"
import type { Exchange } from "./TrafficFilter.ts"

const methods = ["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"].map((value) => ({ value, text: value }))

const Result = ({
  body,
  millis,
  status,
  title
}: {
  readonly title: string
  readonly status: number
  readonly millis: number
  readonly body: string
}) => (
  <section class="message" aria-label={title}>
    <h3>
      {title} <Status status={status} /> <small>{Math.round(millis)} ms</small>
    </h3>
    <BodyText key={body} label={`Body of the ${title.toLowerCase()}`} text={body} />
  </section>
)

export const ReplayDialog = ({ exchange, onClose }: { readonly exchange: Exchange; readonly onClose: () => void }) => {
  const [draft, setDraft] = useState(() => Replay.draftOf(exchange))
  const [outcome, setOutcome] = useState<Replay.Outcome | undefined>(undefined)
  const [error, setError] = useState<unknown>(undefined)
  const [isSending, setSending] = useState(false)
  const controller = useRef(new AbortController())
  useEffect(() => () => controller.current.abort(), [])
  const change = (changes: Partial<Replay.Draft>) => setDraft((draft) => ({ ...draft, ...changes }))
  const problem = Replay.problemOf(draft)
  const errorOf = (field: keyof Replay.Draft) => (problem?.field === field ? problem.message : undefined)
  const send = async () => {
    setSending(true)
    setError(undefined)
    try {
      setOutcome(await Replay.send(draft, controller.current.signal))
    } catch (cause) {
      setError(cause)
    }
    setSending(false)
  }
  return (
    <Dialog title="Replay" kind="wide" onClose={onClose}>
      <form
        class="replay"
        onSubmit={(event) => {
          event.preventDefault()
          if (problem === undefined && !isSending) void send()
        }}
      >
        <div class="replay-target">
          <SelectField
            label="Method"
            options={methods}
            value={draft.method}
            onChange={({ currentTarget }) => change({ method: currentTarget.value })}
          />
          <TextField
            label="Path and query"
            value={draft.target}
            error={errorOf("target")}
            onInput={({ currentTarget }) => change({ target: currentTarget.value })}
          />
        </div>
        <Field label="Headers" error={errorOf("headers")} hint="The key is that of this session.">
          {(described) => (
            <textarea
              {...described}
              rows={4}
              value={draft.headers}
              onInput={({ currentTarget }) => change({ headers: currentTarget.value })}
            />
          )}
        </Field>
        <Field label="Body">
          {(described) => (
            <textarea
              {...described}
              rows={6}
              value={draft.body}
              onInput={({ currentTarget }) => change({ body: currentTarget.value })}
            />
          )}
        </Field>
        <p class="row">
          <Button type="submit" kind="primary" icon="play" disabled={problem !== undefined || isSending}>
            Send
          </Button>
          <Button onClick={() => setDraft(Replay.draftOf(exchange))}>Restore the recorded request</Button>
        </p>
      </form>
      <ErrorMessage error={error} />
      {outcome === undefined ? null : (
        <div class="messages" role="status">
          <Result
            title="Recorded response"
            status={exchange.status}
            millis={exchange.millis}
            body={exchange.response.body}
          />
          <Result title="New response" status={outcome.status} millis={outcome.millis} body={outcome.body} />
        </div>
      )}
    </Dialog>
  )
}
