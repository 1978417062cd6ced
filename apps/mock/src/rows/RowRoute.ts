/**
 * Handles a row request: parses it, plans it, runs the statements and makes the response. This is the hot path: no fiber
 * is started if the store answers synchronously. One file, because the whole path of a request is read here.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type * as Resource from "@mfgdata/domain/Resource"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import type { Caller } from "../access/Caller.ts"
import type { Consistency } from "../access/Consistency.ts"
import * as Exchange from "../Exchange.ts"
import { micros } from "../sql/ServiceColumn.ts"
import type { Change, Origin } from "../sql/Change.ts"
import type { QueryStopped } from "../store/QueryStopped.ts"
import type { Refused, StoreUnavailable } from "../store/Store.ts"
import * as Slices from "../world/Slices.ts"
import * as SyncEffect from "../world/SyncEffect.ts"
import type { World } from "../world/World.ts"
import * as Idempotency from "./Idempotency.ts"
import * as NamedKey from "./plan/NamedKey.ts"
import type { Outcome, RolledBack } from "./Outcome.ts"
import type { Quota } from "./Quota.ts"
import * as PastRead from "./PastRead.ts"
import * as Precondition from "./Precondition.ts"
import * as RootOpenApi from "./response/RootOpenApi.ts"
import * as RowResponse from "./response/RowResponse.ts"
import type * as RowError from "./RowError.ts"
import * as RowErrorBody from "./RowErrorBody.ts"
import * as SealedColumns from "./SealedColumns.ts"
import * as UnknownPath from "./UnknownPath.ts"
import * as Planner from "./plan/Planner.ts"
import type { Read, RowPlan } from "./plan/RowPlan.ts"
import * as JsonScan from "./request/JsonScan.ts"
import * as LargeRequests from "./LargeRequests.ts"
import * as RowRequest from "./request/RowRequest.ts"
import * as TraceContext from "./request/TraceContext.ts"
import * as RowCost from "./response/RowCost.ts"
import * as RowQuery from "./RowQuery.ts"
import * as RowSearch from "./RowSearch.ts"
import * as RowStatement from "./RowStatement.ts"
import * as WriteBound from "./WriteBound.ts"

/** Responds to a caller's request for the rows of a resource below a mount. It fails only with defects. */
export interface RowRoute {
  (exchange: Exchange.Request, caller: Caller, name: string, place: RowRequest.Place): Effect.Effect<Exchange.Response>
}

export interface Options {
  readonly world: Pick<Context.Tag.Service<World>, "store" | "now" | "newId" | "rules" | "vault">
  /** Selects what serves a read. */
  readonly consistency: Pick<Consistency, "read">
  /** Maximum number of rows of a list without a limit. */
  readonly maxRows: number
  /** Maximum number of bytes of an answer (default: unlimited). */
  readonly maxAnswer?: number
  /** Maximum number of rows in one body. */
  readonly maxBatch: number
  /** Allows aggregate functions (default false). */
  readonly aggregates?: boolean
  /** The quotas of companies, if there are any. */
  readonly quota?: Quota | undefined
  /** The resources under a rule set (default: those of the contract). */
  readonly catalogue?: ((rules: RuleSet) => Catalogue.Resources) | undefined
}

type Failure = RowError.RowError | RolledBack | Refused | StoreUnavailable | QueryStopped
type Answer = Effect.Effect<Exchange.Response, Failure>
type Write<A> = Change<A, RowError.RowError | RolledBack>

/** A request whose body is checked and compiled: a read, a write, or a write of the rows that a query has to find. */
type Prepared =
  | { readonly _tag: "Read"; readonly plan: Read }
  | {
      readonly _tag: "Write"
      readonly plan: RowPlan
      readonly change: RowStatement.Write["change"]
      /** The hash of a request with an `Idempotency-Key`. */
      readonly requestHash: string
    }
  | {
      readonly _tag: "Search"
      readonly plan: RowSearch.FilteredPlan
      readonly search: RowSearch.Search
      readonly requestHash: string
    }

