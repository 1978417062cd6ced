/**
 * The store on a PostgreSQL server, which several instances can share. A write is one statement if possible, so that
 * writes are pipelined on a connection and a failed one does not affect others.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Change, Rows } from "../../sql/Change.ts"
import * as PostgresDialect from "../../sql/postgres/PostgresDialect.ts"
import { micros } from "../../sql/ServiceColumn.ts"
import type { Statement } from "../../sql/Statement.ts"
import * as Callback from "../Callback.ts"
import * as Histogram from "../Histogram.ts"
import type * as Incidents from "../Incidents.ts"
import type { OpenError } from "../OpenError.ts"
import * as PostgresAudit from "./PostgresAudit.ts"
import * as PostgresCommit from "./PostgresCommit.ts"
import * as PostgresDatabase from "./PostgresDatabase.ts"
import type * as PostgresDriver from "./PostgresDriver.ts"
import { PostgresError } from "./connection/PostgresError.ts"
import * as PostgresFailure from "./PostgresFailure.ts"
import * as PostgresHealth from "./PostgresHealth.ts"
import * as PostgresMeta from "./PostgresMeta.ts"
import * as PostgresNotifications from "./PostgresNotifications.ts"
import * as ConnectionClass from "./connection/ConnectionClass.ts"
import * as PostgresQueries from "./PostgresQueries.ts"
import * as PostgresRuleSet from "./PostgresRuleSet.ts"
import * as PostgresSnapshot from "./PostgresSnapshot.ts"
import * as PostgresStatistics from "./PostgresStatistics.ts"
import * as PostgresSubscriptions from "./PostgresSubscriptions.ts"
import * as StoreReplicas from "./replicas/StoreReplicas.ts"
import * as QueryCounts from "../QueryCounts.ts"
import { QueryStopped } from "../QueryStopped.ts"
import * as Snapshot from "../Snapshot.ts"
import * as Places from "../waiting/Places.ts"
import * as WriteOutcome from "../WriteOutcome.ts"
import { type Refused, Store, StoreUnavailable, unavailable } from "../Store.ts"

export type Options = PostgresDatabase.Options

const full = new QueryStopped({ reason: { _tag: "QueueFull", places: Places.ofCompany, retryAfterSeconds: 1 } })

/** The maximum time that closing waits for accepted changes. */
const closingMillis = 5000

