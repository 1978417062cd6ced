/**
 * The embedded store: one process with one connection for writes and small reads. Such reads return an `Exit`
 * immediately; writes share commits. One file, because it wires the parts of the store, which share one connection.
 */
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import * as os from "node:os"
import * as path from "node:path"
import type { Change } from "../../sql/Change.ts"
import { micros } from "../../sql/ServiceColumn.ts"
import type { Statement } from "../../sql/Statement.ts"
import * as SqliteDialect from "../../sql/sqlite/SqliteDialect.ts"
import * as SubscriptionCache from "./SubscriptionCache.ts"
import * as TemporaryFile from "./file/TemporaryFile.ts"
import * as WriteAheadLog from "./WriteAheadLog.ts"
import * as AsyncConnection from "./readers/AsyncConnection.ts"
import * as CommitQueue from "./CommitQueue.ts"
import * as FreePages from "./FreePages.ts"
import * as FileLock from "./FileLock.ts"
import type { OpenError } from "../OpenError.ts"
import * as Incidents from "../Incidents.ts"
import type * as Recorder from "../Recorder.ts"
import * as Snapshot from "../Snapshot.ts"
import * as ReaderPool from "./readers/ReaderPool.ts"
import * as SqliteAudit from "./SqliteAudit.ts"
import * as SqliteDriver from "./SqliteDriver.ts"
import * as SqliteMeta from "./SqliteMeta.ts"
import * as SqliteRecorder from "./SqliteRecorder.ts"
import * as SqliteRuleSet from "./SqliteRuleSet.ts"
import * as SqliteSnapshot from "./SqliteSnapshot.ts"
import * as SqliteTableSize from "./SqliteTableSize.ts"
import * as SqliteTables from "./SqliteTables.ts"
import * as StoreCopy from "./file/StoreCopy.ts"
import * as StoreFile from "./file/StoreFile.ts"
import * as Checkup from "./check/Checkup.ts"
import * as Condition from "./check/Condition.ts"
import * as FileWatch from "./check/FileWatch.ts"
import * as WriteOutcome from "../WriteOutcome.ts"
import { Store, StoreUnavailable, unavailable } from "../Store.ts"