/** A write, with its request. */
interface Writing {
  readonly request: RowRequest.RowRequest
  readonly caller: Caller
  readonly origin: Origin | undefined
  readonly once: Idempotency.IdempotencyKey | undefined
  readonly work: RowCost.Work
}

/** Reports whether a write does so much that it first looks for a stored response. */
const isLong = (write: Exclude<Prepared, { readonly _tag: "Read" }>): boolean =>
  write._tag === "Search" || write.change.isLong === true || write.change.staged !== undefined

/** An update without changes has to check the values that the service sets. */
const isWrite = (plan: RowPlan): plan is Exclude<RowPlan, Read> | RowSearch.FilteredPlan =>
  plan._tag !== "Read" || Object.keys(plan.expected ?? {}).length > 0

const inline = { class: "inline", known: undefined } as const
const offloaded = { class: "offloaded", known: undefined } as const
/** The length of a body that is handled without a pause. */
const smallLength = 16 * 1024

const isLarge = ({ body, method }: Exchange.Request): boolean =>
  body.length > smallLength && RowRequest.actionOf(method) !== undefined

const refuse = (error: RowError.RowError): Effect.Effect<Exchange.Response> =>
  Exit.succeed(RowErrorBody.toResponse(error))

const respond = (plan: RowPlan, outcome: Outcome): Effect.Effect<Exchange.Response> =>
  RowResponse.complete(plan, RowResponse.make(plan, outcome))

const respondToFailure = (plan: RowPlan, failure: Failure): Effect.Effect<Exchange.Response> => {
  switch (failure._tag) {
    case "RolledBack":
      return respond(plan, failure.outcome)
    case "Refused":
      return refuse(failure.refusal)
    default:
      return refuse(failure)
  }
}

