/**
 * Runs queries of any size: companies take turns, and each query has a connection alone. One deadline covers waiting and
 * running.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { Rows } from "../../sql/Change.ts"
import type { Statement } from "../../sql/Statement.ts"
import * as FairQueue from "../FairQueue.ts"
import * as QueryCounts from "../QueryCounts.ts"
import type { QueryStopped } from "../QueryStopped.ts"
import type { StoreUnavailable } from "../Store.ts"
import type { PostgresDriver } from "./PostgresDriver.ts"

/** The maximum number of queries that wait, of all companies. */
const places = 256

export interface Options {
  readonly driver: Pick<PostgresDriver, "query">
  /** The number of connections for queries. */
  readonly slots: number
  readonly timeoutMillis: number
  readonly counts: QueryCounts.QueryCounts
  /** Converts a failure of the driver. */
  readonly judge: (error: unknown) => Exit.Exit<never, StoreUnavailable | QueryStopped>
  readonly onSuccess: () => void
}

export interface PostgresQueries {
  readonly run: (
    statement: Statement,
    consumer: FairQueue.Consumer
  ) => Effect.Effect<Rows, StoreUnavailable | QueryStopped>
  readonly waiting: () => number
}

export const make = ({ counts, driver, judge, onSuccess, slots, timeoutMillis }: Options): PostgresQueries => {
  const queue = FairQueue.make({ slots, places })

  const run = (statement: Statement, consumer: FairQueue.Consumer) =>
    Effect.async<Rows, StoreUnavailable | QueryStopped>((resume) => {
      const deadline = performance.now() + timeoutMillis
      let cancel = () => {}
      let timer: NodeJS.Timeout | undefined
      let hasStarted = false
      let hasEnded = false
      const fail = (exit: Exit.Exit<never, StoreUnavailable | QueryStopped>) => {
        if (hasEnded) return
        hasEnded = true
        const error = Option.getOrUndefined(Exit.isFailure(exit) ? Cause.failureOption(exit.cause) : Option.none())
        if (error?._tag === "QueryStopped") counts.stop(QueryCounts.causeOf(error))
        if (error?._tag === "StoreUnavailable" && error.reason === "OutOfMemory") counts.stop("memory")
        resume(exit)
      }
      const accepted = queue.acquire(consumer, (release) => {
        clearTimeout(timer)
        hasStarted = true
        counts.start()
        cancel = driver.query(
          statement,
          { consumer, deadline },
          (rows) => {
            hasEnded = true
            onSuccess()
            resume(Exit.succeed(rows))
          },
          (error) => fail(judge(error)),
          release
        )
      })
      if (Either.isLeft(accepted)) return fail(Exit.fail(accepted.left))
      const leave = accepted.right
      if (!hasStarted) {
        timer = setTimeout(() => {
          leave()
          fail(Exit.fail(FairQueue.missed(consumer, timeoutMillis)))
        }, timeoutMillis)
      }
      return Effect.sync(() => {
        if (!hasEnded) counts.stop("hangup")
        hasEnded = true
        clearTimeout(timer)
        leave()
        cancel()
      })
    })

  return { run, waiting: queue.waiting }
}
