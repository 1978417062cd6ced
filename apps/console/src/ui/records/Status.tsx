/**
 * The status of a response, and the state of a delivery, each in its colour.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"

/** The status of a response; undefined while there is none. */
export const Status = ({ status }: { readonly status: number | undefined }) => (
  <span class={`status s${String(status).charAt(0)}`}>{status ?? "…"}</span>
)

export const DeliveryState = ({
  state
}: {
  readonly state: AdminApi.DeliveryState | AdminApi.DeliveryAttempt["outcome"]
}) => <span class={`state ${state}`}>{state}</span>
