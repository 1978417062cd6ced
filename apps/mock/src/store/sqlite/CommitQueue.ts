/**
 * Commits changes in groups. Changes wait for the next turn of the event loop and run in one transaction, each in a
 * savepoint unless it consists of one statement. Their callers continue when the commit is durable; meanwhile the next
 * changes are committed, and one sync covers all commits before it. Callers of refused changes wait for the commit too, because a refusal may depend on rows of another change in the same transaction.
 */
import * as Cause from "effect/Cause"
import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import type { Change } from "../../sql/Change.ts"
import * as SqliteConstraint from "./SqliteConstraint.ts"
import * as Histogram from "../Histogram.ts"
import { SqliteError, type SqliteDriver } from "./SqliteDriver.ts"
import { Refused, type Statistics, type StoreUnavailable, unavailable } from "../Store.ts"
import * as Callback from "../Callback.ts"
import * as ChangeResult from "../ChangeResult.ts"
import type { WriteAheadLog } from "./WriteAheadLog.ts"

/** The maximum number of waiting changes, and the maximum size of a commit. */
export interface Limits {
  readonly waiting: number
  readonly changes: number
  /** Characters of parameters; a larger change has a commit of its own. */
  readonly characters: number
}

export const limits: Limits = { waiting: 4096, changes: 256, characters: 8 * 1024 * 1024 }

export interface CommitQueue {
  /** Accepts a change immediately and succeeds after its commit; interruption does not cancel it. */
  readonly change: <A, E>(change: Change<A, E>) => Effect.Effect<A, E | Refused | StoreUnavailable>
  /** Calls the listener after each commit with events; the returned function removes it. */
  readonly subscribe: (listener: () => void) => () => void
  /** Reports whether the last commit succeeded. */
  readonly healthy: () => boolean
  /** Refuses later changes, and waits until the accepted ones are committed and durable. */
  readonly close: () => Promise<void>
  readonly statistics: () => Statistics
}

type Driver = Pick<SqliteDriver, "execute" | "script" | "inTransaction">

type Log = Pick<WriteAheadLog, "sync" | "shrink" | "busy">

/** The log of a database without one. */
const noLog: Log = { sync: undefined, shrink: () => undefined, busy: () => undefined }

interface Waiting {
  readonly characters: number
  /** Set when a refused change leaves no rows, so that it needs no savepoint. */
  readonly isWhole: boolean
  /** Runs the change and keeps its outcome; returns whether its rows are to be committed. */
  readonly run: () => boolean
  /** Reports an unexpected failure, before which the change may have written rows. */
  readonly isBroken: () => boolean
  /** Reports whether the change has published events. */
  readonly hasEvents: () => boolean
  readonly respond: () => void
  readonly fail: (error: StoreUnavailable) => void
}

interface ChangeOutcome<A, E> {
  readonly exit: Exit.Exit<A, E>
  readonly hasEvents: boolean
}

const over = <A, E>(exit: Exit.Exit<A, E>, hasEvents = false): ChangeOutcome<A, E> => ({ exit, hasEvents })

const perform = <A, E>(
  driver: Driver,
  { followUp, idempotency, resolve, steps }: Change<A, E>
): ChangeOutcome<A, E | Refused> => {
  try {
    const [known] = idempotency === undefined ? [] : driver.execute(idempotency.load)
    if (idempotency !== undefined && known !== undefined) return over(Exit.fromEither(idempotency.replay(known)))
    const result = ChangeResult.make()
    for (const step of steps) {
      if (step._tag === "Enqueue" && !result.hasEvents) continue
      const refused = ChangeResult.accept(result, step, driver.execute(step.statement))
      if (refused !== undefined) return over(Exit.fail(refused))
    }
    const { results, hasEvents } = result
    if (followUp !== undefined) results.push(driver.execute(followUp(results)))
    const outcome = resolve(results)
    if (idempotency !== undefined && Either.isRight(outcome)) driver.execute(idempotency.save(outcome.right))
    return over(Exit.fromEither(outcome), hasEvents)
  } catch (error) {
    if (error instanceof SqliteError) {
      // A storage failure fails the whole commit.
      if (error.isStorageFailure) throw error
      const refusal = SqliteConstraint.fromError(error)
      if (refusal !== undefined) return over(Exit.fail(new Refused({ refusal })))
    }
    return over(Exit.die(error))
  }
}

