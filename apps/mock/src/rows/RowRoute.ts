/**
 * Handles a row request: parses it, plans it, runs the statements and makes the response. This is the hot path: no fiber
 * is started if the store answers synchronously.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import type { Caller } from "../access/Caller.ts"
import type * as Exchange from "../Exchange.ts"
import { micros } from "../sql/ServiceColumn.ts"
import type { Change } from "../sql/Change.ts"
import type { Refused, StoreUnavailable } from "../store/Store.ts"
import * as Slices from "../world/Slices.ts"
import * as SyncEffect from "../world/SyncEffect.ts"
import type { World } from "../world/World.ts"
import * as Idempotency from "./Idempotency.ts"
import * as NamedKey from "./plan/NamedKey.ts"
import type { RolledBack } from "./Outcome.ts"
import type { Quota } from "./Quota.ts"
import * as Precondition from "./Precondition.ts"
import * as RootOpenApi from "./response/RootOpenApi.ts"
import * as RowResponse from "./response/RowResponse.ts"
import type * as RowError from "./RowError.ts"
import * as RowErrorBody from "./RowErrorBody.ts"
import * as UnknownPath from "./UnknownPath.ts"
import * as Planner from "./plan/Planner.ts"
import type { RowPlan } from "./plan/RowPlan.ts"
import * as JsonScan from "./request/JsonScan.ts"
import * as LargeRequests from "./LargeRequests.ts"
import * as RowRequest from "./request/RowRequest.ts"
import * as RowStatement from "./RowStatement.ts"

/** Responds to a caller's request for the rows of a resource below a mount. It fails only with defects. */
export interface RowRoute {
  (exchange: Exchange.Request, caller: Caller, name: string, place: RowRequest.Place): Effect.Effect<Exchange.Response>
}

export interface Options {
  readonly world: Pick<Context.Tag.Service<World>, "store" | "now" | "newId" | "rules">
  /** Maximum number of rows of a list without a limit. */
  readonly maxRows: number
  /** Maximum number of rows in one body. */
  readonly maxBatch: number
  /** Allows aggregate functions (default false). */
  readonly aggregates?: boolean
  /** The quotas of companies, if there are any. */
  readonly quota?: Quota | undefined
}

type Failure = RowError.RowError | RolledBack | Refused | StoreUnavailable
type Write = Change<Exchange.Response, RowError.RowError | RolledBack>

/** A request whose body is checked and compiled. */
interface Prepared {
  readonly plan: RowPlan
  readonly statement: RowStatement.RowStatement
  /** The hash of a request with an `Idempotency-Key`. */
  readonly requestHash: string
}

/** The length of a body that is handled without a pause. */
const smallLength = 16 * 1024

const isLarge = ({ body, method }: Exchange.Request): boolean =>
  body.length > smallLength && RowRequest.actionOf(method) !== undefined

const refuse = (error: RowError.RowError): Effect.Effect<Exchange.Response> =>
  Exit.succeed(RowErrorBody.toResponse(error))

const errorResponse = (plan: RowPlan, failure: Failure): Exchange.Response => {
  switch (failure._tag) {
    case "RolledBack":
      return RowResponse.make(plan, failure.outcome)
    case "Refused":
      return RowErrorBody.toResponse(failure.refusal)
    default:
      return RowErrorBody.toResponse(failure)
  }
}

