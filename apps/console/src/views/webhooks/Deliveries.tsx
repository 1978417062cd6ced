/**
 * The deliveries, the newest first: filtered by state and webhook, one beside the list, and redelivered one by one or
 * all that failed.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"
import * as Address from "../../router/Address.ts"
import * as Admin from "../../service/Admin.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorMessage } from "../../ui/ErrorMessage.tsx"
import { Choice } from "../../ui/records/FilterField.tsx"
import { DeliveryState } from "../../ui/records/Status.tsx"
import { Time } from "../../ui/Time.tsx"
import * as Toasts from "../../ui/Toasts.tsx"
import { useAction } from "../../ui/useAction.ts"
import { useLoad } from "../../ui/useLoad.ts"
import { usePoll } from "../../ui/usePoll.ts"
import { VirtualList } from "../../ui/VirtualList.tsx"
import { Attempts } from "./Attempts.tsx"
import * as Endpoint from "./Endpoint.ts"

const states: ReadonlyArray<AdminApi.DeliveryState> = ["pending", "delivered", "dead", "dropped", "held"]

const rowHeight = 32

/** The pause between two looks for new deliveries while the list is shown. */
const pollMillis = 3000

const Line = ({ delivery }: { readonly delivery: AdminApi.DeliveryRecord }) => {
  const { attempts, createdAt, key, state, table, type } = delivery
  return (
    <div class="record">
      <DeliveryState state={state} />
      <b>{type}</b>
      <span class="record-target">
        {table} <code>{key}</code>
      </span>
      <small class="number">{attempts === 1 ? "1 attempt" : `${attempts} attempts`}</small>
      <small class="only-wide">
        <Time at={createdAt} />
      </small>
    </div>
  )
}

export const Deliveries = () => {
  const query = Address.query.value
  const state = states.find((state) => state === query.get("state"))
  const webhookId = query.get("webhook") ?? undefined
  const chosen = query.get("delivery")
  const filter = { ...(state === undefined ? {} : { state }), ...(webhookId === undefined ? {} : { webhookId }) }
  const { error, reload, value } = useLoad(
    (signal) => Admin.perform("listDeliveries", { ...filter, limit: 500 }, { signal, isSilent: true }),
    [state, webhookId]
  )
  const { value: endpoints = [] } = useLoad(Endpoint.list, [])
  usePoll(reload, pollMillis)
  const { act, refusal } = useAction(reload)
  const redeliverAll = async () => {
    // The first moment there is.
    const since = "1970-01-01T00:00:00.000Z" as AdminApi.DeliveryRecord["createdAt"]
    const { count } = await Admin.perform("redeliverAll", { ...filter, state: "dead", since })
    Toasts.show(count === 1 ? "One delivery is sent again." : `${count} deliveries are sent again.`)
  }
  return (
    <>
      <div class="filter-bar" role="search" aria-label="Filter the deliveries">
        <Choice label="State" name="state" options={states} />
        <Choice
          label="Webhook"
          name="webhook"
          options={endpoints.map(({ id }) => id)}
          textOf={(webhookId) => endpoints.find(({ id }) => id === webhookId)?.name ?? webhookId}
        />
        <Button icon="play" onClick={() => void act(redeliverAll)}>
          Redeliver all that failed
        </Button>
      </div>
      <ErrorMessage error={refusal ?? error} />
      <div class={`list-and-detail deliveries ${chosen === null ? "" : "split"}`}>
        <VirtualList
          label="Deliveries"
          count={value?.length ?? 0}
          rowHeight={rowHeight}
          keyOf={(index) => value?.[index]?.id ?? index}
          row={(index) => {
            const delivery = value?.[index]
            return delivery === undefined ? null : <Line delivery={delivery} />
          }}
          onOpen={(index) => Address.setQuery({ delivery: value?.[index]?.id })}
          empty="No delivery yet."
        />
        {chosen === null ? null : (
          <Attempts
            key={chosen}
            id={chosen}
            onChanged={reload}
            onClose={() => Address.setQuery({ delivery: undefined })}
          />
        )}
      </div>
    </>
  )
}