/** Reports whether a change has only guards and one statement, which is atomic by itself. */
const isWhole = <A, E>({ followUp, isFinal = false, idempotency, steps }: Change<A, E>): boolean =>
  isFinal &&
  followUp === undefined &&
  idempotency === undefined &&
  steps.every(({ _tag }, index) => _tag === (index === steps.length - 1 ? "Run" : "Guard"))

const measure = <A, E>(change: Change<A, E>): number => {
  let characters = 0
  for (const { statement } of change.steps) {
    for (const parameter of statement.parameters) if (typeof parameter === "string") characters += parameter.length
  }
  return characters
}

/** Changes of one commit that is not durable yet. */
interface Committed {
  readonly batch: ReadonlyArray<Waiting>
  readonly begin: number
}

export const make = (
  driver: Driver,
  log: Log = noLog,
  { changes, characters, waiting: room }: Limits = limits
): CommitQueue => {
  // In the order of their commits.
  let committed: Array<Committed> = []
  let syncing: Promise<void> | undefined
  let accepted = 0
  const waiting: Array<Waiting> = []
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

  const runApart = (change: Waiting) => {
    run("SAVEPOINT change")
    if (!change.run()) run("ROLLBACK TO change")
    run("RELEASE change")
  }

  /** Runs changes with as few savepoints as possible; returns false when a failed change may have left rows. */
  const runTogether = (batch: ReadonlyArray<Waiting>): boolean => {
    for (const change of batch) {
      if (!change.isWhole) runApart(change)
      else if (!change.run() && change.isBroken()) return false
    }
    return true
  }

  const commit = (batch: ReadonlyArray<Waiting>) => {
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
    } catch (cause) {
      rollBack()
      return fail(batch, cause)
    }
    committed.push({ batch, begin })
    if (log.sync === undefined) succeed(takeCommitted())
    else void sync()
    log.shrink()
  }

  const takeCommitted = () => {
    const taken = committed
    committed = []
    return taken
  }

  const fail = (batch: ReadonlyArray<Waiting>, cause: unknown) => {
    isHealthy = false
    accepted -= batch.length
    for (const change of batch) change.fail(unavailable("CommitFailed", cause))
  }

  const succeed = (durable: ReadonlyArray<Committed>) => {
    isHealthy = true
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

  /** Syncs the log unless a sync is in flight, whose end starts the next one. Ends when nothing is left to sync. */
  const sync = (): Promise<void> | undefined => {
    if (syncing !== undefined || committed.length === 0 || log.sync === undefined) return syncing
    const batches = takeCommitted()
    syncing = log
      .sync()
      .then(
        () => succeed(batches),
        (cause: unknown) => batches.forEach(({ batch }) => fail(batch, cause))
      )
      .then(() => {
        syncing = undefined
        return sync()
      })
    return syncing
  }

  const take = (): ReadonlyArray<Waiting> => {
    let sum = 0
    const end = waiting.findIndex((change, index) => {
      sum += change.characters
      return index === changes || (index > 0 && sum > characters)
    })
    return waiting.splice(0, end === -1 ? waiting.length : end)
  }

  const schedule = () => {
    if (isScheduled || waiting.length === 0) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      const busy = log.busy()
      if (busy !== undefined) return void busy.finally(schedule).catch(() => undefined)
      // `close` may have committed everything.
      if (waiting.length > 0) commit(take())
      schedule()
    })
  }

  return {
    change: <A, E>(change: Change<A, E>) =>
      Callback.make<A, E | Refused | StoreUnavailable>((resume) => {
        if (isClosed) return resume(Exit.fail(unavailable("Closed")))
        if (accepted >= room) return resume(Exit.fail(unavailable("Overloaded")))
        accepted += 1
        let outcome: ChangeOutcome<A, E | Refused>
        waiting.push({
          characters: measure(change),
          isWhole: isWhole(change),
          run: () => {
            outcome = perform(driver, change)
            return Exit.isSuccess(outcome.exit)
          },
          isBroken: () => Exit.isFailure(outcome.exit) && Cause.isDie(outcome.exit.cause),
          hasEvents: () => outcome.hasEvents && Exit.isSuccess(outcome.exit),
          respond: () => resume(outcome.exit),
          fail: (error) => resume(Exit.fail(error))
        })
        schedule()
      }),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    healthy: () => isHealthy,
    close: async () => {
      isClosed = true
      while (waiting.length > 0) commit(take())
      await syncing
    },
    statistics: () => ({ ...statistics, waiting: accepted, commitSeconds: commitSeconds.get() })
  }
}
