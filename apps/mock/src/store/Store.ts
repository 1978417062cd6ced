/**
 * The one effectful seam under the rows: statements in, plain values out. It knows no HTTP and no resource's rules.
 */
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as MetricState from "effect/MetricState"
import type { Change, Rows, StoreRefusal } from "../sql/Change.ts"
import type { Dialect } from "../sql/Dialect.ts"
import type { OwnedTable } from "../sql/Owner.ts"
import type { Statement } from "../sql/Statement.ts"
import type * as FileLock from "./sqlite/FileLock.ts"
import type { RulesViolated } from "./OpenError.ts"
import type { Violation } from "./RuleSet.ts"
import type * as Snapshot from "./Snapshot.ts"

/** The store cannot answer now. Nothing of the change is kept. */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{
  readonly reason: "Overloaded" | "CommitFailed" | "ConnectionLost" | "Closed"
  readonly retryAfterSeconds: number
  /** What the driver said, for logs alone. */
  readonly cause?: unknown
}> {
  override get message() {
    return `the store cannot answer now (${this.reason})`
  }
}

/** A second is what a queue takes to drain, and a medium to be looked at again. */
export const unavailable = (reason: StoreUnavailable["reason"], cause?: unknown): StoreUnavailable =>
  new StoreUnavailable({ reason, retryAfterSeconds: 1, ...(cause === undefined ? {} : { cause }) })

/** A constraint refused a change. */
export class Refused extends Data.TaggedError("Refused")<{ readonly refusal: StoreRefusal }> {}

/** What a store has done since it was opened. */
export interface Statistics {
  readonly commits: number
  readonly changes: number
  /** Changes accepted and not yet committed. */
  readonly waiting: number
  /** The durations of commits. */
  readonly commitSeconds: MetricState.MetricState.Histogram
}

/** What another instance may have changed: keys, or companies, users and rules. */
export type Invalidation = "keys" | "world"

export class Store extends Context.Tag("@mfgdata/mock/Store")<
  Store,
  {
    readonly dialect: Dialect
    /** On the embedded store the answer is an `Exit` already, so that no fiber is needed to have it. */
    readonly read: (statement: Statement) => Effect.Effect<Rows, StoreUnavailable>
    /** Answers when the change is durable. An interrupted caller does not take back what was accepted. */
    readonly change: <A, E>(change: Change<A, E>) => Effect.Effect<A, E | Refused | StoreUnavailable>
    /** Whether webhooks may listen to changes of an owner's rows; a store that does not know says so. */
    readonly hasSubscribers: (owned: OwnedTable) => boolean
    /** Calls after commits that left something to deliver, until what it answers is called. */
    readonly subscribe: (listener: () => void) => () => void
    /** Calls when somebody has changed what is remembered outside of the store, until what it answers is called. */
    readonly subscribeToInvalidations: (onInvalidation: (invalidation: Invalidation) => void) => () => void
    /** Does something that no other instance does at the same time. */
    readonly withLock: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StoreUnavailable, R>
    /** Succeeds when writes can be made durable; after a failed commit it tries one. */
    readonly ready: Effect.Effect<void, StoreUnavailable>
    readonly statistics: Effect.Effect<Statistics>
    /** Learns what the tables hold by now, where queries were slower for not knowing it; does nothing when it need not. */
    readonly maintain: Effect.Effect<void, StoreUnavailable>

    /** The rules the store remembers. */
    readonly ruleSet: Effect.Effect<RuleSet, StoreUnavailable>
    /** The rows that stand against a rule set. */
    readonly violations: (ruleSet: RuleSet) => Effect.Effect<ReadonlyArray<Violation>, StoreUnavailable>
    /** Puts other rules in force, unless rows stand against them. */
    readonly switchRules: (ruleSet: RuleSet) => Effect.Effect<void, RulesViolated | StoreUnavailable>

    /** Writes everything into a file: a copy of the database where its name ends in `.db`, else the portable form. */
    readonly save: (file: string) => Effect.Effect<void, Snapshot.SnapshotUnwritable | StoreUnavailable>
    /** Replaces everything by what a file holds, at once and entirely. */
    readonly restore: (
      file: string
    ) => Effect.Effect<void, Snapshot.SnapshotUnreadable | RulesViolated | StoreUnavailable>

    /** What is wrong with the store itself; empty when nothing is. */
    readonly integrityProblems: Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /** A digest of every table's rows. */
    readonly checksum: Effect.Effect<{ readonly [table: string]: string }, StoreUnavailable>
    /** Tells other processes where the owner of the store serves. */
    readonly publishAddress: (address: FileLock.Address) => Effect.Effect<void>
  }
>() {}
