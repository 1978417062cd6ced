/**
 * Runs the queries of row requests: a read inline if it is certainly small, and offloaded otherwise; and the search for
 * the rows of a filtered write.
 */
import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import type { Caller } from "../access/Caller.ts"
import type { Reader } from "../access/Consistency.ts"
import type * as Exchange from "../Exchange.ts"
import type { Rows } from "../sql/Change.ts"
import type { Condition } from "../sql/read/Condition.ts"
import type { QueryStopped } from "../store/QueryStopped.ts"
import type { StoreUnavailable } from "../store/Store.ts"
import * as SyncEffect from "../world/SyncEffect.ts"
import * as Cost from "./cost/Cost.ts"
import type { Read } from "./plan/RowPlan.ts"
import * as Precondition from "./Precondition.ts"
import type { RowRequest } from "./request/RowRequest.ts"
import * as RowCost from "./response/RowCost.ts"
import * as RowResponse from "./response/RowResponse.ts"
import type { RowError } from "./RowError.ts"
import * as RowSearch from "./RowSearch.ts"
import * as RowStatement from "./RowStatement.ts"

type Failure = RowError | StoreUnavailable | QueryStopped

export interface RowQuery {
  readonly read: (
    plan: Read,
    request: RowRequest,
    caller: Caller,
    work: RowCost.Work,
    reader: Reader
  ) => Effect.Effect<Exchange.Response, Failure>
  /** Finds the rows of a filtered write, and returns conditions that select them. */
  readonly find: (search: RowSearch.Search, caller: Caller) => Effect.Effect<ReadonlyArray<Condition>, Failure>
}

export const make = (store: Reader, target: RowSearch.StatementTarget): RowQuery => {
  const { dialect, tableSize } = target

  /**
   * The cost of a read. On the embedded store, counting the rows that an index finds costs less than offloading, and a
   * read of few rows is inline.
   */
  const costOf = (plan: Read): Effect.Effect<Cost.Cost, StoreUnavailable> => {
    if (plan.owner.asOf !== undefined) return Exit.succeed(Cost.past(plan))
    const cost = Cost.make(plan, tableSize)
    const probe = cost.class === "inline" || dialect.name !== "sqlite" ? undefined : Cost.probe(plan, tableSize)
    if (probe === undefined) return Exit.succeed(cost)
    return SyncEffect.andThen(
      store.read(RowSearch.probe(plan, probe, target), plan.owner.companyId),
      Exit.map(([row]): Cost.Cost => {
        const rows = Number(row?.[0])
        return rows <= probe.most ? Cost.probed(plan, rows, tableSize) : cost
      })
    )
  }

  const run = (plan: Read, request: RowRequest, caller: Caller, cost: Cost.Cost, reader: Reader) => {
    const { action, precondition, unread } = request
    const { resolve, statement } = RowStatement.read(plan, target, cost)
    const rows: Effect.Effect<Rows, StoreUnavailable | QueryStopped> =
      cost.class === "inline"
        ? reader.read(statement, caller.companyId)
        : reader.query(statement, unread === undefined ? caller : { ...caller, unread })
    return SyncEffect.andThen(rows, (exit): Effect.Effect<Exchange.Response, Failure> => {
      if (Exit.isFailure(exit)) return Exit.failCause(exit.cause)
      const outcome = resolve(exit.value)
      if (Either.isLeft(outcome)) return Exit.fail(outcome.left)
      const response = RowResponse.make(plan, outcome.right)
      const applied =
        precondition === undefined ? response : Precondition.apply(precondition, response, action._tag === "Read")
      return RowResponse.complete(plan, applied)
    })
  }

  return {
    read: (plan, request, caller, work, reader) =>
      SyncEffect.andThen(costOf(plan), (cost): Effect.Effect<Exchange.Response, Failure> => {
        if (Exit.isFailure(cost)) return Exit.failCause(cost.cause)
        RowCost.start(work, cost.value)
        return run(plan, request, caller, cost.value, reader)
      }),
    find: ({ resolve, statement }, caller) =>
      SyncEffect.andThen(
        store.query(statement, caller),
        Exit.flatMap((rows): Exit.Exit<ReadonlyArray<Condition>, Failure> => Exit.fromEither(resolve(rows)))
      )
  }
}
