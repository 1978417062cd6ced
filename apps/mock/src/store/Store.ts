/**
 * The interface of a store: it runs statements and changes, and returns plain values.
 */
import type * as Resource from "@mfgdata/domain/Resource"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as MetricState from "effect/MetricState"
import type { Change, Rows, StoreRefusal } from "../sql/Change.ts"
import type { Dialect } from "../sql/Dialect.ts"
import type { OwnedTable } from "../sql/Owner.ts"
import type { Statement } from "../sql/Statement.ts"
import type { Consumer } from "./FairQueue.ts"
import type * as Incidents from "./Incidents.ts"
import type * as FileLock from "./sqlite/FileLock.ts"
import type { RulesViolated } from "./OpenError.ts"
import type { QueryStopped, Reason } from "./QueryStopped.ts"
import type * as QueryCounts from "./QueryCounts.ts"
import type { Position } from "./replicas/Position.ts"
import type { ReplicaCounts } from "./replicas/ReplicaCounts.ts"
import type { Overlay, Violation } from "./RuleSet.ts"
import type * as Snapshot from "./Snapshot.ts"

/** A sum or an average is beyond the largest number. */
export interface Overflow {
  readonly _tag: "Overflow"
}

/** The store cannot serve the request now. The change was not committed. */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{
  readonly reason:
    | "Overloaded"
    | "OutOfMemory"
    | "CommitFailed"
    | "ConnectionLost"
    | "NoPrimary"
    | "Closed"
    | "Full"
    | "Damaged"
    | "Replaced"
  readonly retryAfterSeconds: number
  /** The limit that ended the statement, or its wait for a connection, on a server; or a sum beyond the largest number. */
  readonly stopped?: Reason | Overflow
  /** The error of the driver, which only logs contain. */
  readonly cause?: unknown
}> {
  override get message() {
    return sentences[this.reason]
  }
}

/** The error of a statement with a sum or an average beyond the largest number. */
export const overflowed = (): StoreUnavailable =>
  new StoreUnavailable({ reason: "Overloaded", retryAfterSeconds: 1, stopped: { _tag: "Overflow" } })

/** The cause of each reason, and the remedy. */
const sentences: { readonly [R in StoreUnavailable["reason"]]: string } = {
  Overloaded: "The store has too much to do: try again later",
  OutOfMemory: "The store has no memory left: try again later",
  CommitFailed: "The store cannot commit: try again later, and see the log of the service for the cause",
  ConnectionLost: "The store cannot be reached: try again later, and see the log of the service for the cause",
  NoPrimary:
    "No server of the store accepts writes: promote a standby, or wait until one is promoted; the log of the service names the servers",
  Closed: "The store is closed",
  Full: "The store has no space left: free space on its disk",
  Damaged:
    `The store is damaged: stop the service, find the damage with "mfg-mock check" and repair it with "mfg-mock check --repair", ` +
    `or move the file away and restore a snapshot with "mfg-mock snapshot restore"`,
  Replaced:
    "The file of the store, or its lock, was removed or replaced while it was served: stop the service, put the file back or name another one, and start the service again"
}

/** The reasons that only an operator ends. */
const lasting: ReadonlySet<StoreUnavailable["reason"]> = new Set(["Damaged", "Replaced"])

/**
 * Creates the error with its retry delay: one second, in which a queue drains and a connection is probed again, or longer
 * for what lasts.
 */
export const unavailable = (reason: StoreUnavailable["reason"], cause?: unknown): StoreUnavailable =>
  new StoreUnavailable({
    reason,
    retryAfterSeconds: lasting.has(reason) ? 10 : 1,
    ...(cause === undefined ? {} : { cause })
  })

/** A constraint refused a change. */
export class Refused extends Data.TaggedError("Refused")<{ readonly refusal: StoreRefusal }> {}

/** The counters of a store since it was opened. */
export interface Statistics {
  readonly commits: number
  readonly changes: number
  /** The number of accepted changes that are not yet committed. */
  readonly waiting: number
  /** The durations of commits. */
  readonly commitSeconds: MetricState.MetricState.Histogram
  readonly queries: QueryCounts.Counts
  readonly connections: Connections
  /** The failures of the driver, by operation and code. */
  readonly failures: ReadonlyArray<Incidents.Count>
}

/** The space that a store takes. */
export interface Space {
  readonly databaseBytes: number
  /** The unused part of the file of an embedded store. */
  readonly freeBytes?: number
  /** The size of the write-ahead log of an embedded store. */
  readonly logBytes?: number
}

/** The connections of an instance to the database, by the class of the statements that they run. */
export interface Connections {
  readonly classes: {
    readonly [name: string]: { readonly open: number; readonly inUse: number; readonly waiting: number }
  }
  /** The number of connections that could not be opened. */
  readonly failures: number
}

/** The size of a resource's table, of all companies. */
export interface TableSize {
  /** An upper bound of the number of rows; infinite if the store does not know it. It may be a quarter of a second old. */
  readonly rows: number
  /** An upper bound of the bytes of the largest document; infinite if the store does not know it. */
  readonly bytes: number
}

/** Copies the last committed state of a store. */
export interface Copies {
  /** Identifies the state: it changes with each commit. */
  readonly version: Effect.Effect<string, StoreUnavailable>
  /** Writes a new file; succeeds with true when every text of it is known to be readable. */
  readonly write: (file: string) => Effect.Effect<boolean, StoreUnavailable>
}

