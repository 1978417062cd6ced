/**
 * The refusal of an administrator's operation.
 */
import type * as OperationError from "@mfgdata/domain/OperationError"
import * as Data from "effect/Data"

/** A refused operation: its code decides the status of the response. */
export class AdminRefused extends Data.TaggedError("AdminRefused")<{
  readonly code: OperationError.KnownCode
  readonly message: string
  /** The fields that the refusal is about, each with a sentence. */
  readonly issues?: ReadonlyArray<OperationError.Issue>
}> {}
