/**
 * Runs statements and transactions on the connections of an instance. A statement is prepared at its second use, up to a
 * maximum number for each connection.
 */
import * as Either from "effect/Either"
import type { Rows } from "../../sql/Change.ts"
import type { Statement } from "../../sql/Statement.ts"
import type { Consumer } from "../Store.ts"
import * as StatementCache from "../StatementCache.ts"
import type * as ConnectionClass from "./connection/ConnectionClass.ts"
import * as PostgresConnection from "./connection/PostgresConnection.ts"
import * as PostgresError from "./connection/PostgresError.ts"
import * as PostgresMonitor from "./connection/PostgresMonitor.ts"
import * as PostgresPool from "./connection/PostgresPool.ts"

/** Runs statements one after another on a connection. */
export interface Connection {
  readonly execute: (statement: Statement) => Promise<Rows>
  /** Runs literal SQL of any number of statements. */
  readonly script: (sql: string) => Promise<void>
}

/** The connections that a statement or a transaction uses, and its deadline as of `performance.now()`. */
interface Use {
  readonly class: ConnectionClass.Class
  readonly group: string
  readonly isExclusive: boolean
  readonly deadline: number
  /** Set when the statement writes nothing. */
  readonly isRead?: boolean
}

export interface PostgresDriver {
  /** Runs a small read. */
  readonly read: (statement: Statement, resolve: (rows: Rows) => void, reject: (error: unknown) => void) => void
  /** Runs a small read and returns a promise, which takes longer. */
  readonly readOnce: (statement: Statement) => Promise<Rows>
  readonly execute: (
    statement: Statement,
    use: Use,
    resolve: (rows: Rows) => void,
    reject: (error: unknown) => void
  ) => void
  /**
   * Runs `body` in a transaction, which is rolled back when it returns `Left` or fails. Without a use it is an operation
   * of an administrator, whose statements may take as long as `operationMillis`.
   */
  readonly transaction: <A, E>(
    body: (connection: Connection) => Promise<Either.Either<A, E>>,
    options?: { readonly mode?: string; readonly use?: Use }
  ) => Promise<Either.Either<A, E>>
  /**
   * Runs a query on a connection alone; the returned function cancels it. `onEnd` is called when nothing runs any more: it
   * may be later than the rejection at the deadline.
   */
  readonly query: (
    statement: Statement,
    options: { readonly consumer: Consumer; readonly deadline: number },
    resolve: (rows: Rows) => void,
    reject: (error: unknown) => void,
    onEnd: () => void
  ) => () => void
  /** Runs a statement on the connection outside the pool. */
  readonly monitor: (statement: Statement) => Promise<Rows>
  /** Subscribes to a channel; `onReady` is called for each new subscription, also after a lost connection. */
  readonly listen: PostgresMonitor.PostgresMonitor["listen"]
  readonly usage: PostgresPool.PostgresPool["usage"]
  /** Waits for the accepted tasks, up to a timeout, and closes every connection. */
  readonly close: (millis: number) => Promise<void>
}

/** The maximum number of prepared statements of a connection, and of texts whose uses are counted. */
const capacity = { prepared: 512, seen: 4096 }

/** The facts about a text: the number of its uses, and the table that it reads first. */
const texts = () => {
  const prepared = new Set<string>()
  const seen = StatementCache.make(capacity.seen, (text) => ({
    count: 0,
    table: / FROM "(\w+)"/.exec(text)?.[1] ?? ""
  }))
  return {
    tableOf: (text: string): string => seen.get(text).table,
    isPrepared: (text: string): boolean => {
      if (prepared.has(text)) return true
      const found = seen.get(text)
      found.count += 1
      if (found.count < 2 || prepared.size === capacity.prepared) return false
      prepared.add(text)
      return true
    }
  }
}

/** The statement timeout of the operations of administrators. */
const operationMillis = 30_000

/** The time that the server grants beyond a deadline, before it cancels a statement by itself. */
const graceMillis = 1000

const operation: Use = {
  class: "queries",
  group: "",
  isExclusive: true,
  deadline: Number.POSITIVE_INFINITY
}

/** The URL of the database, the size of the pool, and the timeouts. */
export interface Options {
  readonly url: string
  readonly connections: number
  readonly statementMillis: number
  /** The timeout of a response. It is longer than that of a statement, so that after it the connection is lost. */
  readonly responseMillis: number
  /** Called for each connection that cannot be opened, and for each one that is opened. */
  readonly onFailure?: (error: unknown) => void
  readonly onOpen?: () => void
}

