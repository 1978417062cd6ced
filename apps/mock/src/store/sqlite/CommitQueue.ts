/**
 * Commits changes in groups. Changes wait for the next turn of the event loop and run in one transaction, each in a
 * savepoint unless it consists of one statement. A long change has a transaction of its own, which stays open for several
 * turns while the next changes wait; its rows are staged before it, between the commits of others. Callers continue when
 * the commit is durable; changes that arrive meanwhile share the next one. Callers of refused changes wait for the commit
 * too, because a refusal may depend on rows of another change in the transaction. One file, because short and long
 * changes share the connection and its failures.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Change } from "../../sql/Change.ts"
import * as Histogram from "../Histogram.ts"
import * as ChangeRun from "./commit/ChangeRun.ts"
import * as LongChanges from "./commit/LongChanges.ts"
import type { SqliteDriver } from "./SqliteDriver.ts"
import { type Refused, type Statistics, type StoreUnavailable, unavailable } from "../Store.ts"
import * as Callback from "../Callback.ts"
import * as DurableCommits from "./commit/DurableCommits.ts"
import { toUnavailable } from "./StorageFailure.ts"
import * as StagingTable from "./commit/StagingTable.ts"
import * as WaitingChange from "./commit/WaitingChange.ts"
import type { WriteAheadLog } from "./WriteAheadLog.ts"

/** The maximum number of waiting changes, and the maximum size of a commit. */
export interface Limits {
  readonly waiting: number
  readonly changes: number
  /** Characters of parameters; a larger change has a commit of its own. */
  readonly characters: number
}

export const limits: Limits = { waiting: 4096, changes: 256, characters: 8 * 1024 * 1024 }

/** The duration of a slice of a long change. */
const sliceMillis = 6

export interface CommitQueue {
  /**
   * Accepts a change immediately and succeeds after its commit. Interruption cancels only a long change whose transaction
   * has not begun.
   */
  readonly change: <A, E>(change: Change<A, E>) => Effect.Effect<A, E | Refused | StoreUnavailable>
  /** Calls the listener after each commit with events; the returned function removes it. */
  readonly subscribe: (listener: () => void) => () => void
  /** Succeeds when no transaction is open. */
  readonly atRest: Effect.Effect<void>
  /** The number of commits that reads see, durable or not. */
  readonly commits: () => number
  /** Reports whether the last commit succeeded. */
  readonly healthy: () => boolean
  /** Refuses later changes, and waits until the accepted ones are committed and durable. */
  readonly close: () => Promise<void>
  readonly statistics: () => Omit<Statistics, "queries" | "connections" | "failures">
}

type Driver = Pick<SqliteDriver, "execute" | "script" | "inTransaction">

type Log = Pick<WriteAheadLog, "sync" | "shrink" | "busy">

/** The log of a database without one. */
const noLog: Log = { sync: undefined, shrink: () => undefined, busy: () => undefined }

/** Observes the outcomes of commits. */
export interface Observer {
  /** The reason to accept no change. */
  readonly obstacle: () => StoreUnavailable | undefined
  /** Returns the error for the callers of a failed commit. */
  readonly failed: (cause: unknown) => StoreUnavailable
  readonly succeeded: () => void
}

const nobody: Observer = {
  obstacle: () => undefined,
  failed: (cause) => toUnavailable(cause, "CommitFailed"),
  succeeded: () => undefined
}

/** Changes of one commit that is not durable yet. */
interface Committed {
  readonly batch: ReadonlyArray<WaitingChange.WaitingChange>
  readonly begin: number
}

