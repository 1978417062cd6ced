/**
 * Everything that touched a row, in order: requests, changes, deliveries to webhooks and their attempts.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"
import * as Admin from "../../service/Admin.ts"
import { ErrorMessage } from "../../ui/ErrorMessage.tsx"
import { useLoad } from "../../ui/useLoad.ts"
import * as Edits from "../data/edits/Edits.ts"
import * as CellText from "../data/value/CellText.ts"
import { between, DifferenceTable } from "./Difference.tsx"
import { actor, type HistoryProps } from "./History.tsx"

const Cause = ({ cause }: { readonly cause: AdminApi.HistoryCause }) => {
  switch (cause.type) {
    case "request":
      return (
        <>
          <b>Request</b> <code>{CellText.cell(cause.request ?? cause.requestId, 200)}</code> by{" "}
          {CellText.cell(actor(cause), 80)}
        </>
      )
    case "change":
      return (
        <>
          <b>Change</b> {cause.change.kind}
          <DifferenceTable differences={between(cause.change.before, cause.change.after)} />
        </>
      )
    case "delivery":
      return (
        <>
          <b>Delivery</b> {cause.delivery.type} to {cause.delivery.webhookId}: {cause.delivery.state}
        </>
      )
    case "attempt":
      return (
        <>
          <b>Attempt {cause.attempt.number}</b> to {CellText.cell(cause.attempt.url, 120)}: {cause.attempt.outcome}
          {cause.attempt.status === null ? "" : ` ${cause.attempt.status}`}
        </>
      )
  }
}

export const Causes = ({ resource, rowKey }: HistoryProps) => {
  const { error, value } = useLoad(
    (signal) => Admin.perform("explainRow", { resource, key: rowKey }, { signal }),
    [resource, rowKey, Edits.sent.value]
  )
  return (
    <>
      <ErrorMessage error={error} />
      {value?.length === 0 ? <p class="hint">Nothing is known to have touched this row.</p> : null}
      <ol class="history">
        {value?.map((cause, index) => (
          <li key={index}>
            <time dateTime={cause.at}>{cause.at}</time> <Cause cause={cause} />
          </li>
        ))}
      </ol>
    </>
  )
}
