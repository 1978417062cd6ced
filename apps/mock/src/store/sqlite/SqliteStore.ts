/**
 * The embedded store: one process with one connection for writes and small reads. Such reads return an `Exit`
 * immediately; writes share commits.
 */
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import type { Change } from "../../sql/Change.ts"
import type { Statement } from "../../sql/Statement.ts"
import * as SqliteDialect from "../../sql/sqlite/SqliteDialect.ts"
import * as SubscriptionCache from "./SubscriptionCache.ts"
import * as TemporaryFile from "./TemporaryFile.ts"
import * as WriteAheadLog from "./WriteAheadLog.ts"
import * as AsyncConnection from "./readers/AsyncConnection.ts"
import * as CommitQueue from "./CommitQueue.ts"
import * as FreePages from "./FreePages.ts"
import * as FileLock from "./FileLock.ts"
import * as SqliteMigrator from "./SqliteMigrator.ts"
import { NotAStore, type OpenError, StoreLocked, StoreUnreachable } from "../OpenError.ts"
import * as Incidents from "../Incidents.ts"
import * as Snapshot from "../Snapshot.ts"
import * as ReaderPool from "./readers/ReaderPool.ts"
import * as SqliteAudit from "./SqliteAudit.ts"
import * as SqliteDriver from "./SqliteDriver.ts"
import * as SqliteMeta from "./SqliteMeta.ts"
import * as SqliteRuleSet from "./SqliteRuleSet.ts"
import * as SqliteSnapshot from "./SqliteSnapshot.ts"
import * as SqliteTableSize from "./SqliteTableSize.ts"
import { toUnavailable } from "./StorageFailure.ts"
import * as WriteOutcome from "../WriteOutcome.ts"
import { Store, type StoreUnavailable, unavailable } from "../Store.ts"

export interface Options {
  /** A file, which is created with its folders if it does not exist, or `:memory:`. */
  readonly path: string
  /** The rule set of a new store; an existing one keeps its own. */
  readonly ruleSet?: RuleSet
  /** Keeps committed writes after a loss of power (default true; tests turn it off to save time). */
  readonly durable?: boolean
  readonly limits?: Limits
}

/** The limits of queries. */
interface Limits {
  /** The maximum number of connections for queries. */
  readonly readers: number
  /** The maximum time in which a query waits and runs. */
  readonly timeoutMillis: number
  /** The memory by which the process may grow while queries run. */
  readonly memoryBytes: number
}

const defaultLimits: Limits = { readers: 2, timeoutMillis: 5000, memoryBytes: 256 * 1024 * 1024 }

const inMemory = ":memory:"

const failure = (store: string, cause: unknown): OpenError => {
  if (!(cause instanceof Error)) throw cause
  if (cause instanceof SqliteDriver.SqliteError) {
    if (cause.code === "SQLITE_NOTADB") return new NotAStore({ store })
    if (cause.code === "SQLITE_BUSY")
      return new StoreLocked({ store, owner: Option.getOrUndefined(FileLock.read(store)) })
  }
  return new StoreUnreachable({ store, cause })
}

/** Opens a database and migrates it. */
const connect = (
  { durable = true, limits: { memoryBytes } = defaultLimits, path: store, ruleSet = "contract" }: Options,
  file: string
): Either.Either<SqliteDriver.SqliteDriver, OpenError> => {
  let driver: SqliteDriver.SqliteDriver | undefined
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    // The files of the log get the mode of this one.
    fs.closeSync(fs.openSync(file, "a", 0o600))
    const opened = (driver = SqliteDriver.open(file, { durable: durable && store !== inMemory, memoryBytes }))
    const migrated = SqliteMigrator.migrate(opened, { store, ruleSet })
    if (Either.isLeft(migrated)) opened.close()
    else {
      SqliteSnapshot.markStore(opened)
      FreePages.enable(opened)
    }
    return Either.map(migrated, () => opened)
  } catch (cause) {
    driver?.close()
    return Either.left(failure(store, cause))
  }
}

/** The size of the page cache of a further connection: all together take at most a quarter of the memory. */
const cacheKiB = ({ memoryBytes, readers }: Limits): number =>
  Math.floor(Math.min(8192, memoryBytes / 1024 / 4 / (readers + 2)))

const run = (statement: Statement): Change<void, never> => ({
  steps: [{ _tag: "Run", statement }],
  resolve: () => Either.void
})