const make = (
  { driver, incidents, leave, opened, recorder, schema }: PostgresDatabase.PostgresDatabase,
  { connections, replicas: replicaOptions, timeoutMillis }: Options
) => {
  const commitListeners = new Set<() => void>()
  const listeners = new Set<() => void>()
  const health = PostgresHealth.make(async () => {
    await driver.monitor({ text: "SELECT 1", parameters: [] })
  })
  const notifications = PostgresNotifications.make(driver, schema)
  notifications.subscribe((notification) => {
    if (notification === "events") for (const listener of listeners) listener()
  })
  const tables = PostgresStatistics.make(driver)
  tables.changed([])
  const subscriptions = PostgresSubscriptions.make()
  const statistics = { commits: 0, changes: 0 }
  const queryCounts = QueryCounts.make()
  const commitSeconds = Histogram.commits()
  /** Those of changes and small reads in flight, including the ones that wait for a connection. */
  const places = { reads: Places.make(Places.ofCompany), changes: Places.make(Places.ofCompany) }
  let isClosed = false
  const outcome = WriteOutcome.make()

  /** The error of a store that is closed or has lost its server. */
  const obstacle = (): StoreUnavailable | undefined => {
    if (isClosed) return unavailable("Closed")
    if (!health.isLost()) return undefined
    const failure = health.failure()
    const known = failure instanceof PostgresError ? PostgresFailure.toUnavailable(failure) : undefined
    return known ?? unavailable("ConnectionLost", failure)
  }

  /** Converts a failure of the driver that is not a constraint error. */
  const judgedFor =
    (operation: Incidents.Operation) =>
    (error: unknown): Exit.Exit<never, StoreUnavailable> => {
      if (error instanceof QueryStopped) {
        return Exit.fail(new StoreUnavailable({ reason: "Overloaded", retryAfterSeconds: 1, stopped: error.reason }))
      }
      if (!(error instanceof PostgresError)) return Exit.die(error)
      if (error.isLost && !isClosed) health.suspect()
      const known = PostgresFailure.toUnavailable(error)
      if (known === undefined) return Exit.die(error)
      // A statement that a timeout, its caller or its values ended is not a failure of the server.
      if (!isClosed && error.code !== "57014" && error.code !== "22003") incidents.failed(operation, error)
      return Exit.fail(known)
    }
  const judged = judgedFor("read")
  const judgedWrite = judgedFor("commit")

  const judgedQuery = (error: unknown): Exit.Exit<never, StoreUnavailable | QueryStopped> =>
    error instanceof QueryStopped ? Exit.fail(error) : judgedFor("query")(error)

  const queries = PostgresQueries.make({
    driver,
    slots: ConnectionClass.shares(connections).queries,
    timeoutMillis,
    counts: queryCounts,
    judge: judgedQuery,
    onSuccess: () => incidents.succeeded("query")
  })

  const attempt = <A>(body: () => Promise<A>, judge = judged): Effect.Effect<A, StoreUnavailable> =>
    Callback.make<A, StoreUnavailable>((resume) => {
      const hindered = obstacle()
      if (hindered !== undefined) return resume(Exit.fail(hindered))
      body().then(
        (value) => resume(Exit.succeed(value)),
        (error: unknown) => resume(judge(error))
      )
    })

  const replicas =
    opened === undefined || replicaOptions === undefined
      ? undefined
      : StoreReplicas.make({
          opened,
          options: replicaOptions,
          timeoutMillis,
          counts: queryCounts,
          log: opened.log,
          position: (read) => attempt(read)
        })

  /** Commits a write that needs space, and another one that gives it back. */
  const probe = attempt(async () => {
    await driver.monitor(PostgresMeta.fill())
    await driver.monitor(PostgresMeta.clear)
  }, judgedWrite)

  const settled = <A, E>(body: () => Promise<Either.Either<A, E>>): Effect.Effect<A, E | StoreUnavailable> =>
    Effect.flatten(attempt(body))

  /** Runs a read-only operation of an administrator, which may take longer than a request. */
  const examine = <A>(body: (connection: PostgresDriver.Connection) => Promise<A>) =>
    settled(() => driver.transaction<A, never>(async (connection) => Either.right(await body(connection))))

  const read = (statement: Statement, companyId?: string) =>
    Callback.make<Rows, StoreUnavailable>((resume) => {
      const hindered = obstacle()
      if (hindered !== undefined) return resume(Exit.fail(hindered))
      // The service's own reads, such as those of keys, always have a place.
      if (companyId !== undefined && !places.reads.take(companyId)) return resume(judged(full))
      const free = () => companyId !== undefined && places.reads.free(companyId)
      driver.read(
        statement,
        companyId,
        (rows) => {
          free()
          incidents.succeeded("read")
          resume(Exit.succeed(rows))
        },
        (error) => {
          free()
          resume(judged(error))
        }
      )
    })

  const commit = PostgresCommit.make({ driver, recorder, subscriptions, timeoutMillis, judge: judgedWrite })

  const change = <A, E>(change: Change<A, E>) =>
    Callback.make<A, E | Refused | StoreUnavailable>((resume) => {
      const hindered = obstacle()
      if (hindered !== undefined) return resume(Exit.fail(hindered))
      const { companyId = "" } = change
      if (!places.changes.take(companyId)) return resume(Exit.fail(unavailable("Overloaded")))
      const begin = performance.now()
      commit(change, (exit) => {
        places.changes.free(companyId)
        if (Exit.isFailure(exit)) {
          const { cause } = exit
          const error = cause._tag === "Fail" ? cause.error : undefined
          if (error instanceof StoreUnavailable && PostgresFailure.isLasting(error)) outcome.failed(error)
          return resume(Exit.failCause(cause))
        }
        const { hasEvents, value } = exit.value
        incidents.succeeded("commit")
        statistics.commits += 1
        statistics.changes += 1
        commitSeconds.update((performance.now() - begin) / 1000)
        tables.changed(change.steps)
        resume(Exit.succeed(value))
        if (hasEvents) for (const listener of listeners) listener()
        for (const listener of commitListeners) listener()
      })
    })

  const store: Store["Type"] = {
    dialect: PostgresDialect.dialect,
    read,
    query: (statement, consumer) => {
      const hindered = obstacle()
      return hindered === undefined ? queries.run(statement, consumer) : Exit.fail(hindered)
    },
    tableSize: tables.of,
    change,
    // Other instances may change webhooks at any time, so each write finds out whether it has a subscriber.
    hasSubscribers: subscriptions.hasSubscribers,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    history:
      recorder === undefined
        ? undefined
        : {
            subscribe: (listener) => {
              commitListeners.add(listener)
              return () => void commitListeners.delete(listener)
            }
          },
    subscribeToInvalidations: (onInvalidation) =>
      notifications.subscribe((notification) => notification !== "events" && onInvalidation(notification)),
    withLock: (work) =>
      Effect.acquireUseRelease(
        attempt(() => PostgresMeta.hold(driver)),
        () => work,
        (release) => Effect.promise(release)
      ),
    ready: Effect.asVoid(attempt(() => driver.monitor(PostgresMeta.touch), judgedWrite)).pipe(
      Effect.zipLeft(outcome.ready(probe))
    ),
    statistics: Effect.sync(() => ({
      ...statistics,
      waiting: places.changes.taken(),
      commitSeconds: commitSeconds.get(),
      queries: queryCounts.get(queries.waiting()),
      connections: replicas?.connections(driver.usage()) ?? driver.usage(),
      failures: incidents.counts()
    })),
    maintain: attempt(tables.refresh),
    ruleSet: attempt(() => PostgresMeta.ruleSet({ execute: driver.readOnce })),
    space: Effect.map(
      attempt(() =>
        driver.readOnce({ text: "SELECT pg_database_size(current_database())", parameters: [], isSingle: true })
      ),
      ([row]) => ({ databaseBytes: Number(row?.[0]) })
    ),
    // Autovacuum makes the space of deleted rows available again.
    giveBack: Exit.succeed(false),
    compact: Effect.void,
    violations: (ruleSet) => examine((connection) => PostgresRuleSet.violationsOf(connection, ruleSet)),
    switchRules: (ruleSet, overlay) =>
      settled(() => driver.transaction((connection) => PostgresRuleSet.apply(connection, ruleSet, overlay))),
    save: (file) =>
      file.endsWith(".db")
        ? Effect.fail(
            new Snapshot.SnapshotUnwritable({
              file,
              cause: new Error("a file that ends in .db is a copy of an embedded store, and this one is PostgreSQL")
            })
          )
        : settled(() => PostgresSnapshot.save(driver, file)),
    restore: (file) =>
      settled(() =>
        PostgresSnapshot.restore(driver, file, recorder === undefined ? undefined : micros(recorder.now()))
      ),
    integrityProblems: examine(PostgresAudit.integrityProblems),
    checksum: examine(PostgresAudit.checksum),
    publishAddress: () => Effect.void,
    ...(replicas === undefined ? {} : { replicas })
  }
  const close = Effect.promise(async () => {
    isClosed = true
    const isLost = !(await health.isReached())
    health.close()
    notifications.close()
    if (!isLost) await leave()
    tables.close()
    await replicas?.close()
    await driver.close(isLost ? 0 : closingMillis)
  })
  return { store, close }
}

/** Opens a store until the scope ends. Closing it waits for the accepted changes. */
const open = (options: Options): Effect.Effect<Store["Type"], OpenError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.map(PostgresDatabase.open(options), (database) => make(database, options)),
    ({ close }) => close
  ).pipe(Effect.map(({ store }) => store))

/** Provides the store. */
export const layer = (options: Options): Layer.Layer<Store, OpenError> => Layer.scoped(Store, open(options))
