/**
 * Commits changes: one statement if possible, otherwise a transaction. A conflict with another change is tried again, and
 * so is a change without events for whose rows a webhook has subscribed.
 */
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import type { Change } from "../../sql/Change.ts"
import { micros } from "../../sql/ServiceColumn.ts"
import type * as Recorder from "../Recorder.ts"
import { Refused, type StoreUnavailable } from "../Store.ts"
import * as PostgresChange from "./PostgresChange.ts"
import * as PostgresConstraint from "./PostgresConstraint.ts"
import type { PostgresDriver } from "./PostgresDriver.ts"
import * as PostgresRecorder from "./PostgresRecorder.ts"
import { PostgresError } from "./connection/PostgresError.ts"
import type { PostgresSubscriptions } from "./PostgresSubscriptions.ts"

export interface Options {
  readonly driver: Pick<PostgresDriver, "execute" | "transaction">
  readonly subscriptions: PostgresSubscriptions
  /** The maximum time of a change, including the wait for a connection. */
  readonly timeoutMillis: number
  /** Set when the history of the rows is kept. */
  readonly recorder: Recorder.Options | undefined
  /** Converts a failure of the driver. */
  readonly judge: (error: unknown) => Exit.Exit<never, StoreUnavailable>
}

/** The maximum number of attempts of a change that conflicts with others. */
const attempts = 5

/** The outcome of a committed change. */
interface Commit<A> {
  readonly value: A
  /** Set when the change has published events. */
  readonly hasEvents: boolean
}

/** Reports whether a change writes few rows, which it finds by their keys. */
const isSmall = ({ steps }: Pick<Change<unknown, unknown>, "steps">): boolean =>
  steps.every((step) => step._tag !== "Run" || step.statement.isSingle === true)

/** Returns the function that commits a change, and passes its exit on. */
export const make = ({ driver, judge, recorder, subscriptions, timeoutMillis }: Options) => {
  const settled = <A, E>(
    { resolve }: Change<A, E>,
    { hasEvents, results }: PostgresChange.StepResults
  ): Either.Either<Commit<A>, E | Refused> => Either.map(resolve(results), (value) => ({ value, hasEvents }))

  const originOf = ({ origin }: Pick<Change<unknown, unknown>, "origin">): string | undefined =>
    recorder === undefined ? undefined : PostgresRecorder.originOf(micros(recorder.now()), origin)

  /** Attempts a change in a transaction. */
  const inTransaction = <A, E>(
    change: Change<A, E>,
    combined: PostgresChange.CombinedStatement | undefined,
    deadline: number
  ) => {
    const { companyId: group = "", followUp, idempotency, steps } = change
    return driver.transaction<Commit<A>, E | Refused>(
      async (connection) => {
        const [known] = idempotency === undefined ? [] : await PostgresChange.load(connection, idempotency)
        if (idempotency !== undefined && known !== undefined) {
          return Either.map(idempotency.replay(known), (value) => ({ value, hasEvents: false }))
        }
        const origin = originOf(change)
        // Statements run in the order in which they are sent.
        const recorded = origin === undefined ? undefined : connection.execute(PostgresRecorder.setOrigin(origin))
        const performed =
          combined === undefined
            ? await PostgresChange.inSequence(connection, steps)
            : Either.right(combined.read(await connection.execute(combined.statement)))
        await recorded
        if (Either.isLeft(performed)) return Either.left(performed.left)
        const { hasEvents, results } = performed.right
        const followed = followUp === undefined ? results : [...results, await connection.execute(followUp(results))]
        const done = settled(change, { results: followed, hasEvents })
        if (idempotency !== undefined && Either.isRight(done))
          await connection.execute(idempotency.save(done.right.value))
        return done
      },
      { use: { class: "writes", group, isExclusive: true, deadline, companyId: group } }
    )
  }

  /** Attempts a change once. One statement needs no promise, which would cost more than the rest. */
  const perform = <A, E>(
    change: Change<A, E>,
    deadline: number,
    done: (outcome: Either.Either<Commit<A>, E | Refused>) => void,
    fail: (error: unknown) => void
  ): void => {
    const { companyId: group = "", followUp, idempotency, isFinal = false } = change
    const isStatement = isFinal && followUp === undefined && idempotency === undefined
    const combined = PostgresChange.combine(change, isStatement ? originOf(change) : undefined)
    if (combined === undefined || !isStatement) {
      void inTransaction(change, combined, deadline).then(done, fail)
      return
    }
    driver.execute(
      combined.statement,
      { class: "writes", group, isExclusive: !isSmall(change), deadline, companyId: group },
      (rows) => {
        let outcome: Either.Either<Commit<A>, E | Refused>
        try {
          outcome = settled(change, combined.read(rows))
        } catch (error) {
          return fail(error)
        }
        done(outcome)
      },
      fail
    )
  }

  return <A, E>(
    given: Change<A, E>,
    done: (exit: Exit.Exit<Commit<A>, E | Refused | StoreUnavailable>) => void
  ): void => {
    const deadline = performance.now() + timeoutMillis
    const attempt = (change: Change<A, E>, count: number): void =>
      perform(
        change,
        deadline,
        (outcome) => done(Exit.fromEither(outcome)),
        (error) => {
          const subscribed = PostgresChange.subscribedRows(change, error)
          if (subscribed !== undefined) {
            subscriptions.add(subscribed)
            return attempt(PostgresChange.withEvents(change), count + 1)
          }
          if (!(error instanceof PostgresError)) return done(judge(error))
          if (PostgresChange.isTransient(error) && count < attempts) return attempt(change, count + 1)
          const refusal = PostgresChange.refusalOf(change, error) ?? PostgresConstraint.fromError(error)
          done(refusal === undefined ? judge(error) : Exit.fail(new Refused({ refusal })))
        }
      )
    attempt(given, 1)
  }
}
