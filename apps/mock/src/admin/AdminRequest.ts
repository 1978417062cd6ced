/**
 * The request of an administrator's operation, for what it records, and for operations that a client follows live.
 */
import * as FiberRef from "effect/FiberRef"
import type * as Exchange from "../Exchange.ts"

export interface AdminRequest {
  /** Empty for a command on this machine. */
  readonly id: string
  /** Set when the client accepts server-sent events. */
  readonly events: Events | undefined
}

/** A request for events. The operation sets its body, in place of its result. */
export interface Events {
  readonly lastEventId: string | undefined
  body: Exchange.BodyStream | undefined
}

/** The current request. */
export const current: FiberRef.FiberRef<AdminRequest> = FiberRef.unsafeMake<AdminRequest>({ id: "", events: undefined })

/** The media type of server-sent events. */
export const mediaType = "text/event-stream"

export const make = ({ headers, requestId = "" }: Exchange.Request): AdminRequest => ({
  id: requestId,
  events:
    headers["accept"]?.includes(mediaType) === true
      ? { lastEventId: headers["last-event-id"], body: undefined }
      : undefined
})

/** The number after which a client follows: that of the last event which it has, or `after`; NaN for another id. */
export const startOf = ({ lastEventId }: Events, after: number | undefined): number | undefined =>
  lastEventId === undefined ? after : /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : Number.NaN
