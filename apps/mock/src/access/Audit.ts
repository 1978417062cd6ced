/**
 * The record of actions that matter for security: keys, administrator's calls, refusals. It never receives a secret.
 */
import type { Caller } from "./Caller.ts"

/** The fields of an action. */
export interface Fields {
  readonly [name: string]: unknown
}

export interface Audit {
  /** Records an action. */
  readonly record: (action: string, fields: Fields) => void
  /** Records a refused key, unless there were too many. */
  readonly refused: (reason: string, fields: Fields) => void
  /** Records the first use of a key from an address since the service started, unless there were too many. */
  readonly used: (caller: Caller, peer: string) => void
}
