/**
 * One connection to PostgreSQL, and the only import of its driver, which is loaded when a connection is opened.
 *
 * Statements are pipelined: each is sent immediately, and the server runs them in order. One that exceeds its deadline is
 * canceled on the server when it is the first. A lost connection fails its statements and is never opened again, so that
 * a statement of a transaction cannot run on another connection.
 */
import type * as net from "node:net"
import type { Rows } from "../../../sql/Change.ts"
import type { Statement } from "../../../sql/Statement.ts"
import * as Flights from "./Flights.ts"
import * as PostgresError from "./PostgresError.ts"
import * as PostgresSocket from "./PostgresSocket.ts"

export interface Options {
  readonly url: string
  /** The statement timeout of the server, for statements that this process does not cancel. */
  readonly serverMillis: number
  /** The time that a query may take, for messages. */
  readonly statementMillis: number
  /** The timeout of a response. It is longer than that of a statement, so that after it the connection is lost. */
  readonly responseMillis: number
  /** Decides whether a statement is prepared. */
  readonly isPrepared: (text: string) => boolean
  /** Called once, when the connection is lost or closed. */
  readonly onEnd: () => void
  readonly onNotification?: (channel: string, payload: string) => void
}

type Limits = Flights.Limits

/** A statement that was sent. */
interface Flight {
  /** Cancels the statement; it still fails or succeeds. */
  readonly cancel: () => void
}

export interface PostgresConnection {
  /**
   * Sends a statement. A read is rejected at its deadline, also without a response. `onEnd` is called before the result,
   * or when the server has responded.
   */
  readonly send: (
    statement: Statement,
    limits: Limits,
    resolve: (rows: Rows) => void,
    reject: (error: unknown) => void,
    onEnd?: () => void
  ) => Flight
  /** Runs literal SQL of any number of statements, and returns the name of the last command. */
  readonly script: (sql: string, limits: Limits) => Promise<string>
  /** Reports whether the server has run the first statement for longer than some milliseconds, or cancels one. */
  readonly isStalled: (now: number, millis: number) => boolean
  readonly isOpen: () => boolean
  /** Gives up the connection, and fails its statements. */
  readonly close: () => void
}

const asText = (value: unknown): string => String(value)

/** The conversion of types by their OIDs. Whole numbers of the service fit into a double. */
const types = {
  number: { to: 20, from: [20, 21, 23, 26, 700, 701, 1700], serialize: asText, parse: Number },
  boolean: { to: 16, from: [16], serialize: asText, parse: (value: string) => (value === "t" ? 1 : 0) },
  text: { to: 114, from: [17, 114, 1082, 1114, 1184, 3802], serialize: asText, parse: asText }
}

/** The timeout of a new connection. */
const connectSeconds = 5