export const make = (
  driver: Driver,
  log: Log = noLog,
  { changes, characters, waiting: room }: Limits = limits,
  observer: Observer = nobody
): CommitQueue => {
  const long = LongChanges.make<WaitingChange.WaitingChange>()
  /** The long change whose transaction is open. */
  let current: { readonly change: WaitingChange.WaitingChange; readonly begin: number } | undefined
  /** The next long change, whose rows are being staged. */
  let next: WaitingChange.WaitingChange | undefined
  /** The time at which its staging began: the pause after it is for all of its work. */
  let nextBegin = 0
  const staging = StagingTable.make(driver)
  let atRest: Array<() => void> = []
  let timer: NodeJS.Timeout | undefined
  let accepted = 0
  const waiting: Array<WaitingChange.WaitingChange> = []
  let visible = 0
  const statistics = { commits: 0, changes: 0 }
  const listeners = new Set<() => void>()
  const commitSeconds = Histogram.commits()
  let isScheduled = false
  let isHealthy = true
  let isClosed = false

  // Compiling a command without rows or parameters is faster than running a prepared statement.
  const run = (text: string) => driver.script(text)

  /** Rolls back, unless the failure has done so already. An error here occurs again in the next commit. */
  const rollBack = () => {
    try {
      if (driver.inTransaction()) run("ROLLBACK")
    } catch {
      return
    }
  }

  const runApart = (change: WaitingChange.WaitingChange) => {
    run("SAVEPOINT change")
    if (!change.run()) run("ROLLBACK TO change")
    run("RELEASE change")
  }

  /** Runs changes with as few savepoints as possible; returns false when a failed change may have left rows. */
  const runTogether = (batch: ReadonlyArray<WaitingChange.WaitingChange>): boolean => {
    for (const change of batch) {
      if (!change.isWhole) runApart(change)
      else if (!change.run() && change.isBroken()) return false
    }
    return true
  }

  const commit = (batch: ReadonlyArray<WaitingChange.WaitingChange>) => {
    const begin = performance.now()
    try {
      run("BEGIN IMMEDIATE")
      if (!runTogether(batch)) {
        // The rows of the failed change are rolled back with all others, which run again in savepoints.
        run("ROLLBACK")
        run("BEGIN IMMEDIATE")
        batch.forEach(runApart)
      }
      run("COMMIT")
      visible += 1
    } catch (cause) {
      rollBack()
      return fail(batch, cause)
    }
    settle(batch, begin)
  }

  /** Lets the callers of a commit continue as soon as it is durable. */
  const settle = (batch: ReadonlyArray<WaitingChange.WaitingChange>, begin: number) => {
    syncs.add({ batch, begin })
    log.shrink()
  }

  /** Stages rows of the next long change until the time, and begins its transaction when all are staged. */
  const prepare = (change: WaitingChange.WaitingChange, untilMillis: number) => {
    try {
      if (!change.stage(staging, untilMillis)) return
      run("BEGIN IMMEDIATE")
      current = { change, begin: performance.now() }
    } catch (cause) {
      clearStaging()
      fail([change], cause)
    }
    next = undefined
  }

  /** Continues a long change until the time; commits it when it has ended. */
  const advance = ({ begin, change }: NonNullable<typeof current>, untilMillis: number) => {
    try {
      if (!change.advance(untilMillis)) return
      run(change.isSuccess() ? "COMMIT" : "ROLLBACK")
      settle([change], begin)
    } catch (cause) {
      rollBack()
      fail([change], cause)
    }
    current = undefined
    long.ended(nextBegin, performance.now())
    clearStaging()
    const resumed = atRest
    atRest = []
    for (const resume of resumed) resume()
  }

  /** Releases the memory of staged rows. A failure here occurs again when the next rows are staged. */
  const clearStaging = () => {
    try {
      staging.clear()
    } catch {
      return
    }
  }

  /** Drops a long change whose transaction has not begun. */
  const cancel = (companyId: string, change: WaitingChange.WaitingChange) => {
    if (next === change) {
      next = undefined
      clearStaging()
    } else if (!long.remove(companyId, change)) return
    accepted -= 1
    schedule()
  }

  const fail = (batch: ReadonlyArray<WaitingChange.WaitingChange>, cause: unknown) => {
    isHealthy = false
    const error = observer.failed(cause)
    accepted -= batch.length
    for (const change of batch) change.fail(error)
  }

  const succeed = (durable: ReadonlyArray<Committed>) => {
    isHealthy = true
    observer.succeeded()
    for (const { batch, begin } of durable) {
      commitSeconds.update((performance.now() - begin) / 1000)
      statistics.commits += 1
      statistics.changes += batch.length
      accepted -= batch.length
      // Listeners are notified before the callers continue.
      if (batch.some((change) => change.hasEvents())) for (const listener of listeners) listener()
      for (const change of batch) change.respond()
    }
  }

  const syncs = DurableCommits.make<Committed>({
    sync: log.sync,
    succeed,
    fail: (durable, cause) => durable.forEach(({ batch }) => fail(batch, cause))
  })

  const take = (): ReadonlyArray<WaitingChange.WaitingChange> => {
    let sum = 0
    const end = waiting.findIndex((change, index) => {
      sum += change.characters
      return index === changes || (index > 0 && sum > characters)
    })
    return waiting.splice(0, end === -1 ? waiting.length : end)
  }

  /** Runs a slice of the long change, or commits what waits; then a long change may begin. */
  const turn = () => {
    if (current !== undefined) return advance(current, performance.now() + sliceMillis)
    // `close` may have committed everything.
    if (waiting.length > 0) commit(take())
    if (next === undefined && long.delay(performance.now()) === 0) {
      next = long.take()
      nextBegin = performance.now()
    }
    if (next !== undefined) prepare(next, performance.now() + sliceMillis)
  }

  const schedule = () => {
    if (isScheduled) return
    const isBusy = current !== undefined || next !== undefined || waiting.length > 0
    const delay = isBusy ? 0 : long.delay(performance.now())
    if (delay === undefined) return
    clearTimeout(timer)
    if (delay > 0) return void (timer = setTimeout(schedule, delay))
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      // Changes that arrive during a sync share the next one, so they may as well share a commit.
      const busy = current === undefined ? (log.busy() ?? syncs.done()) : undefined
      if (busy !== undefined) return void busy.finally(schedule).catch(() => undefined)
      turn()
      schedule()
    })
  }

  /** Accepts a change, or refuses it immediately. */
  const accept = <A, E>(
    change: Change<A, E>,
    resume: (effect: Effect.Effect<A, E | Refused | StoreUnavailable>) => void
  ): WaitingChange.WaitingChange | undefined => {
    const obstacle =
      isClosed || accepted >= room ? unavailable(isClosed ? "Closed" : "Overloaded") : observer.obstacle()
    if (obstacle !== undefined) {
      resume(Exit.fail(obstacle))
      return undefined
    }
    accepted += 1
    return WaitingChange.make(driver, change, resume)
  }

  const changeLong = <A, E>(change: Change<A, E>) =>
    Effect.async<A, E | Refused | StoreUnavailable>((resume) => {
      const { companyId = "" } = change
      const added = accept(change, resume)
      if (added === undefined) return
      long.add(companyId, added)
      schedule()
      return Effect.sync(() => cancel(companyId, added))
    })

  const changeShort = <A, E>(change: Change<A, E>) =>
    Callback.make<A, E | Refused | StoreUnavailable>((resume) => {
      const added = accept(change, resume)
      if (added === undefined) return
      long.yieldTo(performance.now())
      waiting.push(added)
      schedule()
    })

  return {
    change: (change) => (ChangeRun.isLong(change) ? changeLong(change) : changeShort(change)),
    atRest: Callback.make<void, never>((resume) => {
      if (current === undefined) resume(Exit.void)
      else atRest.push(() => resume(Exit.void))
    }),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    commits: () => visible,
    healthy: () => isHealthy,
    close: async () => {
      isClosed = true
      if (current !== undefined) advance(current, Infinity)
      while (waiting.length > 0) commit(take())
      for (next ??= long.take(); next !== undefined; next = long.take()) {
        prepare(next, Infinity)
        if (current !== undefined) advance(current, Infinity)
      }
      clearTimeout(timer)
      await syncs.done()
    },
    statistics: () => ({ ...statistics, waiting: accepted, commitSeconds: commitSeconds.get() })
  }
}
