/**
 * Runs queries of any size on connections of their own, off the event loop: companies take turns, one deadline covers
 * waiting and running, and a caller that hangs up interrupts its query. A query that does not end when it is interrupted
 * keeps its connection until it ends, but its caller has a response.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import type { Rows } from "../../../sql/Change.ts"
import type { Statement } from "../../../sql/Statement.ts"
import * as FairQueue from "../../FairQueue.ts"
import * as QueryCounts from "../../QueryCounts.ts"
import { QueryStopped } from "../../QueryStopped.ts"
import { type Connections, type StoreUnavailable, unavailable } from "../../Store.ts"
import type { AsyncConnection } from "./AsyncConnection.ts"
import { SqliteError } from "../SqliteDriver.ts"
import { toUnavailable } from "../StorageFailure.ts"
import * as ResidentMemory from "./ResidentMemory.ts"

export interface Options {
  readonly connect: () => Promise<AsyncConnection>
  /** The maximum number of connections. */
  readonly readers: number
  readonly timeoutMillis: number
  /** The memory by which the process may grow while queries run. */
  readonly memoryBytes: number
  /** The reason to open no further connection. */
  readonly obstacle?: () => StoreUnavailable | undefined
  /** Called with the failure of the storage that ended a query, and when a query succeeds. */
  readonly onFailure?: (cause: unknown) => void
  readonly onSuccess?: () => void
}

export interface ReaderPool {
  readonly query: (
    statement: Statement,
    consumer: FairQueue.Consumer
  ) => Effect.Effect<Rows, StoreUnavailable | QueryStopped>
  /** Waits until no query runs, and starts none until the returned function is called. */
  readonly pause: () => Promise<() => void>
  readonly counts: () => QueryCounts.Counts
  readonly usage: () => Connections
  /** Ends all queries, and closes the connections of those that end within a second. */
  readonly close: () => Promise<void>
}

type Outcome = Exit.Exit<Rows, StoreUnavailable | QueryStopped>

/** A query that was accepted. Its first outcome is the response. */
interface Query {
  readonly statement: Statement
  isOver: boolean
  readonly end: (outcome: Outcome) => void
  /** Interrupts the query while it runs. */
  interrupt: (() => void) | undefined
}

/** The maximum number of waiting queries, of all companies. */
export const places = 256

/** An interrupt before the first step has no effect, so it is repeated. */
const interruptMillis = 20

const closingMillis = 1000

/** The time between two looks at the memory, of which a query fills about a gigabyte per second. */
const watchMillis = 20

const nothing = () => undefined