const nothing = () => undefined

/** Opens a pool, which connects when it is used. */
export const open = ({
  connections,
  onFailure = nothing,
  onOpen = nothing,
  responseMillis,
  statementMillis,
  url
}: Options): PostgresDriver => {
  const { isPrepared, tableOf } = texts()
  const shared = { url, statementMillis, responseMillis, serverMillis: statementMillis + graceMillis, isPrepared }
  const pool = PostgresPool.make({
    connections,
    statementMillis,
    onFailure,
    onOpen,
    open: (onEnd) => PostgresConnection.open({ ...shared, onEnd })
  })
  const monitor = PostgresMonitor.make({
    millis: Math.min(statementMillis, responseMillis),
    open: (onEnd, onNotification) => PostgresConnection.open({ ...shared, onEnd, onNotification })
  })

  const execute: PostgresDriver["execute"] = (statement, use, resolve, reject) => {
    pool.submit({
      ...use,
      start: (connection, release) => void connection.send(statement, use, resolve, reject, release),
      fail: reject
    })
  }

  const read: PostgresDriver["read"] = (statement, resolve, reject) =>
    execute(
      statement,
      {
        class: "reads",
        group: tableOf(statement.text),
        isExclusive: false,
        isRead: true,
        deadline: performance.now() + statementMillis
      },
      resolve,
      reject
    )

  /** Runs a transaction on a connection that nothing else uses. */
  const within = async <A, E>(
    connection: PostgresConnection.PostgresConnection,
    body: (connection: Connection) => Promise<Either.Either<A, E>>,
    mode: string,
    { deadline }: Use
  ): Promise<Either.Either<A, E>> => {
    const isOperation = deadline === Number.POSITIVE_INFINITY
    const limits = isOperation ? { deadline, responseMillis: operationMillis + responseMillis } : { deadline }
    // Scripts of operations wait for locks, for any time.
    const scriptLimits = isOperation ? { deadline, responseMillis: Number.POSITIVE_INFINITY } : limits
    // A canceled COMMIT or ROLLBACK would leave the transaction open.
    const last = { ...limits, deadline: Number.POSITIVE_INFINITY }
    const timeout = isOperation ? `; SET LOCAL statement_timeout = ${operationMillis}` : ""
    const begun = connection.script(`BEGIN ${mode}${timeout}`, limits)
    // It is sent together with the first statement.
    begun.catch(() => undefined)
    const rollback = () => connection.script("ROLLBACK", last).catch(() => undefined)
    let outcome: Either.Either<A, E>
    try {
      outcome = await body({
        execute: (statement) =>
          new Promise((resolve, reject) => void connection.send(statement, limits, resolve, reject)),
        script: async (text) => void (await connection.script(text, scriptLimits))
      })
      await begun
    } catch (error) {
      await rollback()
      throw error
    }
    if (Either.isLeft(outcome)) {
      await rollback()
      return outcome
    }
    if ((await connection.script("COMMIT", last)) !== "COMMIT") throw new Error("the transaction was not committed")
    return outcome
  }

  const transaction: PostgresDriver["transaction"] = (body, { mode = "", use = operation } = {}) =>
    new Promise((resolve, reject) => {
      pool.submit({
        ...use,
        start: (connection, release) => void within(connection, body, mode, use).finally(release).then(resolve, reject),
        fail: reject
      })
    })

  const query: PostgresDriver["query"] = (statement, { consumer, deadline }, resolve, reject, onEnd) => {
    let cancel = () => {}
    const fail = (error: unknown) => {
      onEnd()
      reject(error)
    }
    const remove = pool.submit({
      class: "queries",
      group: consumer.companyId,
      isExclusive: true,
      deadline,
      start: (connection, release) => {
        const end = () => {
          release()
          onEnd()
        }
        cancel = connection.send(statement, { deadline, isRead: true }, resolve, reject, end).cancel
      },
      fail
    })
    return () => {
      if (remove()) fail(PostgresError.ofConnection("57014", "the query was canceled"))
      else cancel()
    }
  }

  return {
    read,
    readOnce: (statement) => new Promise((resolve, reject) => read(statement, resolve, reject)),
    execute,
    transaction,
    query,
    monitor: monitor.execute,
    listen: monitor.listen,
    usage: pool.usage,
    close: async (millis) => {
      await pool.close(millis)
      monitor.close()
    }
  }
}
