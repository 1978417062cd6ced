/**
 * One exchange: its facts, and the request and the response side by side.
 */
import * as Address from "../../router/Address.ts"
import * as Catalogue from "../../service/Catalogue.ts"
import { BodyText } from "../../ui/BodyText.tsx"
import { Button, IconButton } from "../../ui/Button.tsx"
import { Pairs } from "../../ui/records/Pairs.tsx"
import { Status } from "../../ui/records/Status.tsx"
import type { Exchange } from "./TrafficFilter.ts"

const Message = ({ message, title }: { readonly title: string; readonly message: Exchange["request"] }) => (
  <section class="message">
    <h3>
      {title} <small>{message.bytes.toLocaleString()} bytes</small>
    </h3>
    <Pairs pairs={Object.entries(message.headers)} />
    <BodyText
      key={message.body}
      label={`Body of the ${title.toLowerCase()}`}
      text={message.body}
      bytes={message.bytes}
    />
  </section>
)

const lostTexts = {
  reset: "A fault reset the connection: the client did not get this response.",
  hang: "A fault held the response back: the client did not get it.",
  cut: "A fault cut the body of the response."
} as const

export interface ExchangeDetailProps {
  readonly exchange: Exchange
  readonly onReplay: () => void
  readonly onClose: () => void
}

export const ExchangeDetail = ({ exchange, onClose, onReplay }: ExchangeDetailProps) => {
  const { apiKey, at, companyId, fault, lost, method, millis, peer, request, requestId, resource, response, status } =
    exchange
  return (
    <section class="detail" aria-label="Exchange">
      <header class="row">
        <h2 class="detail-title">
          {method} {exchange.target}
        </h2>
        <span class="spring" />
        <Button icon="play" onClick={onReplay}>
          Replay
        </Button>
        <IconButton icon="close" label="Close the exchange" onClick={onClose} />
      </header>
      <dl class="facts">
        <dt>Status</dt>
        <dd>
          <Status status={status} /> in {millis.toFixed(1)} ms
        </dd>
        <dt>Time</dt>
        <dd>{at}</dd>
        <dt>Request id</dt>
        <dd>
          <code>{requestId}</code>
        </dd>
        <dt>Key</dt>
        <dd>
          {apiKey ?? "none"}
          {companyId === null ? "" : `, company ${companyId}`}
          {peer === null ? "" : `, from ${peer}`}
        </dd>
        {resource === null || Catalogue.find(resource) === undefined ? null : (
          <>
            <dt>Resource</dt>
            <dd>
              <a href={Address.href(`/${resource}`)}>{Catalogue.titleOf(resource)}</a>
            </dd>
          </>
        )}
        {fault === null ? null : (
          <>
            <dt>Fault</dt>
            <dd>
              <code>{fault}</code>
            </dd>
          </>
        )}
      </dl>
      {lost === null ? null : <p class="warning">{lostTexts[lost]}</p>}
      <div class="messages">
        <Message title="Request" message={request} />
        <Message title="Response" message={response} />
      </div>
    </section>
  )
}
