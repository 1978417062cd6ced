/**
 * Derives the facts that scripts need of every failure, besides its exit code: status and repetition.
 */
import type { Failure } from "@mfgdata/shell/Program"
import * as ExitCode from "./ExitCode.ts"

/** The statuses of the errors that have one status only, and do not name it. */
const statuses: { readonly [tag: string]: number } = {
  Unauthorized: 401,
  Forbidden: 403,
  RateLimited: 429,
  Conflict: 409,
  ReferenceMissing: 409,
  StillReferenced: 409,
  PreconditionFailed: 412
}

/** The status of the response that a failure is about. */
export const statusOf = (failure: Failure & { readonly status?: unknown }): number | undefined =>
  typeof failure.status === "number" ? failure.status : statuses[failure._tag]

/** The codes of failures that pass: too many requests, an unavailable service, no service. */
const passing: ReadonlySet<number> = new Set([9, 10, 11])

/**
 * True when the same command may succeed later, without a change of its own. A write that the service has carried out
 * is not repeated.
 */
export const isRetryable = (failure: Failure & { readonly written?: boolean }): boolean =>
  passing.has(ExitCode.of(failure)) && failure.written !== true
