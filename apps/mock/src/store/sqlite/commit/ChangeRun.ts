/**
 * Runs the steps of a change on the connection of a store, and keeps their outcome. The caller opens the transaction.
 */
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import type { Change, Step } from "../../../sql/Change.ts"
import type { Statement } from "../../../sql/Statement.ts"
import * as ChangeResult from "../../ChangeResult.ts"
import { Refused, type StoreUnavailable, unavailable } from "../../Store.ts"
import * as SqliteConstraint from "../SqliteConstraint.ts"
import { SqliteError, type SqliteDriver } from "../SqliteDriver.ts"

export interface ChangeOutcome<A, E> {
  readonly exit: Exit.Exit<A, E>
  readonly hasEvents: boolean
  /** Set when the change has too many deliveries to run without a pause. It is to be undone, and to run as a long one. */
  readonly isPostponed: boolean
}

/** The number of steps above which a change is long: it runs in slices, in a transaction of its own. */
const manySteps = 64

/** The number of deliveries that one statement creates, about. */
const sliceLength = 1000

export const isLong = <A, E>({ isLong = false, staged, steps }: Change<A, E>): boolean =>
  isLong || staged !== undefined || steps.length > manySteps

const over = <A, E>(exit: Exit.Exit<A, E>, hasEvents = false): ChangeOutcome<A, E> => ({
  exit,
  hasEvents,
  isPostponed: false
})

const postponed: ChangeOutcome<never, never> = {
  exit: Exit.interrupt(FiberId.none),
  hasEvents: false,
  isPostponed: true
}

/** The statements that create the deliveries, each of as many events as have the length of a slice. */
const enqueues = function* (
  { slice, statement }: Extract<Step, { readonly _tag: "Enqueue" }>,
  { deliveries, range }: ChangeResult.ChangeResult
): Generator<Statement> {
  if (range === undefined || deliveries <= sliceLength) return yield statement
  const [first, last] = range
  // The events of a change have consecutive numbers, because no other change writes at the same time.
  const length = Math.max(1, Math.floor(((last - first + 1) * sliceLength) / deliveries))
  for (let start = first; start <= last; start += length) yield slice(start, Math.min(last, start + length - 1))
}

/** Reports whether a step has no effect without events. */
const isOfEvents = (step: Step): boolean =>
  step._tag === "Enqueue" || (step._tag === "Count" && step.isOfEvents === true)

/** The statement that prepares the record of a change, if changes are recorded. */
export type Prepare = (change: Pick<Change<never, never>, "origin">) => Statement

/**
 * Runs a change. It can be suspended wherever it yields; a storage failure throws. Only one that can be suspended creates
 * many deliveries.
 */
export const make = function* <A, E>(
  driver: Pick<SqliteDriver, "execute">,
  { followUp, idempotency, origin, resolve, steps }: Change<A, E>,
  isSuspendable: boolean,
  prepare?: Prepare
): Generator<void, ChangeOutcome<A, E | Refused | StoreUnavailable>> {
  try {
    const [known] = idempotency === undefined ? [] : driver.execute(idempotency.load)
    if (idempotency !== undefined && known !== undefined) return over(Exit.fromEither(idempotency.replay(known)))
    const result = ChangeResult.make()
    if (prepare !== undefined) driver.execute(prepare({ origin }))
    for (const step of steps) {
      if (!result.hasEvents && isOfEvents(step)) continue
      if (step._tag === "Enqueue") {
        for (const statement of enqueues(step, result)) {
          driver.execute(statement)
          yield
        }
        continue
      }
      const refused = ChangeResult.accept(result, step, driver.execute(step.statement))
      if (refused !== undefined) return over(Exit.fail(refused))
      if (!isSuspendable && result.deliveries > sliceLength) return postponed
      yield
    }
    const { results, hasEvents } = result
    if (followUp !== undefined) results.push(driver.execute(followUp(results)))
    const outcome = resolve(results)
    if (idempotency !== undefined && Either.isRight(outcome)) driver.execute(idempotency.save(outcome.right))
    return over(Exit.fromEither(outcome), hasEvents)
  } catch (error) {
    if (error instanceof SqliteError) {
      if (error.isDamagedText) return over(Exit.fail(unavailable("Damaged", error)))
      // Any other storage failure fails the whole commit.
      if (error.isStorageFailure) throw error
      const refusal = SqliteConstraint.fromError(error)
      if (refusal !== undefined) return over(Exit.fail(new Refused({ refusal })))
    }
    return over(Exit.die(error))
  }
}

/** Reports whether a change has only guards and one statement, which is atomic by itself. */
export const isWhole = <A, E>({ followUp, isFinal = false, idempotency, steps }: Change<A, E>): boolean =>
  isFinal &&
  followUp === undefined &&
  idempotency === undefined &&
  steps.every(({ _tag }, index) => _tag === (index === steps.length - 1 ? "Run" : "Guard"))

/** The number of characters of a change's parameters. */
export const measure = <A, E>(change: Change<A, E>): number => {
  let characters = 0
  for (const { statement } of change.steps) {
    for (const parameter of statement.parameters) if (typeof parameter === "string") characters += parameter.length
  }
  return characters
}
