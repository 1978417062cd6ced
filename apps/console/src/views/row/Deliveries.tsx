/**
 * The deliveries to webhooks that a row has caused.
 */
import * as Admin from "../../service/Admin.ts"
import { ErrorMessage } from "../../ui/ErrorMessage.tsx"
import { useLoad } from "../../ui/useLoad.ts"
import * as Edits from "../data/edits/Edits.ts"
import type { HistoryProps } from "./History.tsx"

export const Deliveries = ({ resource, rowKey }: HistoryProps) => {
  const { error, value } = useLoad(
    (signal) => Admin.perform("listDeliveries", { table: resource, key: rowKey }, { signal }),
    [resource, rowKey, Edits.sent.value]
  )
  return (
    <>
      <ErrorMessage error={error} />
      {value === undefined ? null : value.length === 0 ? (
        <p class="hint">No webhook has received an event of this row.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">Created</th>
              <th scope="col">Event</th>
              <th scope="col">Webhook</th>
              <th scope="col">State</th>
              <th scope="col">Attempts</th>
            </tr>
          </thead>
          <tbody>
            {value.map(({ attempts, createdAt, id, state, type, webhookId }) => (
              <tr key={id}>
                <td>{createdAt}</td>
                <td>{type}</td>
                <td>{webhookId}</td>
                <td>{state}</td>
                <td class="number">{attempts}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}