export interface Options {
  /** A file, which is created with its folders if it does not exist, or `:memory:`. */
  readonly path: string
  /** The rule set of a new store; an existing one keeps its own. */
  readonly ruleSet?: RuleSet
  /** Keeps committed writes after a loss of power (default true; tests turn it off to save time). */
  readonly durable?: boolean
  readonly limits?: Limits
  /** Set for a file that this service made itself, next to the store that it has locked. */
  readonly own?: StoreFile.OwnFile
  /** Keeps the history of the rows, or ends it; undefined leaves it as it is. */
  readonly history?: boolean | undefined
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

/** The size of the page cache of a further connection: all together take at most a quarter of the memory. */
const cacheKiB = ({ memoryBytes, readers }: Limits): number =>
  Math.floor(Math.min(8192, memoryBytes / 1024 / 4 / (readers + 2)))

/** The size above which the log of an own file is copied: many of them are open, and each takes little space. */
const ownLogBytes = 1024 * 1024

const run = (statement: Statement): Change<void, never> => ({
  steps: [{ _tag: "Run", statement }],
  resolve: () => Either.void
})

const make = (
  { driver, file, trust, wasUnclean }: StoreFile.StoreFile,
  { durable = true, limits = defaultLimits, own, path: location }: Options,
  incidents: Incidents.Incidents,
  say: Condition.Options["say"],
  recorder: Recorder.Options | undefined
) => {
  const isFile = location !== StoreFile.inMemory
  const connect =
    (isReadOnly: boolean, isTrusting = true) =>
    () =>
      AsyncConnection.open(file, {
        durable: durable && isFile,
        isReadOnly,
        cacheKiB: cacheKiB(limits),
        // One checkpoints, one checks, and one prepares statements while all others work.
        threads: limits.readers + 3,
        trust: isTrusting ? trust : { isTrusted: false }
      })
  const checkup = Checkup.make({
    // A file in the place of the store would be checked, or even created.
    connect: async () => {
      if (watch?.look() !== undefined) throw unavailable("Replaced")
      return connect(true, false)()
    },
    tables: () => SqliteTables.all(driver),
    onResult: (result) => condition.checked(result),
    onFailure: (extent, cause) => {
      if (!(cause instanceof StoreUnavailable)) condition.failed("query", cause, "ConnectionLost")
      condition.schedule(extent)
    }
  })
  const condition = Condition.make({ store: location, trust, incidents, check: checkup.start, say })
  const readers = ReaderPool.make({
    ...limits,
    connect: connect(true),
    // A further connection would open another file.
    obstacle: () => (watch?.missing() === undefined ? undefined : unavailable("Replaced")),
    onFailure: (cause) => condition.failed("query", cause, "ConnectionLost"),
    onSuccess: () => incidents.succeeded("query")
  })
  const log = WriteAheadLog.make({
    driver,
    path: file,
    durable: durable && isFile,
    connect: connect(false),
    readers,
    ...(own === undefined ? {} : { maxBytes: ownLogBytes, isInline: !durable })
  })
  let compactions = 0
  let copy: StoreCopy.StoreCopy | undefined
  const copier = () => (copy ??= StoreCopy.make(file))
  const isWatched = isFile && own === undefined
  const watch = isWatched
    ? FileWatch.make({
        files: StoreFile.files(file),
        onChange: condition.missing,
        ownWrites: () => log.steps() + compactions,
        onForeignWrite: condition.foreignWrite
      })
    : undefined
  const outcome = WriteOutcome.make()
  const queue = CommitQueue.make(
    driver,
    log,
    CommitQueue.limits,
    {
      obstacle: condition.obstacle,
      failed: (cause) => {
        const error = condition.failed("commit", cause, "CommitFailed")
        if (error.reason === "Full") outcome.failed(error)
        return error
      },
      succeeded: () => incidents.succeeded("commit")
    },
    recorder === undefined ? undefined : SqliteRecorder.make(driver, recorder)
  )
  let isClosed = false
  let second: ReturnType<typeof SqliteDriver.openReader> | undefined

  /** Reads the last committed state: on a second connection while the first one has a transaction open. */
  const committed: Pick<SqliteDriver.SqliteDriver, "execute"> = {
    execute: (statement) =>
      driver.inTransaction()
        ? (second ??= SqliteDriver.openReader(file, cacheKiB(limits), trust)).execute(statement)
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
      return Exit.fail(condition.failed("read", cause, "ConnectionLost"))
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
      : Effect.tryPromise({ try: log.sync, catch: (cause) => condition.failed("commit", cause, "CommitFailed") })
  )

  const store: Store["Type"] = {
    dialect: SqliteDialect.dialect,
    read: (statement) => now(() => committed.execute(statement)),
    query: readers.query,
    tableSize: SqliteTableSize.make(committed, queue.commits),
    change: queue.change,
    hasSubscribers: subscriptions.hasSubscribers,
    subscribe: queue.subscribe,
    history: recorder === undefined ? undefined : { subscribe: queue.subscribeToCommits },
    // No other process can change the file.
    subscribeToInvalidations: () => () => undefined,
    withLock: (work) => work,
    ready: Effect.suspend(() => {
      const unready = condition.unready()
      return unready === undefined ? outcome.ready(probe) : Effect.fail(unready)
    }).pipe(Effect.zipRight(Effect.suspend(() => (queue.healthy() ? open : probe)))),
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
      compactions += 2
      driver.script("VACUUM")
      driver.execute({ text: "PRAGMA wal_checkpoint(TRUNCATE)", parameters: [] })
    }),
    ruleSet: Effect.suspend(() => now(() => SqliteMeta.ruleSet(driver))),
    violations: (ruleSet) => alone(() => SqliteRuleSet.violationsOf(driver, ruleSet)),
    switchRules: (ruleSet, overlay) =>
      alone(() => SqliteDriver.transaction(driver, () => SqliteRuleSet.apply(driver, ruleSet, overlay))).pipe(
        Effect.flatten,
        Effect.zipLeft(synced)
      ),
    save: (given) =>
      isFile && path.resolve(given) === path.resolve(location)
        ? Effect.fail(new Snapshot.SnapshotUnwritable({ file: given, cause: new Error("it is the store itself") }))
        : Effect.zipRight(
            alone(() => undefined),
            SqliteSnapshot.save(
              isWatched ? SqliteSnapshot.copyOff(connect(false)) : SqliteSnapshot.copyOn(driver),
              given
            )
          ),
    restore: (file) =>
      Effect.zipRight(
        alone(() => undefined),
        SqliteSnapshot.restore(
          driver,
          file,
          isFile ? path.dirname(location) : os.tmpdir(),
          recorder === undefined ? { _tag: "Off" } : { _tag: "On", since: micros(recorder.now()) }
        )
      ).pipe(
        Effect.zipLeft(synced),
        Effect.ensuring(
          Effect.sync(() => {
            subscriptions.forget()
            // The snapshot may have been damaged, and the store may have been.
            trust.isTrusted = false
            checkup.start("complete")
          })
        )
      ),
    copies: {
      version: alone(() => copier().version()),
      write: (to) =>
        alone(() => {
          copier().write(to)
          return trust.isTrusted
        }).pipe(Effect.catchAllDefect((cause) => Effect.fail(unavailable("Full", cause))))
    },
    integrityProblems: alone(() => SqliteAudit.integrityProblems(driver)),
    checksum: alone(() => SqliteAudit.checksum(driver)),
    publishAddress: (address) => Effect.sync(() => isWatched && FileLock.write(file, { pid: process.pid, address }))
  }
  const close = Effect.promise(async () => {
    await queue.close()
    isClosed = true
    condition.close()
    await checkup.close()
    await readers.close()
    await log.close()
    second?.close()
    copy?.close()
    const isReplaced = watch?.look() !== undefined
    watch?.close()
    if (isReplaced) return driver.abandon()
    if (isWatched) FileLock.remove(file)
    driver.close()
    if (!isFile) TemporaryFile.remove(file)
  })
  if (!trust.isTrusted || wasUnclean) condition.schedule(wasUnclean ? "complete" : "texts", 500)
  return { store, close }
}