/** Opens a connection. */
export const open = async (options: Options): Promise<PostgresConnection> => {
  const { isPrepared, onEnd, onNotification, responseMillis, serverMillis, statementMillis, url } = options
  const { default: make } = await import("postgres")
  let openSocket: (() => net.Socket) | undefined
  let socket: net.Socket | undefined
  let canceling = 0
  let hasEnded = false
  let isCorked = false
  const finish = () => {
    hasEnded = true
    sql.end({ timeout: 0 }).catch(() => undefined)
    onEnd()
  }

  /** Ends a connection that the driver reports as lost. Before, it fails the statements with their own errors. */
  const lose = () => {
    if (hasEnded) return
    finish()
    setImmediate(() => flights.failAll(PostgresError.ofConnection("CONNECTION_CLOSED", "the connection was closed")))
  }

  const end = (error: PostgresError.PostgresError) => {
    if (hasEnded) return
    finish()
    flights.failAll(error)
    if (socket === undefined || socket.destroyed) return
    // The driver writes nothing more to a socket that has emitted `close`.
    socket.emit("close")
    socket.destroy()
  }

  const sql = make(url, {
    types,
    fetch_types: false,
    max: 1,
    max_lifetime: null,
    idle_timeout: 0,
    connect_timeout: connectSeconds,
    keep_alive: 10,
    onnotice: () => undefined,
    onclose: lose,
    connection: {
      application_name: "mfg-mock",
      TimeZone: "UTC",
      DateStyle: "ISO, YMD",
      statement_timeout: Math.ceil(serverMillis),
      idle_in_transaction_session_timeout: 60_000,
      // A query uses one processor of the server, and compiling statements takes longer than most of them run.
      max_parallel_workers_per_gather: 0,
      jit: false
    },
    // The driver's types lack these options.
    ...({
      onnotify: onNotification,
      socket: (place: PostgresSocket.Place) => {
        if (openSocket !== undefined) throw Object.assign(new Error("reconnected"), { code: "CONNECTION_CLOSED" })
        openSocket = PostgresSocket.opener(place)
        return (socket = openSocket())
      }
    } satisfies object)
  })

  /** Sends everything that is sent in one turn of the event loop by one system call. */
  const cork = () => {
    if (isCorked || socket === undefined) return
    isCorked = true
    socket.cork()
    setImmediate(() => {
      isCorked = false
      socket?.uncork()
    })
  }

  const flights = Flights.make({
    responseMillis,
    statementMillis,
    // The server ignores a request that arrives between two statements, so it is repeated.
    requestCancel: () => {
      if (openSocket === undefined || backend === undefined) return false
      canceling += 1
      void PostgresSocket.requestCancel(openSocket, backend).then(() => (canceling -= 1))
      return true
    },
    onSilence: () =>
      end(PostgresError.ofConnection("ETIMEDOUT", "the server has not responded within the statement timeout"))
  })

  /** Without a time limit of its own, a statement fails with the error of the server. */
  const failureOf = (error: unknown, { isStopped, limits, phase }: Flights.Sent): unknown => {
    const known = PostgresError.fromUnknown(error)
    const isLate = isStopped || limits.deadline <= performance.now()
    return isLate && known instanceof PostgresError.PostgresError && known.code === "57014"
      ? flights.timeout(phase)
      : known
  }

  const start = <A>(
    query: PromiseLike<A>,
    limits: Limits,
    resolve: (result: A) => void,
    reject: (error: unknown) => void,
    onEnd: () => void = () => undefined
  ): Flight => {
    const flight = flights.add(limits, reject, onEnd)
    cork()
    query.then(
      (result) => flights.remove(flight) && resolve(result),
      (error: unknown) => flights.remove(flight) && reject(failureOf(error, flight))
    )
    return { cancel: () => flights.stop(flight) }
  }

  const script: PostgresConnection["script"] = (text, limits) =>
    new Promise((resolve, reject) => {
      if (hasEnded) return reject(PostgresError.ofConnection("CONNECTION_CLOSED", "the connection was closed"))
      start(sql.unsafe(text), limits, (result) => resolve(result.at(-1)?.command ?? result.command), reject)
    })

  let backend: { pid: number; secret: number } | undefined
  const opened = sql.unsafe("SELECT 1").then(({ state }) => (backend = state))
  const late = setTimeout(
    () => end(PostgresError.ofConnection("CONNECT_TIMEOUT", "the server has not responded to a new connection")),
    connectSeconds * 1000
  )
  try {
    await opened
  } catch (error) {
    end(PostgresError.ofConnection("CONNECTION_CLOSED", "the connection was not opened"))
    throw PostgresError.fromUnknown(error)
  } finally {
    clearTimeout(late)
  }

  return {
    send: ({ parameters, text }, limits, resolve, reject, onEnd) => {
      if (hasEnded) {
        setImmediate(() => {
          onEnd?.()
          reject(PostgresError.ofConnection("CONNECTION_CLOSED", "the connection was closed"))
        })
        return { cancel: () => undefined }
      }
      // The types above convert every value to text, a number or null.
      const query = sql.unsafe(text, [...parameters], { prepare: isPrepared(text) }).values()
      return start<Rows>(query, limits, resolve, reject, onEnd)
    },
    script,
    isStalled: (now, millis) => canceling > 0 || flights.isStalled(now, millis),
    isOpen: () => !hasEnded,
    close: () => end(PostgresError.ofConnection("CONNECTION_ENDED", "the store is closed"))
  }
}