/** The row route of one world. */
export const make = ({ aggregates = false, maxBatch, maxRows, quota, world }: Options): RowRoute => {
  const { newId, now, store } = world
  const bodyLimits = { ...JsonScan.limits, rows: maxBatch }
  const largeRequests = LargeRequests.make()

  const source = () => ({ change: newId(), at: micros(now()) })

  const read = (
    plan: RowPlan,
    { resolve, statement }: RowStatement.Query,
    { action, precondition }: RowRequest.RowRequest
  ): Effect.Effect<Exchange.Response, Failure> =>
    SyncEffect.andThen(
      store.read(statement),
      Exit.flatMap((rows) =>
        Exit.map(Exit.fromEither(resolve(rows)), (outcome) => {
          const response = RowResponse.make(plan, outcome)
          return precondition === undefined
            ? response
            : Precondition.apply(precondition, response, action._tag === "Read")
        })
      )
    )

  const write = (
    plan: RowPlan,
    { followUp, isFinal = false, resolve, steps }: RowStatement.Write["change"],
    { key, idempotencyKey, precondition }: RowRequest.RowRequest,
    caller: Caller,
    requestHash: string
  ): Effect.Effect<Exchange.Response, Failure> => {
    if (precondition !== undefined && key === undefined) return Exit.fail(Precondition.keyMissing)
    const { dialect } = store
    const guards =
      precondition === undefined || key === undefined
        ? RowStatement.sizeGuard(plan, dialect, maxBatch)
        : Precondition.guards(precondition, plan, key, dialect)
    const change: Write = {
      companyId: caller.companyId,
      steps: guards.length === 0 ? steps : [...guards, ...steps],
      followUp,
      isFinal: isFinal && precondition === undefined,
      resolve: (results) =>
        Either.flatMap(resolve(results), (outcome) =>
          Either.map(precondition === undefined ? Either.void : Precondition.check(precondition, outcome), () =>
            RowResponse.make(plan, outcome)
          )
        )
    }
    return store.change(
      idempotencyKey === undefined
        ? change
        : Idempotency.once(change, { key: idempotencyKey, requestHash }, caller, now(), dialect)
    )
  }

  /** Plans and compiles a request. A large body takes many slices. */
  const prepare = function* (
    exchange: Exchange.Request,
    request: RowRequest.RowRequest,
    caller: Caller,
    taken: ReadonlySet<string>
  ): Slices.Slices<Either.Either<Prepared, RowError.RowError>> {
    const requestHash = request.idempotencyKey === undefined ? "" : yield* Idempotency.hash(exchange)
    const context = { caller, rules: world.rules(), maxRows, aggregates, now, newId, taken }
    const planned = yield* Planner.make(request, context, bodyLimits)
    if (Either.isLeft(planned)) return Either.left(planned.left)
    const plan = planned.right
    return Either.right({ plan, requestHash, statement: yield* RowStatement.make(plan, store, source) })
  }

  const perform = (
    { plan, requestHash, statement }: Prepared,
    { body }: Exchange.Request,
    request: RowRequest.RowRequest,
    caller: Caller
  ): Effect.Effect<Exchange.Response, Failure> => {
    if (statement._tag !== "Change") return read(plan, statement, request)
    const run = (change: RowStatement.Write["change"]) => write(plan, change, request, caller, requestHash)
    return quota === undefined
      ? run(statement.change)
      : quota.apply({ plan, bytes: body.length, caller }, statement.change, run)
  }

  /** `taken` are the stored keys that a key made from a name must differ from. */
  const run = (
    exchange: Exchange.Request,
    request: RowRequest.RowRequest,
    caller: Caller,
    taken: ReadonlySet<string>
  ): Effect.Effect<Exchange.Response> => {
    const preparation = prepare(exchange, request, caller, taken)
    const prepared = isLarge(exchange) ? Slices.effect(preparation) : Exit.succeed(Slices.run(preparation))
    return SyncEffect.andThen(prepared, (exit) => {
      if (Exit.isFailure(exit)) return Exit.failCause(exit.cause)
      if (Either.isLeft(exit.value)) return refuse(exit.value.left)
      return finish(exit.value.right, exchange, request, caller, taken)
    })
  }

  const finish = (
    prepared: Prepared,
    exchange: Exchange.Request,
    request: RowRequest.RowRequest,
    caller: Caller,
    taken: ReadonlySet<string>
  ) => {
    const { plan } = prepared
    return SyncEffect.andThen(
      perform(prepared, exchange, request, caller),
      (exit): Effect.Effect<Exchange.Response> => {
        if (Exit.isSuccess(exit)) return Exit.succeed(exit.value)
        const failure = Cause.failureOrCause(exit.cause)
        if (Either.isRight(failure)) return Exit.failCause(failure.right)
        const response = Exit.succeed(errorResponse(plan, failure.left))
        // The key was made from a name and is taken: the stored keys are read only now.
        if (failure.left._tag !== "Refused" || !NamedKey.isMade(request.resource)) return response
        return SyncEffect.andThen(store.read(RowStatement.keys(plan, store.dialect)), (keys) => {
          const found = Exit.isSuccess(keys) ? new Set(keys.value.map(([key]) => String(key))) : taken
          return found.size > taken.size ? run(exchange, request, caller, found) : response
        })
      }
    )
  }

  return (exchange, caller, name, place) => {
    const resource = Catalogue.find(name)
    if (resource === undefined) {
      return name === "" ? RootOpenApi.respond(exchange, place.mount, world.rules()) : refuse(UnknownPath.toError(name))
    }
    const made = RowRequest.make(exchange, resource, place)
    if (Either.isLeft(made)) return refuse(made.left)
    const request = made.right
    return isLarge(exchange)
      ? largeRequests(
          caller,
          Effect.suspend(() => run(exchange, request, caller, new Set()))
        )
      : run(exchange, request, caller, new Set())
  }
}
