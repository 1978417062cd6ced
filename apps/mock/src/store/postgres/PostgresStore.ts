/**
 * The store on a PostgreSQL server, which several instances can share. A write is one statement if possible, so that
 * writes are pipelined on a connection and a failed one does not affect others.
 */
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Change } from "../../sql/Change.ts"
import * as PostgresDialect from "../../sql/postgres/PostgresDialect.ts"
import type { Statement } from "../../sql/Statement.ts"
import * as Histogram from "../Histogram.ts"
import { type OpenError, StoreUnreachable } from "../OpenError.ts"
import * as PostgresAudit from "./PostgresAudit.ts"
import * as PostgresChange from "./PostgresChange.ts"
import * as PostgresConstraint from "./PostgresConstraint.ts"
import * as PostgresDriver from "./PostgresDriver.ts"
import * as PostgresHealth from "./PostgresHealth.ts"
import * as PostgresMeta from "./PostgresMeta.ts"
import * as PostgresMigrator from "./PostgresMigrator.ts"
import * as PostgresNotifications from "./PostgresNotifications.ts"
import * as PostgresRuleSet from "./PostgresRuleSet.ts"
import * as PostgresSnapshot from "./PostgresSnapshot.ts"
import * as PostgresTableSize from "./PostgresTableSize.ts"
import * as QueryCounts from "../QueryCounts.ts"
import * as Snapshot from "../Snapshot.ts"
import { Refused, Store, type StoreUnavailable, unavailable } from "../Store.ts"

export interface Options {
  /** The URL `postgres://user:password@host:port/database`, with options of the driver after a `?`. */
  readonly url: string
  /** The URL without its password, for messages. */
  readonly name: string
  /** The maximum number of connections of this instance. */
  readonly connections: number
  /** The rule set of a new store; an existing one keeps its own. */
  readonly ruleSet: RuleSet
}

/** The statement timeout of the server. */
const statementMillis = 30_000

/** The timeout of a response, after which the connection is lost. */
const responseMillis = 35_000

/** The maximum number of changes in flight, including those that wait for a connection. */
const room = 4096

/** The maximum number of attempts of a change that conflicts with others. */
const attempts = 5

/** The maximum time that closing waits for accepted changes. */
const closingSeconds = 30

const unavailableFor = (error: PostgresDriver.PostgresError): StoreUnavailable | undefined =>
  error.isLost
    ? unavailable("ConnectionLost", error)
    : error.isExhausted || error.isTransient
      ? unavailable("Overloaded", error)
      : undefined

/** A write that differs from the one before it. */
const probe = PostgresMeta.touch

/** The outcome of a committed change. */
interface Commit<A> {
  readonly value: A
  /** Set when the change has published events. */
  readonly hasEvents: boolean
}