export const make = ({
  connect,
  memoryBytes,
  obstacle = nothing,
  onFailure = nothing,
  onSuccess = nothing,
  readers,
  timeoutMillis
}: Options): ReaderPool => {
  const queue = FairQueue.make({ slots: readers, places })
  const counts = QueryCounts.make()
  const idle: Array<AsyncConnection> = []
  const running = new Map<Query, Promise<void>>()
  // Queries that have their turn, while the pool is paused.
  let held: Array<() => void> | undefined
  let watcher: NodeJS.Timeout | undefined
  let failures = 0
  let isClosed = false

  /** The response to an error of a query. */
  const judge = (error: unknown): Outcome => {
    return error instanceof SqliteError && !error.isStorageFailure
      ? Exit.die(error)
      : Exit.fail(toUnavailable(error, "ConnectionLost"))
  }

  /** Reports whether a connection works after an error of a query. */
  const isUsable = (error: unknown) =>
    error instanceof SqliteError && (!error.isStorageFailure || error.code === "SQLITE_INTERRUPT")

  const put = (connection: AsyncConnection, isGood: boolean) => {
    if (isGood && !isClosed && !connection.isWorn()) return void idle.push(connection)
    // The file of a connection that cannot be closed stays open until the process ends.
    return connection.close().catch(() => undefined)
  }

  const run = async (query: Query) => {
    let connection: AsyncConnection
    try {
      connection = idle.pop() ?? (await connect())
    } catch (error) {
      failures += 1
      return query.end(judge(error))
    }
    if (query.isOver) return put(connection, true)
    let timer: NodeJS.Timeout | undefined
    query.interrupt = () => {
      connection.interrupt()
      timer ??= setInterval(connection.interrupt, interruptMillis)
    }
    const ended = (outcome: Outcome) => {
      clearInterval(timer)
      query.interrupt = undefined
      query.end(outcome)
    }
    try {
      ended(Exit.succeed(await connection.query(query.statement)))
    } catch (error) {
      ended(judge(error))
      return put(connection, isUsable(error))
    }
    return put(connection, true)
  }

  /** Ends all queries when the process has grown too much since the first of them started. */
  const watch = () => {
    let before = ResidentMemory.bytes()
    clearInterval(watcher)
    watcher = setInterval(() => {
      if (running.size === 0) return clearInterval(watcher)
      const now = ResidentMemory.bytes()
      before ??= now
      if (now === undefined || before === undefined || now - before <= memoryBytes) return
      for (const query of running.keys()) {
        query.end(Exit.fail(new QueryStopped({ reason: { _tag: "Memory", bytes: memoryBytes } })))
        query.interrupt?.()
      }
    }, watchMillis)
  }

  const start = (query: Query, release: () => void) => {
    if (isClosed) query.end(Exit.fail(unavailable("Closed")))
    if (query.isOver) return release()
    if (held !== undefined) return void held.push(() => start(query, release))
    counts.start()
    if (running.size === 0) watch()
    running.set(
      query,
      run(query).finally(() => {
        running.delete(query)
        release()
      })
    )
  }

  const query = (statement: Statement, consumer: FairQueue.Consumer) =>
    Effect.async<Rows, StoreUnavailable | QueryStopped>((resume) => {
      const hindered = isClosed ? unavailable("Closed") : obstacle()
      if (hindered !== undefined) return resume(Exit.fail(hindered))
      let deadline: NodeJS.Timeout | undefined
      const query: Query = {
        statement,
        isOver: false,
        interrupt: undefined,
        end: (outcome) => {
          if (query.isOver) return
          query.isOver = true
          clearTimeout(deadline)
          if (Exit.isFailure(outcome)) count(outcome)
          else onSuccess()
          resume(outcome)
        }
      }
      const accepted = queue.acquire(consumer, (release) => start(query, release))
      if (Either.isLeft(accepted)) return query.end(Exit.fail(accepted.left))
      const stop = () => {
        accepted.right()
        query.interrupt?.()
      }
      deadline = setTimeout(() => {
        const late = running.has(query)
          ? new QueryStopped({ reason: { _tag: "Timeout", phase: "running", millis: timeoutMillis } })
          : FairQueue.missed(consumer, timeoutMillis)
        query.end(Exit.fail(late))
        stop()
      }, timeoutMillis)
      return Effect.sync(() => {
        query.isOver = true
        clearTimeout(deadline)
        counts.stop("hangup")
        stop()
      })
    })

  const count = ({ cause }: Exit.Failure<Rows, StoreUnavailable | QueryStopped>) => {
    if (cause._tag !== "Fail") return
    const { error } = cause
    if (error instanceof QueryStopped) counts.stop(QueryCounts.causeOf(error))
    else if (error.cause !== undefined) onFailure(error.cause)
  }

  const waiting = () => queue.waiting() + (held?.length ?? 0)

  return {
    query,
    pause: async () => {
      held ??= []
      await Promise.all(running.values())
      return () => {
        const starts = held ?? []
        held = undefined
        for (const start of starts) start()
      }
    },
    counts: () => counts.get(waiting()),
    usage: () => ({
      classes: { readers: { open: idle.length + running.size, inUse: running.size, waiting: waiting() } },
      failures
    }),
    close: async () => {
      isClosed = true
      for (const query of running.keys()) {
        query.end(Exit.fail(unavailable("Closed")))
        query.interrupt?.()
      }
      const ended = Promise.all(running.values())
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, closingMillis).unref())])
      await Promise.all(idle.splice(0).map(({ close }) => close().catch(() => undefined)))
    }
  }
}
