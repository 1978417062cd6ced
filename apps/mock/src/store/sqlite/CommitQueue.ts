/**
 * Commits changes in groups. Changes wait for the next turn of the event loop and run in one transaction, each in a
 * savepoint unless it consists of one statement. A transaction ends after some milliseconds, and the changes that have not
 * run wait for the next one; companies take turns. A long change has a transaction of its own, which stays open for several
 * turns while the next changes wait; its rows are staged before it, between the commits of others. Callers continue when
 * the commit is durable; changes that arrive meanwhile share the next one. Callers of refused changes wait for the commit
 * too, because a refusal may depend on rows of another change in the transaction. One file, because short and long
 * changes share the connection and its failures.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Change } from "../../sql/Change.ts"
import * as Histogram from "../Histogram.ts"
import * as Places from "../waiting/Places.ts"
import * as ChangeRun from "./commit/ChangeRun.ts"
import * as LongChanges from "./commit/LongChanges.ts"
import type { SqliteDriver } from "./SqliteDriver.ts"
import type { SqliteRecorder } from "./SqliteRecorder.ts"
import { type Refused, type Statistics, type StoreUnavailable, unavailable } from "../Store.ts"
import * as Callback from "../Callback.ts"
import * as CommitDelay from "./commit/CommitDelay.ts"
import * as DurableCommits from "./commit/DurableCommits.ts"
import * as ShortChanges from "./commit/ShortChanges.ts"
import { toUnavailable } from "./StorageFailure.ts"
import * as StagingTable from "./commit/StagingTable.ts"
import * as WaitingChange from "./commit/WaitingChange.ts"
import type { WriteAheadLog } from "./WriteAheadLog.ts"

/** The maximum number of waiting changes of a company, and the maximum size of a commit. */
export interface Limits {
  readonly waiting: number
  readonly changes: number
  /** Characters of parameters; a larger change has a commit of its own. */
  readonly characters: number
  /** The processor time after which no further change begins. */
  readonly millis: number
  /** The longest time that a change waits whose company delays others. */
  readonly waitMillis: number
}

export const limits: Limits = {
  waiting: Places.ofCompany,
  changes: 256,
  characters: 8 * 1024 * 1024,
  millis: 10,
  waitMillis: 4000
}

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
  /** Calls the listener after each commit; the returned function removes it. */
  readonly subscribeToCommits: (listener: () => void) => () => void
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

/** The milliseconds of processor time since a measurement. */
const processorMillis = (since: NodeJS.CpuUsage): number => {
  const { system, user } = process.cpuUsage(since)
  return (system + user) / 1000
}

/** Changes of one commit that is not durable yet. */
interface Committed {
  readonly batch: ReadonlyArray<WaitingChange.WaitingChange>
  readonly begin: number
}