/** A replica that was selected for a request. */
export interface Replica {
  /** A position that it has replayed. */
  readonly position: Position
  readonly read: (statement: Statement, companyId?: string) => Effect.Effect<Rows, StoreUnavailable>
  readonly query: (statement: Statement, consumer: Consumer) => Effect.Effect<Rows, StoreUnavailable | QueryStopped>
}

/** The replicas of a store, which serve reads of rows. */
export interface Replicas {
  /** Selects a replica that has replayed a position, and waits a moment for one. Undefined selects the primary. */
  readonly select: (needed: Position | undefined) => Effect.Effect<Replica | undefined>
  /** Counts a read that has to be served by the primary. */
  readonly skip: () => void
  /** Counts a read that a replica has failed, so that the primary serves it. */
  readonly failed: () => void
  /** A position that includes every change that is committed. */
  readonly position: Effect.Effect<Position, StoreUnavailable>
  readonly counts: () => ReplicaCounts
}

/** The history of the rows, of which statements read the tables. */
export interface History {
  /** Calls the listener after commits of this instance; the returned function removes it. */
  readonly subscribe: (listener: () => void) => () => void
}

/** Cached data that another instance may have changed: keys, or the world (companies, users and rules). */
export type Invalidation = "keys" | "world"

export class Store extends Context.Tag("@mfgdata/mock/Store")<
  Store,
  {
    readonly dialect: Dialect
    /**
     * Runs a query that is certainly small. On the embedded store the effect is an `Exit`, which needs no fiber. With
     * row-level security it sees the rows of the company; those of all companies, if that is the empty text, for the
     * service itself; and without a company none of any company.
     */
    readonly read: (statement: Statement, companyId?: string) => Effect.Effect<Rows, StoreUnavailable>
    /** Runs a query of any size that returns one row, within the limits of a query. Interruption cancels it. */
    readonly query: (statement: Statement, consumer: Consumer) => Effect.Effect<Rows, StoreUnavailable | QueryStopped>
    /** The size of a table, from a cache. */
    readonly tableSize: (resource: Resource.Any) => TableSize
    /** Applies a change and succeeds when it is durable. Interruption does not cancel an accepted change. */
    readonly change: <A, E>(change: Change<A, E>) => Effect.Effect<A, E | Refused | StoreUnavailable>
    /**
     * Reports whether a webhook may have subscribed to changes of an owner's rows; true when the store does not know.
     * If it is unlikely, the change has to find out.
     */
    readonly hasSubscribers: (owned: OwnedTable) => boolean | "unlikely"
    /** Calls the listener after each commit with events; the returned function removes it. */
    readonly subscribe: (listener: () => void) => () => void
    /** Undefined when the store does not keep the history of its rows. */
    readonly history: History | undefined
    /** Calls the listener when another instance has changed cached data; the returned function removes it. */
    readonly subscribeToInvalidations: (onInvalidation: (invalidation: Invalidation) => void) => () => void
    /** Runs an effect while holding the lock of the store, which only one instance can hold. */
    readonly withLock: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StoreUnavailable, R>
    /** Succeeds when writes can be committed; after a failed commit it tries one. */
    readonly ready: Effect.Effect<void, StoreUnavailable>
    readonly statistics: Effect.Effect<Statistics>
    /** Updates the statistics of the query planner, if the tables have changed enough. */
    readonly maintain: Effect.Effect<void, StoreUnavailable>
    readonly space: Effect.Effect<Space, StoreUnavailable>
    /** Returns a little of an embedded store's unused space to the system; succeeds with `true` if there is more. */
    readonly giveBack: Effect.Effect<boolean, StoreUnavailable>
    /** Removes overwritten and deleted content from the files of an embedded store. */
    readonly compact: Effect.Effect<void, StoreUnavailable>

    /** The rule set in force. */
    readonly ruleSet: Effect.Effect<RuleSet, StoreUnavailable>
    /** The rows that violate a rule set. */
    readonly violations: (ruleSet: RuleSet) => Effect.Effect<ReadonlyArray<Violation>, StoreUnavailable>
    /** Replaces the rule set, and the overlay of facts (default: none), unless rows violate them. */
    readonly switchRules: (ruleSet: RuleSet, overlay?: Overlay) => Effect.Effect<void, RulesViolated | StoreUnavailable>

    /** Writes a snapshot: a copy of the database if the name ends in `.db`, otherwise the portable format. */
    readonly save: (file: string) => Effect.Effect<void, Snapshot.SnapshotUnwritable | StoreUnavailable>
    /** Replaces all content by that of a snapshot, in one transaction. */
    readonly restore: (
      file: string
    ) => Effect.Effect<void, Snapshot.SnapshotUnreadable | RulesViolated | StoreUnavailable>

    /** The replicas that serve reads of rows; undefined for a store without them. */
    readonly replicas?: Replicas

    /** Copies of an embedded store as files; undefined for a store on a server. */
    readonly copies?: Copies

    /** The damage of the store itself, such as broken indexes; empty for a sound store. */
    readonly integrityProblems: Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /** A digest of every table's rows. */
    readonly checksum: Effect.Effect<{ readonly [table: string]: string }, StoreUnavailable>
    /** Publishes the address of the service to other processes that want to open the store. */
    readonly publishAddress: (address: FileLock.Address) => Effect.Effect<void>
  }
>() {}
