/**
 * Commits changes: one statement if possible, otherwise a transaction. A conflict with another change is tried again, and
 * so is a change without events for whose rows a webhook has subscribed.
 */
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import type { Change } from "../../sql/Change.ts"
import { Refused, type StoreUnavailable } from "../Store.ts"
import * as PostgresChange from "./PostgresChange.ts"
import * as PostgresConstraint from "./PostgresConstraint.ts"
import type { PostgresDriver } from "./PostgresDriver.ts"
import { PostgresError } from "./connection/PostgresError.ts"
import type { PostgresSubscriptions } from "./PostgresSubscriptions.ts"

export interface Options {
  readonly driver: Pick<PostgresDriver, "execute" | "transaction">
  readonly subscriptions: PostgresSubscriptions
  /** The maximum time of a change, including the wait for a connection. */
  readonly timeoutMillis: number
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

/** Returns the function that commits a change. */
export const make = ({ driver, judge, subscriptions, timeoutMillis }: Options) => {
  /** Attempts a change once; throws the failure of the driver. */
  const perform = async <A, E>(
    change: Change<A, E>,
    deadline: number
  ): Promise<Either.Either<Commit<A>, E | Refused>> => {
    const { companyId: group = "", followUp, isFinal = false, idempotency, resolve, steps } = change
    const combined = PostgresChange.combine(change)
    const settled = ({ results, hasEvents }: PostgresChange.StepResults): Either.Either<Commit<A>, E | Refused> =>
      Either.map(resolve(results), (value) => ({ value, hasEvents }))
    if (combined !== undefined && isFinal && followUp === undefined && idempotency === undefined) {
      const use = { class: "writes", group, isExclusive: !isSmall(change), deadline } as const
      return settled(combined.read(await driver.execute(combined.statement, use)))
    }
    const use = { class: "writes", group, isExclusive: true, deadline } as const
    return driver.transaction<Commit<A>, E | Refused>(
      async (connection) => {
        const [known] = idempotency === undefined ? [] : await PostgresChange.load(connection, idempotency)
        if (idempotency !== undefined && known !== undefined) {
          return Either.map(idempotency.replay(known), (value) => ({ value, hasEvents: false }))
        }
        const performed =
          combined === undefined
            ? await PostgresChange.inSequence(connection, steps)
            : Either.right(combined.read(await connection.execute(combined.statement)))
        if (Either.isLeft(performed)) return Either.left(performed.left)
        const { results, hasEvents } = performed.right
        const followed = followUp === undefined ? results : [...results, await connection.execute(followUp(results))]
        const done = settled({ results: followed, hasEvents })
        if (idempotency !== undefined && Either.isRight(done))
          await connection.execute(idempotency.save(done.right.value))
        return done
      },
      { use }
    )
  }

  const tried = async <A, E>(given: Change<A, E>): Promise<Exit.Exit<Commit<A>, E | Refused | StoreUnavailable>> => {
    const deadline = performance.now() + timeoutMillis
    let change = given
    for (let count = 1; ; count++) {
      try {
        return Exit.fromEither(await perform(change, deadline))
      } catch (error) {
        const subscribed = PostgresChange.subscribedRows(change, error)
        if (subscribed !== undefined) {
          subscriptions.add(subscribed)
          change = PostgresChange.withEvents(change)
          continue
        }
        if (!(error instanceof PostgresError)) return judge(error)
        if (error.isTransient && count < attempts) continue
        const refusal = PostgresChange.refusalOf(change, error) ?? PostgresConstraint.fromError(error)
        return refusal === undefined ? judge(error) : Exit.fail(new Refused({ refusal }))
      }
    }
  }

  return tried
}
