/**
 * Declares the administrator's operations on the traffic: the last requests and responses of a world.
 */
import * as Text from "@mfgdata/domain/Text"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Schema from "effect/Schema"
import * as AdminField from "./AdminField.ts"

/** The headers and the body of a request or a response. Secrets are redacted. */
const Message = Schema.Struct({
  headers: Schema.Record({ key: Schema.String, value: Schema.String }),
  /** At most the first 64 KiB as text; `bytes` is the size of the whole body. */
  body: Schema.String,
  bytes: Schema.Int
})

/** A request and its response. */
export const Exchange = Schema.Struct({
  sequence: Schema.Int,
  at: Timestamp.Timestamp,
  millis: Schema.Number,
  method: Schema.String,
  target: Schema.String,
  resource: Schema.NullOr(Schema.String),
  status: Schema.Int,
  requestId: Schema.String,
  /** The name of the API key, and its company. */
  apiKey: Schema.NullOr(Schema.String),
  companyId: Schema.NullOr(Schema.String),
  peer: Schema.NullOr(Schema.String),
  /** The trace context of the request. */
  traceparent: Schema.NullOr(Schema.String),
  /** The ids of the fault rules that fired. */
  fault: Schema.NullOr(Schema.String),
  /** The way in which a fault has lost the response: it was reset, never sent, or cut. */
  lost: Schema.NullOr(Schema.Literal("reset", "hang", "cut")),
  request: Message,
  response: Message
})
export type Exchange = typeof Exchange.Type

/** The exchanges that a request selects; an absent field selects all. */
const filter = {
  method: AdminField.optional(Text.NonEmpty),
  resource: AdminField.optional(AdminField.ResourceName),
  /** A status, or a class such as `4xx`. */
  status: AdminField.optional(
    Schema.String.pipe(Schema.pattern(/^[1-5](\d\d|xx)$/, { message: () => "expected a status such as 404 or 4xx" }))
  ),
  /** The name of an API key. */
  key: AdminField.optional(Text.NonEmpty),
  /** The beginning of the path. */
  path: AdminField.optional(Text.NonEmpty),
  /** The id of a request. */
  request: AdminField.optional(Text.NonEmpty),
  /** The id of a fault rule, or `*` for every exchange with a fault. */
  fault: AdminField.optional(Text.NonEmpty),
  since: AdminField.optional(Timestamp.Timestamp),
  until: AdminField.optional(Timestamp.Timestamp),
  /** The least duration in milliseconds. */
  slower: AdminField.optional(AdminField.Whole)
} as const

const page = {
  limit: AdminField.limit(10_000),
  /** The number of the last exchange of the page before: older ones follow. */
  after: AdminField.optional(AdminField.Whole)
} as const

/** A response of a replay that differs from the recorded one. */
const ReplayDifference = Schema.Struct({
  /** The position of the request in the file, from 0. */
  position: Schema.Int,
  method: Schema.String,
  target: Schema.String,
  expected: Schema.Struct({ status: Schema.Int, body: Schema.String }),
  got: Schema.Struct({ status: Schema.Int, body: Schema.String })
})

export const operations = {
  /** The newest exchanges first. */
  listTraffic: {
    method: "GET",
    path: "/traffic",
    status: 200,
    request: Schema.Struct({ ...filter, ...page }),
    response: Schema.Array(Exchange)
  },
  /** The exchanges as a file of HAR 1.2, the oldest first. */
  exportTraffic: {
    method: "GET",
    path: "/traffic.har",
    status: 200,
    download: "application/json",
    request: Schema.Struct({ ...filter, ...page }),
    response: Schema.Uint8ArrayFromSelf
  },
  /** Sends the requests of a HAR file to the world, and compares the responses. */
  replayTraffic: {
    method: "POST",
    path: "/replay",
    status: 200,
    /** The root of the file, whose contents the operation reads itself: HAR allows fields that it does not name. */
    request: Schema.Struct({ log: Schema.Unknown }),
    response: Schema.Struct({
      requests: Schema.Int,
      same: Schema.Int,
      differences: Schema.Array(ReplayDifference)
    })
  }
} as const
