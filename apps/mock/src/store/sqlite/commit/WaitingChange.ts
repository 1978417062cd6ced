/**
 * A change that waits for its commit, with what the queue of commits needs to know of it.
 */
import * as Cause from "effect/Cause"
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Change } from "../../../sql/Change.ts"
import { type Refused, StoreUnavailable } from "../../Store.ts"
import * as ChangeRun from "./ChangeRun.ts"
import type { SqliteDriver } from "../SqliteDriver.ts"
import type { SqliteRecorder } from "../SqliteRecorder.ts"
import type { StagingTable } from "./StagingTable.ts"

export interface WaitingChange {
  /** Prepares the record of the change, before its transaction. */
  readonly watch: (recorder: SqliteRecorder) => void
  /** Stages the rows of a long change until the time; returns whether all of them are staged. */
  readonly stage: (table: StagingTable, untilMillis: number) => boolean
  /** Runs a long change until the time; returns whether it has ended. */
  readonly advance: (untilMillis: number) => boolean
  readonly characters: number
  /** Set when a refused change leaves no rows, so that it needs no savepoint. */
  readonly isWhole: boolean
  /** Runs the whole change and keeps its outcome; returns whether its rows are to be committed. */
  readonly run: () => boolean
  /** Reports whether the change was undone, because it has to run as a long one. */
  readonly isPostponed: () => boolean
  /** Reports whether the rows of a change that has ended are to be committed. */
  readonly isSuccess: () => boolean
  /** Reports an unexpected failure, before which the change may have written rows. */
  readonly isBroken: () => boolean
  /** Reports whether the change has published events. */
  readonly hasEvents: () => boolean
  readonly respond: () => void
  readonly fail: (error: StoreUnavailable) => void
}

/** A change that calls `resume` when it is durable or refused. */
export const make = <A, E>(
  driver: Pick<SqliteDriver, "execute">,
  change: Change<A, E>,
  resume: (effect: Effect.Effect<A, E | Refused | StoreUnavailable>) => void,
  prepare?: ChangeRun.Prepare
): WaitingChange => {
  let outcome: ChangeRun.ChangeOutcome<A, E | Refused | StoreUnavailable>
  const start = (isSuspendable: boolean) => ChangeRun.make(driver, change, isSuspendable, prepare)
  let running: ReturnType<typeof start> | undefined
  let staging: Generator<void, void> | undefined
  const stage = (table: StagingTable, untilMillis: number) => {
    if (change.staged === undefined) return true
    staging ??= table.fill(change.staged)
    do if (staging.next().done === true) return true
    while (performance.now() < untilMillis)
    return false
  }
  const advance = (untilMillis: number) => {
    running ??= start(true)
    do {
      const step = running.next()
      if (step.done !== true) continue
      outcome = step.value
      running = undefined
      return true
    } while (performance.now() < untilMillis)
    return false
  }
  const isSuccess = () => Exit.isSuccess(outcome.exit)
  return {
    watch: (recorder) => recorder.watch(change),
    characters: ChangeRun.measure(change),
    isWhole: ChangeRun.isWhole(change),
    stage,
    advance,
    run: () => {
      running = start(false)
      advance(Infinity)
      return isSuccess()
    },
    isPostponed: () => outcome.isPostponed,
    isSuccess,
    isBroken: () => {
      const { exit } = outcome
      if (Exit.isSuccess(exit)) return false
      return Cause.isDie(exit.cause) || (exit.cause._tag === "Fail" && exit.cause.error instanceof StoreUnavailable)
    },
    hasEvents: () => outcome.hasEvents && isSuccess(),
    respond: () => resume(outcome.exit),
    fail: (error) => resume(Exit.fail(error))
  }
}
