/**
 * One connection to PostgreSQL, and the only import of its driver, which is loaded when a connection is opened.
 *
 * Statements are pipelined: each is sent immediately, and the server runs them in order. One that exceeds its deadline is
 * canceled on the server when it is the first. A lost connection fails its statements and is never opened again, so that
 * a statement of a transaction cannot run on another connection.
 */
import type * as net from "node:net"
import * as PostgresAddress from "../../../PostgresAddress.ts"
import type { Rows } from "../../../sql/Change.ts"
import type { Statement } from "../../../sql/Statement.ts"
import * as Flights from "./Flights.ts"
import * as LiteralStatement from "./LiteralStatement.ts"
import * as DriverEnvironment from "./DriverEnvironment.ts"
import * as PostgresError from "./PostgresError.ts"
import * as PostgresSocket from "./PostgresSocket.ts"
import * as ServerState from "./ServerState.ts"

export interface Options {
  /** The address, with any number of hosts. */
  readonly url: string
  readonly host: PostgresAddress.Host
  /** The state in which the server has to be. */
  readonly target: PostgresAddress.Target
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
  /**
   * Set when a pooler gives each transaction another session: nothing is set or prepared in a session, and statements
   * are sent with their parameters as literals.
   */
  readonly isPooled?: boolean
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
  /** Set when a pooler is between: the session has another process than the connection was given. */
  readonly hasPooler: boolean
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

/** The parameters of a session that is not shared with other clients. */
const sessionParameters = (serverMillis: number) => ({
  statement_timeout: Math.ceil(serverMillis),
  idle_in_transaction_session_timeout: 60_000,
  // A query uses one processor of the server, and compiling statements takes longer than most of them run.
  max_parallel_workers_per_gather: 0,
  jit: false
})

/**
 * The rows of a result. After a statement that failed when it had sent rows, the driver counts on from them, so that as
 * many places at the start of the next result are empty.
 */
const rowsOf = (result: Rows): Rows => (result.length === 0 || 0 in result ? result : result.filter(() => true))

/** The timeout of a new connection. */
const connectSeconds = 5

/** Opens a connection. */
export const open = async (options: Options): Promise<PostgresConnection> => {
  const {
    host,
    isPooled = false,
    isPrepared,
    onEnd,
    onNotification,
    responseMillis,
    serverMillis,
    statementMillis,
    target,
    url
  } = options
  const { default: make } = await import("postgres")
  let openSocket: (() => net.Socket) | undefined
  let socket: net.Socket | undefined
  let canceling = 0
  /** The write that the server has committed without its synchronous standbys, because it was canceled. */
  let unreplicated: Flights.Sent | undefined
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

  const sql = DriverEnvironment.without(() =>
    make(PostgresAddress.withFirstHost(url), {
      types,
      fetch_types: false,
      max: 1,
      max_lifetime: null,
      idle_timeout: 0,
      connect_timeout: connectSeconds,
      keep_alive: 10,
      onnotice: ({ routine }) => {
        if (routine === "SyncRepWaitForLSN") unreplicated = flights.first()
      },
      onclose: lose,
      connection: {
        // A pooler keeps these apart for each client, and refuses others.
        application_name: "mfg-mock",
        TimeZone: "UTC",
        DateStyle: "ISO, YMD",
        ...(isPooled ? {} : sessionParameters(serverMillis))
      },
      // The driver's types lack these options.
      ...({
        onnotify: onNotification,
        socket: () => {
          if (openSocket !== undefined) throw Object.assign(new Error("reconnected"), { code: "CONNECTION_CLOSED" })
          openSocket = PostgresSocket.opener(host)
          return (socket = openSocket())
        }
      } satisfies object)
    })
  )

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
      (result) =>
        flights.remove(flight) && (flight === unreplicated ? reject(PostgresError.unreplicated()) : resolve(result)),
      (error: unknown) => {
        const failure = failureOf(error, flight)
        // A server that has become read-only: another host may accept writes.
        if (failure instanceof PostgresError.PostgresError && failure.code === "25006") setImmediate(lose)
        return flights.remove(flight) && reject(failure)
      }
    )
    return { cancel: () => flights.stop(flight) }
  }

  const script: PostgresConnection["script"] = (text, limits) =>
    new Promise((resolve, reject) => {
      if (hasEnded) return reject(PostgresError.ofConnection("CONNECTION_CLOSED", "the connection was closed"))
      start(sql.unsafe(text), limits, (result) => resolve(result.at(-1)?.command ?? result.command), reject)
    })

  let hasPooler = false
  let backend: { pid: number; secret: number } | undefined
  // The driver's own check takes a standby for a server that accepts writes.
  const opened = sql
    .unsafe(
      `SELECT pg_is_in_recovery()::integer, (current_setting('transaction_read_only') = 'on')::integer, pg_backend_pid()`
    )
    .values()
    .then((rows) => {
      backend = rows.state
      const [isStandby, isReadOnly, pid] = rows[0] ?? []
      hasPooler = pid !== rows.state.pid
      const refusal = ServerState.refusalOf(target, { isStandby: isStandby === 1, isReadOnly: isReadOnly === 1 })
      if (refusal === undefined) return
      throw PostgresError.ofConnection(
        "CONNECT_TARGET",
        `${PostgresAddress.nameOf(host)}: ${ServerState.textOf(refusal, target)}`
      )
    })
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
    send: (statement, limits, resolve, reject, onEnd) => {
      if (hasEnded) {
        setImmediate(() => {
          onEnd?.()
          reject(PostgresError.ofConnection("CONNECTION_CLOSED", "the connection was closed"))
        })
        return { cancel: () => undefined }
      }
      // The types above convert every value to text, a number or null.
      const query = isPooled
        ? sql.unsafe(LiteralStatement.toText(statement))
        : sql.unsafe(statement.text, [...statement.parameters], { prepare: isPrepared(statement.text) })
      return start<Rows>(query.values(), limits, (result) => resolve(rowsOf(result)), reject, onEnd)
    },
    script,
    isStalled: (now, millis) => canceling > 0 || flights.isStalled(now, millis),
    isOpen: () => !hasEnded,
    hasPooler,
    close: () => end(PostgresError.ofConnection("CONNECTION_ENDED", "the store is closed"))
  }
}