const make = (driver: PostgresDriver.PostgresDriver, schema: string) => {
  const listeners = new Set<() => void>()
  const health = PostgresHealth.make(driver.probe)
  const notifications = PostgresNotifications.make(driver, schema)
  notifications.subscribe((notification) => {
    if (notification === "events") for (const listener of listeners) listener()
  })
  const tableSizes = PostgresTableSize.make(driver)
  const statistics = { commits: 0, changes: 0 }
  const queryCounts = QueryCounts.make()
  const commitSeconds = Histogram.commits()
  let waiting = 0
  let isClosed = false

  /** The error of a store that is closed or has lost its server. */
  const obstacle = (): StoreUnavailable | undefined => {
    if (isClosed) return unavailable("Closed")
    return health.isLost() ? unavailable("ConnectionLost") : undefined
  }

  /** Converts a failure of the driver that is not a constraint error. */
  const judged = (error: unknown): Exit.Exit<never, StoreUnavailable> => {
    if (!(error instanceof PostgresDriver.PostgresError)) return Exit.die(error)
    if (error.isLost && !isClosed) health.suspect()
    const known = unavailableFor(error)
    return known === undefined ? Exit.die(error) : Exit.fail(known)
  }

  const attempt = <A>(body: () => Promise<A>): Effect.Effect<A, StoreUnavailable> =>
    Effect.async<A, StoreUnavailable>((resume) => {
      const hindered = obstacle()
      if (hindered !== undefined) return resume(Exit.fail(hindered))
      body().then(
        (value) => resume(Exit.succeed(value)),
        (error: unknown) => resume(judged(error))
      )
    })

  const settled = <A, E>(body: () => Promise<Either.Either<A, E>>): Effect.Effect<A, E | StoreUnavailable> =>
    Effect.flatten(attempt(body))

  const read = (statement: Statement) => attempt(() => driver.execute(statement))

  /** Attempts a change once; throws the failure of the driver. */
  const perform = async <A, E>(change: Change<A, E>): Promise<Either.Either<Commit<A>, E | Refused>> => {
    const { followUp, isFinal = false, idempotency, resolve, steps } = change
    const combined = PostgresChange.combine(change)
    const settled = ({ results, hasEvents }: PostgresChange.StepResults): Either.Either<Commit<A>, E | Refused> =>
      Either.map(resolve(results), (value) => ({ value, hasEvents }))
    if (combined !== undefined && isFinal && followUp === undefined && idempotency === undefined) {
      return settled(combined.read(await driver.execute(combined.statement)))
    }
    return driver.transaction<Commit<A>, E | Refused>(async (connection) => {
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
    })
  }

  const tried = async <A, E>(change: Change<A, E>): Promise<Exit.Exit<Commit<A>, E | Refused | StoreUnavailable>> => {
    for (let count = 1; ; count++) {
      try {
        return Exit.fromEither(await perform(change))
      } catch (error) {
        if (!(error instanceof PostgresDriver.PostgresError)) return Exit.die(error)
        if (error.isTransient && count < attempts) continue
        const refusal = PostgresChange.refusalOf(change, error) ?? PostgresConstraint.fromError(error)
        return refusal === undefined ? judged(error) : Exit.fail(new Refused({ refusal }))
      }
    }
  }

  const change = <A, E>(change: Change<A, E>) =>
    Effect.async<A, E | Refused | StoreUnavailable>((resume) => {
      const hindered = obstacle()
      if (hindered !== undefined) return resume(Exit.fail(hindered))
      if (waiting >= room) return resume(Exit.fail(unavailable("Overloaded")))
      waiting += 1
      const begin = performance.now()
      void tried(change).then((exit) => {
        waiting -= 1
        if (Exit.isFailure(exit)) return resume(Exit.failCause(exit.cause))
        const { hasEvents, value } = exit.value
        statistics.commits += 1
        statistics.changes += 1
        commitSeconds.update((performance.now() - begin) / 1000)
        resume(Exit.succeed(value))
        if (hasEvents) for (const listener of listeners) listener()
      })
    })

  const store: Store["Type"] = {
    dialect: PostgresDialect.dialect,
    read,
    query: read,
    tableSize: tableSizes.of,
    change,
    // Other instances may change webhooks at any time, so each write queries the subscriptions itself.
    hasSubscribers: () => true,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    subscribeToInvalidations: (onInvalidation) =>
      notifications.subscribe((notification) => notification !== "events" && onInvalidation(notification)),
    withLock: (work) =>
      Effect.acquireUseRelease(
        attempt(() => PostgresMeta.hold(driver)),
        () => work,
        (release) => Effect.promise(release)
      ),
    ready: Effect.asVoid(read(probe)),
    statistics: Effect.sync(() => ({
      ...statistics,
      waiting,
      commitSeconds: commitSeconds.get(),
      queries: queryCounts.get(0)
    })),
    // The server maintains its statistics itself; this instance reads them.
    maintain: attempt(tableSizes.refresh),
    ruleSet: attempt(() => PostgresMeta.ruleSet(driver)),
    violations: (ruleSet) => attempt(() => PostgresRuleSet.violationsOf(driver, ruleSet)),
    switchRules: (ruleSet) =>
      settled(() => driver.transaction((connection) => PostgresRuleSet.apply(connection, ruleSet))),
    save: (file) =>
      file.endsWith(".db")
        ? Effect.fail(
            new Snapshot.SnapshotUnwritable({
              file,
              cause: new Error("a file that ends in .db is a copy of an embedded store, and this one is PostgreSQL")
            })
          )
        : settled(() => PostgresSnapshot.save(driver, file)),
    restore: (file) => settled(() => PostgresSnapshot.restore(driver, file)),
    integrityProblems: attempt(() => PostgresAudit.integrityProblems(driver)),
    checksum: attempt(() => PostgresAudit.checksum(driver)),
    publishAddress: () => Effect.void
  }
  const close = Effect.promise(async () => {
    isClosed = true
    const isLost = health.isLost()
    health.close()
    notifications.close()
    await driver.close(isLost ? 0 : closingSeconds)
  })
  return { store, close }
}

/** Opens a database and migrates it. */
const connect = ({ connections, name, ruleSet, url }: Options) =>
  Effect.gen(function* () {
    const unreachable = (cause: unknown) =>
      new StoreUnreachable({ store: name, cause: cause instanceof Error ? cause : new Error(String(cause)) })
    const driver = yield* Effect.tryPromise({
      try: () => PostgresDriver.open({ url, connections, statementMillis, responseMillis }),
      catch: unreachable
    })
    return yield* Effect.tryPromise({
      try: () => PostgresMigrator.migrate(driver, { store: name, ruleSet }),
      catch: unreachable
    }).pipe(
      Effect.flatten,
      Effect.zipRight(Effect.tryPromise({ try: () => PostgresMeta.schemaName(driver), catch: unreachable })),
      Effect.map((schema) => ({ driver, schema })),
      Effect.onError(() => Effect.promise(() => driver.close(0)))
    )
  })

/** Opens a store until the scope ends. Closing it waits for the accepted changes. */
const open = (options: Options): Effect.Effect<Store["Type"], OpenError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.map(connect(options), ({ driver, schema }) => make(driver, schema)),
    ({ close }) => close
  ).pipe(Effect.map(({ store }) => store))

/** Provides the store. */
export const layer = (options: Options): Layer.Layer<Store, OpenError> => Layer.scoped(Store, open(options))
