/**
 * The outcome of a comparison: its differences, what it left out, and its score.
 */
import * as Schema from "effect/Schema"
import { Difference } from "./Difference.ts"
import { Score } from "./Score.ts"

/** The version of the form of reports. */
export const version = 1

const Service = Schema.Struct({ name: Schema.String, restUrl: Schema.String, baseUrl: Schema.String })

/** A resource or operation that the key may not read, and the response to it. */
export const LeftOut = Schema.Struct({
  subject: Schema.String,
  status: Schema.Number,
  code: Schema.NullOr(Schema.String),
  reason: Schema.String
})
export type LeftOut = typeof LeftOut.Type

export const Report = Schema.Struct({
  version: Schema.Literal(version),
  ours: Service,
  theirs: Service,
  startedAt: Schema.String,
  finishedAt: Schema.String,
  /** True where rows were made, changed and removed too. */
  write: Schema.Boolean,
  resources: Schema.Array(Schema.String),
  leftOut: Schema.Array(LeftOut),
  /** The resources whose rows disappeared while they were read: what depends on one row was not compared. */
  changing: Schema.Array(Schema.String),
  /** The resources without a row on a side: what depends on a row was not compared. */
  empty: Schema.Array(Schema.String),
  /** The resources to which nothing was written, and the reasons. */
  notWritten: Schema.Array(Schema.Struct({ subject: Schema.String, reason: Schema.String })),
  /** The rows of this run that could not be removed. */
  left: Schema.Array(Schema.Struct({ subject: Schema.String, key: Schema.String, reason: Schema.String })),
  differences: Schema.Array(Difference),
  score: Score
})
export type Report = typeof Report.Type
