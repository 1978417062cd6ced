/**
 * The counters of replicas since the store was opened, and their state.
 */

/** The reasons for which a read that a replica could serve goes to the primary. */
export type Fallback = "none in use" | "position not replayed" | "failed"

export interface ReplicaCounts {
  /** Those without the servers in another role. */
  readonly replicas: ReadonlyArray<{
    readonly name: string
    readonly isUsed: boolean
    /** Undefined before its first response. */
    readonly lagSeconds: number | undefined
  }>
  readonly reads: { readonly primary: number; readonly replica: number }
  readonly fallbacks: { readonly [F in Fallback]: number }
}