export const make = (
  driver: Driver,
  log: Log = noLog,
  { changes, characters, millis: commitMillis, waiting: room, waitMillis }: Limits = limits,
  observer: Observer = nobody,
  recorder?: SqliteRecorder
): CommitQueue => {
  const long = LongChanges.make<WaitingChange.WaitingChange>()
  /** The long change whose transaction is open. */
  let current: { readonly change: WaitingChange.WaitingChange; readonly begin: number } | undefined
  /** The next long change, whose rows are being staged. */
  let next: WaitingChange.WaitingChange | undefined
  /** The time at which its staging began: the pause after it is for all of its work. */
  let nextBegin = 0
  const staging = StagingTable.make(driver)
  const delays = CommitDelay.make(changes)
  let atRest: Array<() => void> = []
  let timer: NodeJS.Timeout | undefined
  const places = Places.make(room)
  const short = ShortChanges.make<WaitingChange.WaitingChange>({ slowMillis: commitMillis, waitMillis })
  /** Short changes whose records are not prepared yet. */
  const unwatched: Array<WaitingChange.WaitingChange> = []
  /** Set if the last commit took all of its time, so that the next one has nothing to wait for. */
  let isCut = false
  let visible = 0
  const statistics = { commits: 0, changes: 0 }
  const listeners = new Set<() => void>()
  const commitListeners = new Set<() => void>()
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

  /**
   * Runs waiting changes until the commit is full, with as few savepoints as possible, and adds them to the batch before
   * they run.
   */
  const runBatch = (batch: Array<WaitingChange.WaitingChange>, begin: number) => {
    const processor = process.cpuUsage()
    /** The time since the begin, without that in which the system ran other programs. */
    const elapsed = () => {
      const millis = performance.now() - begin
      return millis < commitMillis ? millis : Math.min(millis, processorMillis(processor))
    }
    let sum = 0
    let isApart = false
    let count = 0
    let used = 0
    const fits = (change: WaitingChange.WaitingChange) => sum + change.characters <= characters
    const next = () => {
      if (count === 0) return short.takeFirst(isClosed ? Infinity : begin)
      return count < changes && used < commitMillis ? short.takeNext(fits) : undefined
    }
    for (let taken = next(); taken !== undefined; taken = next()) {
      const { change, companyId } = taken
      count += 1
      sum += change.characters
      batch.push(change)
      if (isApart || !change.isWhole) runApart(change)
      else if (!change.run() && change.isBroken()) {
        // The rows of the failed change are rolled back with all others, which run again in savepoints.
        run("ROLLBACK")
        run("BEGIN IMMEDIATE")
        batch.forEach(runApart)
        isApart = true
      }
      // Its rows are undone, and it waits for its turn among the long ones.
      if (change.isPostponed()) {
        batch.pop()
        long.add(companyId, change)
      }
      const end = elapsed()
      short.ran(companyId, end - used, performance.now())
      used = end
    }
    isCut = used >= commitMillis
  }

  /** Prepares the records of changes, which no transaction may contain. */
  const watch = () => {
    if (recorder === undefined) return
    // One that fails is prepared again with the next commit.
    for (const change of unwatched) change.watch(recorder)
    unwatched.length = 0
  }

  const commit = () => {
    const begin = performance.now()
    const batch: Array<WaitingChange.WaitingChange> = []
    try {
      watch()
      run("BEGIN IMMEDIATE")
      runBatch(batch, begin)
      run("COMMIT")
      visible += 1
    } catch (cause) {
      rollBack()
      // Without a transaction the others would fail one by one, each after the time in which SQLite waits for a lock.
      if (batch.length === 0) batch.push(...short.takeAll(changes))
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
      if (recorder !== undefined) change.watch(recorder)
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
    places.free(companyId)
    schedule()
  }

  const fail = (batch: ReadonlyArray<WaitingChange.WaitingChange>, cause: unknown) => {
    isHealthy = false
    const error = observer.failed(cause)
    for (const change of batch) change.fail(error)
  }

  const succeed = (durable: ReadonlyArray<Committed>) => {
    isHealthy = true
    observer.succeeded()
    const nowMillis = performance.now()
    const continued = durable.reduce((count, { batch }) => count + batch.length, 0)
    delays.committed({ millis: nowMillis - (durable[0]?.begin ?? 0), continued, waiting: short.count(), nowMillis })
    for (const { batch, begin } of durable) {
      commitSeconds.update((performance.now() - begin) / 1000)
      statistics.commits += 1
      statistics.changes += batch.length
      // Listeners are notified before the callers continue.
      if (batch.some((change) => change.hasEvents())) for (const listener of listeners) listener()
      for (const listener of commitListeners) listener()
      for (const change of batch) change.respond()
    }
  }

  const syncs = DurableCommits.make<Committed>({
    sync: log.sync,
    succeed,
    fail: (durable, cause) => durable.forEach(({ batch }) => fail(batch, cause))
  })

  /** Refuses what a slow company sends in excess of its turns, so that its callers need not wait for all of it. */
  const refuseLate = (nowMillis: number) => {
    for (const change of short.takeLate(nowMillis)) {
      change.fail(unavailable("Overloaded"))
    }
  }

  /** Runs a slice of the long change, or commits what waits; then a long change may begin. */
  const turn = () => {
    if (current !== undefined) return advance(current, performance.now() + sliceMillis)
    refuseLate(performance.now())
    // `close` may have committed everything.
    if (short.delay(performance.now()) === 0) commit()
    if (next === undefined && long.delay(performance.now()) === 0) {
      next = long.take()
      nextBegin = performance.now()
    }
    if (next !== undefined) prepare(next, performance.now() + sliceMillis)
  }

  const schedule = () => {
    if (isScheduled) return
    const now = performance.now()
    const isBusy = current !== undefined || next !== undefined
    const delay = isBusy ? 0 : Math.min(short.delay(now) ?? Infinity, long.delay(now) ?? Infinity)
    if (delay === Infinity) return
    clearTimeout(timer)
    if (delay > 0) return void (timer = setTimeout(schedule, delay))
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      // Changes that arrive during a sync share the next one, so they may as well share a commit.
      const busy = current === undefined ? (log.busy() ?? syncs.done()) : undefined
      if (busy !== undefined) return void busy.finally(schedule).catch(() => undefined)
      const isShort = current === undefined && next === undefined && short.count() > 0
      const pause = isShort && !isCut ? delays.delay(short.count(), performance.now()) : 0
      if (pause > 0) return void (timer = setTimeout(schedule, pause))
      turn()
      schedule()
    })
  }

  /** Accepts a change, or refuses it immediately. */
  const accept = <A, E>(
    change: Change<A, E>,
    resume: (effect: Effect.Effect<A, E | Refused | StoreUnavailable>) => void
  ): WaitingChange.WaitingChange | undefined => {
    const { companyId = "" } = change
    const obstacle = isClosed ? unavailable("Closed") : observer.obstacle()
    if (obstacle !== undefined || !places.take(companyId)) {
      resume(Exit.fail(obstacle ?? unavailable("Overloaded")))
      return undefined
    }
    const end: typeof resume = (effect) => {
      places.free(companyId)
      resume(effect)
    }
    return WaitingChange.make(driver, change, end, recorder?.origin)
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
      const now = performance.now()
      long.yieldTo(now)
      short.add(change.companyId ?? "", added, now)
      if (recorder !== undefined) unwatched.push(added)
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
    subscribeToCommits: (listener) => {
      commitListeners.add(listener)
      return () => void commitListeners.delete(listener)
    },
    commits: () => visible,
    healthy: () => isHealthy,
    close: async () => {
      isClosed = true
      if (current !== undefined) advance(current, Infinity)
      while (short.count() > 0) commit()
      for (next ??= long.take(); next !== undefined; next = long.take()) {
        prepare(next, Infinity)
        if (current !== undefined) advance(current, Infinity)
      }
      clearTimeout(timer)
      await syncs.done()
    },
    statistics: () => ({ ...statistics, waiting: places.taken(), commitSeconds: commitSeconds.get() })
  }
}
