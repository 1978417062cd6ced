/**
 * The bodies of the refusals of quotas, and of the fixed number of webhooks.
 */
import type * as Wire from "@mfgdata/domain/RowError"
import * as Settings from "../../Settings.ts"
import type { StoreRefusal } from "../../sql/Change.ts"

type Exceeded = Extract<StoreRefusal, { readonly _tag: "QuotaExceeded" }>

interface QuotaBody {
  readonly status: number
  readonly code: Wire.KnownCode
  readonly message: string
  readonly details: string
  readonly hint: string
}

export const make = ({ limit, quota, used }: Exceeded): QuotaBody => {
  const refusal = { status: 403, code: "53400" } as const
  return quota === "webhooks" && limit === Settings.mostWebhooks
    ? {
        ...refusal,
        message: "The company has the maximum number of webhooks",
        details: `${used} of ${limit} webhooks are used. The limit is fixed.`,
        hint: "Delete webhooks."
      }
    : {
        ...refusal,
        message: `The company has reached its quota of ${quota}`,
        details: `${used} of ${limit} ${quota} are used (--quota ${quota}).`,
        hint: `Delete ${quota === "webhooks" ? "webhooks" : "rows"}, or ask the operator of the service for a larger quota.`
      }
}
