/**
 * The bodies of errors of a store that cannot serve a request.
 */
import type * as Wire from "@mfgdata/domain/RowError"
import type { StoreUnavailable } from "../store/Store.ts"
import type * as Exchange from "../Exchange.ts"
import * as StoppedBody from "./StoppedBody.ts"

interface OutageBody {
  readonly status: number
  readonly code: Wire.KnownCode
  readonly message: string
  readonly details?: string
  readonly hint: string
  readonly headers: Exchange.Headers
}

/** The codes of a store that cannot serve a request, and what lasts until the operator acts. */
const unavailable: {
  readonly [R in StoreUnavailable["reason"]]: readonly [
    code: Wire.KnownCode,
    message?: string,
    hint?: string,
    details?: string
  ]
} = {
  Overloaded: ["PGRST003"],
  OutOfMemory: ["53200", "out of memory", StoppedBody.smaller, "The database has no memory left for the statement."],
  CommitFailed: ["PGRST000"],
  ConnectionLost: ["PGRST001"],
  NoPrimary: ["PGRST001"],
  Closed: ["PGRST002"],
  Full: [
    "53100",
    "The store has no space left",
    "Repeat the request when the operator of the service has freed space."
  ],
  Damaged: ["XX001", "The store is damaged", `The operator of the service finds the damage with "mfg-mock check".`],
  Replaced: [
    "58P01",
    "The file of the store was removed or replaced while it was served",
    "Repeat the request when the operator of the service has started it again."
  ]
}

/** The body of the error of a store. */
export const make = ({ reason, retryAfterSeconds }: StoreUnavailable): OutageBody => {
  const headers = { "Retry-After": String(retryAfterSeconds) }
  const [
    code,
    message = "The store is unavailable",
    hint = "Repeat the request after the seconds in Retry-After.",
    details
  ] = unavailable[reason]
  return { status: 503, code, message, hint, headers, ...(details === undefined ? {} : { details }) }
}