/** Opens a store until the scope ends. Closing it commits the accepted changes. */
export const open = (options: Options): Effect.Effect<Store["Type"], OpenError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const incidents = yield* Incidents.logged
      const log = Runtime.runSync(yield* Effect.runtime())
      const { durable = true, limits: { memoryBytes } = defaultLimits, own, ruleSet = "contract" } = options
      const file = yield* own === undefined
        ? StoreFile.open({ path: options.path, ruleSet, durable, memoryBytes })
        : StoreFile.openOwn({ path: options.path, durable, ...own })
      const clock = yield* Effect.clock
      const now = () => clock.unsafeCurrentTimeMillis()
      const recorder = (options.history ?? SqliteRecorder.isOpen(file.driver)) ? { now } : undefined
      if (recorder === undefined) SqliteRecorder.end(file.driver, micros(now()))
      else SqliteRecorder.begin(file.driver, micros(now()))
      return make(
        file,
        options,
        incidents,
        (isError, message) => log(isError ? Effect.logError(message) : Effect.logInfo(message)),
        recorder
      )
    }),
    ({ close }) => close
  ).pipe(Effect.map(({ store }) => store))

/** Provides the store. */
export const layer = (options: Options): Layer.Layer<Store, OpenError> => Layer.scoped(Store, open(options))
