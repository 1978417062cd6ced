/**
 * One delivery: its event, and each attempt with its request, its response and the check of its signature.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"
import { useState } from "preact/hooks"
import * as Address from "../../router/Address.ts"
import * as Admin from "../../service/Admin.ts"
import { BodyText } from "../../ui/BodyText.tsx"
import { Button, IconButton } from "../../ui/Button.tsx"
import { ErrorMessage } from "../../ui/ErrorMessage.tsx"
import { Pairs } from "../../ui/records/Pairs.tsx"
import { DeliveryState, Status } from "../../ui/records/Status.tsx"
import { useAction } from "../../ui/useAction.ts"
import { useLoad } from "../../ui/useLoad.ts"
import { usePoll } from "../../ui/usePoll.ts"
import * as Signature from "./Signature.ts"

/** The pause between two looks at a delivery that is pending. */
const pollMillis = 2000

const Headers = ({
  headers,
  label
}: {
  readonly label: string
  readonly headers: { readonly [name: string]: string }
}) => (
  <section aria-label={label}>
    <h4>{label}</h4>
    <Pairs pairs={Object.entries(headers)} />
  </section>
)

const verdictText = (verdict: Signature.Verdict): string => {
  switch (verdict._tag) {
    case "Valid":
      return `The signature is valid; it was made at ${verdict.at}.`
    case "Invalid":
      return "No signature matches the present secret of the webhook."
    case "HeaderMissing":
      return `The attempt has no header ${verdict.header}.`
  }
}

const Attempt = ({
  attempt,
  detail
}: {
  readonly attempt: AdminApi.DeliveryAttempt
  readonly detail: AdminApi.DeliveryDetail
}) => {
  const { at, durationMillis, error, number, outcome, requestHeaders, responseBody, responseHeaders, status, url } =
    attempt
  const [verdict, setVerdict] = useState<string | undefined>(undefined)
  const check = async () => {
    try {
      const { secret } = await Admin.perform("showWebhookSecret", {
        id: detail.webhookId,
        companyId: detail.companyId
      })
      setVerdict(verdictText(await Signature.check(secret, attempt, JSON.stringify(detail.body))))
    } catch (cause) {
      setVerdict(cause instanceof Error ? cause.message : String(cause))
    }
  }
  return (
    <li class="card attempt">
      <h3>
        Attempt {number}: <DeliveryState state={outcome} /> {status === null ? null : <Status status={status} />}{" "}
        <small>
          {at}, {Math.round(durationMillis)} ms
        </small>
      </h3>
      <p class="address">{url}</p>
      {error === null ? null : <p class="warning">{error}</p>}
      <p class="row">
        <Button icon="check" onClick={() => void check()}>
          Check the signature
        </Button>
        <span role="status">{verdict}</span>
      </p>
      <div class="messages">
        <Headers label="Request" headers={requestHeaders} />
        <div class="message">
          {responseHeaders === null ? (
            <p class="hint">No response.</p>
          ) : (
            <Headers label="Response" headers={responseHeaders} />
          )}
          {responseBody === null ? null : <BodyText label={`Body of response ${number}`} text={responseBody} />}
        </div>
      </div>
    </li>
  )
}

export const Attempts = ({
  id,
  onChanged,
  onClose
}: {
  readonly id: string
  readonly onChanged: () => void
  readonly onClose: () => void
}) => {
  const { error, reload, value } = useLoad((signal) => Admin.perform("getDelivery", { id }, { signal }), [id])
  usePoll(reload, pollMillis, value?.state === "pending")
  const { act, refusal } = useAction(() => {
    reload()
    onChanged()
  })
  return (
    <section class="detail" aria-label="Delivery">
      <header class="row">
        <h2>Delivery {id}</h2>
        <span class="spring" />
        <Button icon="refresh" onClick={reload}>
          Refresh
        </Button>
        <Button icon="play" onClick={() => void act(() => Admin.perform("redeliver", { id }))}>
          Redeliver
        </Button>
        <IconButton icon="close" label="Close the delivery" onClick={onClose} />
      </header>
      <ErrorMessage error={refusal ?? error} />
      {value === undefined ? null : (
        <>
          <p>
            {value.type} of{" "}
            <a href={Address.href(`/${value.table}/${encodeURIComponent(value.key)}`)}>
              {value.table} {value.key}
            </a>
            , <DeliveryState state={value.state} />
            {value.dueAt === null ? "" : `, due ${value.dueAt}`}
          </p>
          <h3>Event</h3>
          <BodyText label="Event" text={JSON.stringify(value.body)} />
          <ol class="attempts">
            {value.log.toReversed().map((attempt) => (
              <Attempt key={attempt.at} attempt={attempt} detail={value} />
            ))}
          </ol>
        </>
      )}
    </section>
  )
}