const make = (
  driver: SqliteDriver.SqliteDriver,
  file: string,
  { durable = true, limits = defaultLimits, path: location }: Options,
  incidents: Incidents.Incidents
) => {
  const isFile = location !== inMemory
  const connect = (isReadOnly: boolean) => () =>
    AsyncConnection.open(file, {
      durable: durable && isFile,
      isReadOnly,
      cacheKiB: cacheKiB(limits),
      // One checkpoints; one prepares statements while all others work.
      threads: limits.readers + 2
    })
  const readers = ReaderPool.make({
    ...limits,
    connect: connect(true),
    onFailure: (cause) => incidents.failed("query", cause),
    onSuccess: () => incidents.succeeded("query")
  })
  const log = WriteAheadLog.make({
    driver,
    path: file,
    durable: durable && isFile,
    connect: connect(false),
    readers
  })
  const outcome = WriteOutcome.make()
  const queue = CommitQueue.make(driver, log, CommitQueue.limits, {
    failed: (cause) => {
      incidents.failed("commit", cause)
      const error = toUnavailable(cause, "CommitFailed")
      if (error.reason === "Full") outcome.failed(error)
    },
    succeeded: () => incidents.succeeded("commit")
  })
  let isClosed = false
  let second: ReturnType<typeof SqliteDriver.openReader> | undefined

  /** Reads the last committed state: on a second connection while the first one has a transaction open. */
  const committed: Pick<SqliteDriver.SqliteDriver, "execute"> = {
    execute: (statement) =>
      driver.inTransaction()
        ? (second ??= SqliteDriver.openReader(file, cacheKiB(limits))).execute(statement)
        : driver.read(statement)
  }

  // Changes of webhooks notify the subscribers of the queue, and no other process writes to the file.
  const subscriptions = SubscriptionCache.make(committed)
  queue.subscribe(subscriptions.forget)

  /** Runs a synchronous operation on the connection. */
  const now = <A>(body: () => A): Exit.Exit<A, StoreUnavailable> => {
    if (isClosed) return Exit.fail(unavailable("Closed"))
    try {
      const result = Exit.succeed(body())
      incidents.succeeded("read")
      return result
    } catch (cause) {
      if (!(cause instanceof SqliteDriver.SqliteError) || !cause.isStorageFailure) return Exit.die(cause)
      incidents.failed("read", cause)
      return Exit.fail(toUnavailable(cause, "ConnectionLost"))
    }
  }
  const open = Effect.suspend(() => now(() => undefined))
  /** Runs a synchronous operation on the connection when no change has a transaction open on it. */
  const alone = <A>(body: () => A): Effect.Effect<A, StoreUnavailable> => Effect.flatMap(queue.atRest, () => now(body))

  /** Commits a write that needs space, and another one that gives it back. */
  const probe = Effect.zipRight(queue.change(run(SqliteMeta.fill)), queue.change(run(SqliteMeta.clear))).pipe(
    Effect.catchTag("Refused", Effect.die)
  )

  /** Succeeds when a transaction outside the queue is durable. */
  const synced = Effect.suspend(() =>
    log.sync === undefined
      ? Effect.void
      : Effect.tryPromise({ try: log.sync, catch: (cause) => toUnavailable(cause, "CommitFailed") })
  )

  const store: Store["Type"] = {
    dialect: SqliteDialect.dialect,
    read: (statement) => now(() => committed.execute(statement)),
    query: readers.query,
    tableSize: SqliteTableSize.make(committed, queue.commits),
    change: queue.change,
    hasSubscribers: subscriptions.hasSubscribers,
    subscribe: queue.subscribe,
    // No other process can change the file.
    subscribeToInvalidations: () => () => undefined,
    withLock: (work) => work,
    ready: Effect.zipRight(
      outcome.ready(probe),
      Effect.suspend(() => (queue.healthy() ? open : probe))
    ),
    statistics: Effect.sync(() => ({
      ...queue.statistics(),
      queries: readers.counts(),
      connections: readers.usage(),
      failures: incidents.counts()
    })),
    maintain: alone(() => driver.script("PRAGMA optimize")),
    space: Effect.suspend(() =>
      now(() => {
        const { all, bytes, free } = FreePages.count(committed)
        return { databaseBytes: all * bytes, freeBytes: free * bytes, logBytes: log.bytes() }
      })
    ),
    giveBack: alone(() => {
      // A copy of the log is in its last phase, in which nothing may be committed.
      if (log.busy() !== undefined) return true
      const hasMore = FreePages.giveBack(driver)
      log.shrink()
      return hasMore
    }),
    compact: alone(() => {
      driver.script("VACUUM")
      driver.execute({ text: "PRAGMA wal_checkpoint(TRUNCATE)", parameters: [] })
    }),
    ruleSet: Effect.suspend(() => now(() => SqliteMeta.ruleSet(driver))),
    violations: (ruleSet) => alone(() => SqliteRuleSet.violationsOf(driver, ruleSet)),
    switchRules: (ruleSet) =>
      alone(() => SqliteDriver.transaction(driver, () => SqliteRuleSet.apply(driver, ruleSet))).pipe(
        Effect.flatten,
        Effect.zipLeft(synced)
      ),
    save: (file) =>
      isFile && path.resolve(file) === path.resolve(location)
        ? Effect.fail(new Snapshot.SnapshotUnwritable({ file, cause: new Error("it is the store itself") }))
        : Effect.zipRight(
            alone(() => undefined),
            SqliteSnapshot.save(driver, file)
          ),
    restore: (file) =>
      Effect.zipRight(
        alone(() => undefined),
        SqliteSnapshot.restore(driver, file, isFile ? path.dirname(location) : os.tmpdir())
      ).pipe(Effect.zipLeft(synced), Effect.ensuring(Effect.sync(subscriptions.forget))),
    integrityProblems: alone(() => SqliteAudit.integrityProblems(driver)),
    checksum: alone(() => SqliteAudit.checksum(driver)),
    publishAddress: (address) => Effect.sync(() => isFile && FileLock.write(location, { pid: process.pid, address }))
  }
  const close = Effect.promise(async () => {
    await queue.close()
    isClosed = true
    await readers.close()
    await log.close()
    second?.close()
    if (isFile) FileLock.remove(location)
    driver.close()
    if (!isFile) TemporaryFile.remove(file)
  })
  if (isFile) FileLock.write(location, { pid: process.pid, address: null })
  return { store, close }
}

/** Opens a store until the scope ends. Closing it commits the accepted changes. */
export const open = (options: Options): Effect.Effect<Store["Type"], OpenError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.flatMap(Incidents.logged, (incidents) => {
      // Several connections share a file, but not memory.
      const file = options.path === inMemory ? TemporaryFile.create() : options.path
      return Either.map(connect(options, file), (driver) => make(driver, file, options, incidents))
    }),
    ({ close }) => close
  ).pipe(Effect.map(({ store }) => store))

/** Provides the store. */
export const layer = (options: Options): Layer.Layer<Store, OpenError> => Layer.scoped(Store, open(options))
