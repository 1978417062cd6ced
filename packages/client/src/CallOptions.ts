/**
 * The options of a call. Those of a layer hold for all of its calls, those of `Rows.withOptions` for the calls of an
 * effect, and those of the last parameter of a method for one call.
 */
import type * as Timestamp from "@mfgdata/domain/Timestamp"
import type * as Duration from "effect/Duration"
import type * as Redacted from "effect/Redacted"
import type * as RetryPolicy from "./RetryPolicy.ts"

/** The options of a call, which replace those of its layer. */
export interface CallOptions extends LayerOptions {
  /**
   * The time as of which rows are read, on a service that keeps its history. A write with it is refused. A text is a
   * timestamp such as `2026-11-20T10:00:00.000Z`.
   */
  readonly at?: Timestamp.Timestamp | Date | undefined
}

/** The options that a layer can have for all of its calls. */
export interface LayerOptions {
  /** The API key of another caller. */
  readonly apiKey?: Redacted.Redacted | string | undefined
  /** Headers besides those of the client; those of the layer and of the call are combined. */
  readonly headers?: { readonly [name: string]: string } | undefined
  /** The retries of idempotent requests: a policy, or a schedule, which waits at least as long as `Retry-After`. */
  readonly retry?: RetryPolicy.Retry | undefined
  /** The longest time of one attempt; `"Infinity"` for none. */
  readonly timeout?: Duration.DurationInput | undefined
  /** Set to `false` for calls without spans. */
  readonly spans?: boolean | undefined
}