/** The row route of one world. */
export const make = ({
  aggregates = false,
  catalogue = () => Catalogue,
  consistency,
  maxAnswer = Infinity,
  maxBatch,
  maxRows,
  quota,
  world
}: Options): RowRoute => {
  const { newId, now, store, vault } = world
  const { dialect, hasSubscribers, tableSize } = store
  const limits = { bytes: maxAnswer, embedded: RowStatement.mostEmbedded }
  const target: RowSearch.StatementTarget = { dialect, hasSubscribers, tableSize, limits, maxBatch }
  const queries = RowQuery.make(store, target)
  const bodyLimits = { ...JsonScan.limits, rows: maxBatch }
  const largeRequests = LargeRequests.make()

  /** The vault of a resource whose rows contain encrypted values. */
  const sealing = (resource: Resource.Any) =>
    vault !== undefined && SealedColumns.concerns(resource) ? vault : undefined

  const sourceOf =
    ({ headers }: Exchange.Request) =>
    () => ({ change: newId(), at: micros(now()), trace: TraceContext.toText(headers) })

  /** Completes the response of a write; `again` writes where a stored one has expired since it was found. */
  const complete = (plan: RowPlan, answer: Idempotency.Answer, writing: Writing, again: () => Answer): Answer => {
    if (answer.body !== undefined) return RowResponse.complete(plan, answer)
    const { headers, status } = answer
    const { caller, once, request, work } = writing
    if (once === undefined) return again()
    work.cost = offloaded
    return SyncEffect.andThen(Idempotency.body(store, once, { ...caller, unread: request.unread }), (exit): Answer => {
      if (Exit.isFailure(exit)) return Exit.failCause(exit.cause)
      const { value: body } = exit
      return body === undefined ? again() : RowResponse.complete(plan, { status, headers, body })
    })
  }

  const write = (
    plan: RowPlan,
    written: RowStatement.Write["change"],
    writing: Writing
  ): Effect.Effect<Exchange.Response, Failure> => {
    const { followUp, isFinal = false, isLong, resolve, staged, steps } = written
    const { caller, once, origin, request } = writing
    const { key, precondition } = request
    const guards =
      precondition === undefined || key === undefined
        ? RowStatement.sizeGuard(plan, dialect, maxBatch)
        : Precondition.guards(precondition, plan, key, dialect)
    const change: Write<Outcome> = {
      companyId: caller.companyId,
      origin,
      steps: guards.length === 0 ? steps : [...guards, ...steps],
      staged,
      isLong,
      followUp,
      isFinal: isFinal && precondition === undefined,
      resolve: precondition === undefined ? resolve : Precondition.checked(precondition, resolve)
    }
    if (once === undefined) {
      return SyncEffect.andThen(store.change(change), (exit) =>
        Exit.isFailure(exit) ? Exit.failCause(exit.cause) : respond(plan, exit.value)
      )
    }
    // The response is stored with the change.
    const repeatable: Write<Idempotency.Answer> = {
      ...change,
      idempotency: Idempotency.make(once, caller, now(), dialect),
      resolve: (results) => Either.map(change.resolve(results), (outcome) => RowResponse.make(plan, outcome))
    }
    return SyncEffect.andThen(store.change(repeatable), (exit) =>
      Exit.isFailure(exit)
        ? Exit.failCause(exit.cause)
        : complete(plan, exit.value, writing, () => write(plan, written, writing))
    )
  }

  /** Plans a request, and compiles its write. A large body takes many slices. */
  const prepare = function* (
    exchange: Exchange.Request,
    request: RowRequest.RowRequest,
    caller: Caller,
    taken: ReadonlySet<string>
  ): Slices.Slices<Either.Either<Prepared, RowError.RowError>> {
    const requestHash = request.idempotencyKey === undefined ? "" : yield* Idempotency.hash(exchange)
    const context = { caller, rules: world.rules(), maxRows, aggregates, now, newId, taken }
    const made = yield* Planner.make(request, context, bodyLimits)
    const used = sealing(request.resource)
    const planned = used === undefined || Either.isLeft(made) ? made : yield* SealedColumns.seal(used, made.right)
    if (Either.isLeft(planned)) return Either.left(planned.left)
    const plan = planned.right
    const { key, precondition } = request
    if (!isWrite(plan)) return Either.right({ _tag: "Read", plan })
    if (precondition !== undefined && key === undefined) return Either.left(Precondition.keyMissing)
    const search = "where" in plan && key === undefined ? RowSearch.search(plan, target) : undefined
    if ("where" in plan && search !== undefined) return Either.right({ _tag: "Search", plan, requestHash, search })
    const tooLarge = yield* WriteBound.check(plan)
    if (tooLarge !== undefined) return Either.left(tooLarge)
    const change = yield* RowStatement.change(plan, target, sourceOf(exchange))
    return Either.right({ _tag: "Write", plan, requestHash, change })
  }

  const perform = (
    prepared: Prepared,
    exchange: Exchange.Request,
    request: RowRequest.RowRequest,
    caller: Caller,
    work: RowCost.Work
  ): Answer => {
    if (prepared._tag === "Read") {
      const { action, position, preferences } = request
      // The history of a replica may lack changes before the time of the request.
      const isStrong = preferences.consistency !== undefined || action._tag !== "Read" || caller.asOf !== undefined
      const response = consistency.read(caller, { position, isStrong }, (reader) =>
        queries.read(prepared.plan, request, caller, work, reader)
      )
      return caller.asOf === undefined ? response : PastRead.withHeaders(store, prepared.plan, caller.asOf, response)
    }
    const { idempotencyKey } = request
    const writing: Writing = {
      request,
      caller,
      work,
      origin: store.history === undefined ? undefined : PastRead.originOf(exchange, caller),
      once: idempotencyKey === undefined ? undefined : { key: idempotencyKey, requestHash: prepared.requestHash }
    }
    const { once } = writing
    const apply = (plan: RowPlan, change: RowStatement.Write["change"]): Answer => {
      const run = (change: RowStatement.Write["change"]) => write(plan, change, writing)
      if (quota?.concerns(plan) !== true) return run(change)
      const applied = quota.apply({ plan, bytes: Exchange.bytesOf(exchange.body), caller }, change, run)
      return once === undefined
        ? applied
        : Idempotency.orStored(applied, store, once, caller, (answer) => complete(plan, answer, writing, () => applied))
    }
    const start = (): Answer => {
      if (prepared._tag === "Write") return apply(prepared.plan, prepared.change)
      return SyncEffect.andThen(queries.find(prepared.search, caller), (where): Answer => {
        if (Exit.isFailure(where)) return Exit.failCause(where.cause)
        const plan = { ...prepared.plan, where: where.value }
        return SyncEffect.andThen(Slices.effect(RowStatement.change(plan, target, sourceOf(exchange))), (change) =>
          Exit.isFailure(change) ? Exit.failCause(change.cause) : apply(plan, change.value)
        )
      })
    }
    RowCost.start(work, prepared._tag === "Write" ? inline : offloaded)
    if (once === undefined || !isLong(prepared)) return start()
    return SyncEffect.andThen(Idempotency.find(store, once, caller), (exit): Answer => {
      if (Exit.isFailure(exit)) return Exit.failCause(exit.cause)
      return exit.value === undefined ? start() : complete(prepared.plan, exit.value, writing, start)
    })
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
    const work = RowCost.make()
    return SyncEffect.andThen(
      perform(prepared, exchange, request, caller, work),
      (exit): Effect.Effect<Exchange.Response> => {
        if (Exit.isSuccess(exit)) return Exit.succeed(RowCost.show(work, exit.value))
        const failure = Cause.failureOrCause(exit.cause)
        if (Either.isRight(failure)) return Exit.failCause(failure.right)
        const response = SyncEffect.andThen(
          respondToFailure(plan, failure.left),
          Exit.map((response) => RowCost.show(work, response))
        )
        // The key was made from a name and is taken: the stored keys are read only now.
        if (failure.left._tag !== "Refused" || !NamedKey.isMade(request.resource)) return response
        return SyncEffect.andThen(
          store.query(RowSearch.keys(plan, dialect), caller),
          (keys): Effect.Effect<Exchange.Response> => {
            const found = Exit.isSuccess(keys) ? new Set(RowSearch.keysOf(keys.value)) : taken
            return found.size > taken.size ? run(exchange, request, caller, found) : response
          }
        )
      }
    )
  }

  return (exchange, caller, name, place) => {
    const { find, resources } = catalogue(world.rules())
    const resource = find(name)
    if (resource === undefined) {
      return name === ""
        ? RootOpenApi.respond(exchange, place.mount, world.rules(), resources)
        : refuse(UnknownPath.toError(name))
    }
    const made = RowRequest.make(exchange, resource, place)
    if (Either.isLeft(made)) return refuse(made.left)
    const request = made.right
    const { asOf } = request
    const response =
      asOf !== undefined
        ? SyncEffect.andThen(PastRead.asOf(store, asOf, now()), (exit): Effect.Effect<Exchange.Response> => {
            if (Exit.isSuccess(exit)) return run(exchange, request, { ...caller, asOf: exit.value }, new Set())
            const failure = Cause.failureOrCause(exit.cause)
            return Either.isLeft(failure) ? refuse(failure.left) : Exit.failCause(failure.right)
          })
        : isLarge(exchange)
          ? largeRequests(
              { ...caller, unread: exchange.unread },
              Effect.suspend(() => run(exchange, request, caller, new Set()))
            )
          : run(exchange, request, caller, new Set())
    const used = sealing(resource)
    return used === undefined
      ? response
      : SyncEffect.andThen(response, (exit): Effect.Effect<Exchange.Response> =>
          Exit.isFailure(exit) ? exit : SealedColumns.open(used, caller.companyId, exit.value)
        )
  }
}
