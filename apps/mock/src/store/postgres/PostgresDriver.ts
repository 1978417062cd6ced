/**
 * Runs statements and transactions on the connections of an instance. A statement is prepared at its second use, up to a
 * maximum number for each connection. One file, because it assembles the parts of one interface.
 */
import * as Either from "effect/Either"
import * as PostgresAddress from "../../PostgresAddress.ts"
import type { Rows } from "../../sql/Change.ts"
import type { Statement } from "../../sql/Statement.ts"
import type { Consumer } from "../FairQueue.ts"
import * as StatementCache from "../StatementCache.ts"
import * as CompanyScope from "./connection/CompanyScope.ts"
import type * as ConnectionClass from "./connection/ConnectionClass.ts"
import * as PoolMode from "./connection/PoolMode.ts"
import * as PostgresConnection from "./connection/PostgresConnection.ts"
import * as PostgresError from "./connection/PostgresError.ts"
import * as PostgresHosts from "./connection/PostgresHosts.ts"
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
  /**
   * The company whose rows the statement sees with row-level security; the empty text is the service itself, which sees
   * all, and undefined sees none.
   */
  readonly companyId: string | undefined
}

export interface PostgresDriver {
  /** Runs a small read of a company's rows. */
  readonly read: (
    statement: Statement,
    companyId: string | undefined,
    resolve: (rows: Rows) => void,
    reject: (error: unknown) => void
  ) => void
  /** Runs a small read of the metadata and returns a promise, which takes longer. */
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
  /** Runs a command that no transaction may contain, for any time. */
  readonly alone: (sql: string) => Promise<void>
  /** Names the company of each transaction from now on, for row-level security. */
  readonly nameCompanies: () => void
  /** Runs a statement on the connection outside the pool. */
  readonly monitor: (statement: Statement) => Promise<Rows>
  /** Subscribes to a channel; `onReady` is called for each new subscription, also after a lost connection. */
  readonly listen: PostgresMonitor.PostgresMonitor["listen"]
  /** Finds out whether a connection pooler is before the server, and in which mode. */
  readonly poolMode: () => Promise<PoolMode.PoolMode>
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
  deadline: Number.POSITIVE_INFINITY,
  companyId: ""
}

/** The limits of a command that takes any time. */
const unlimited = { deadline: Number.POSITIVE_INFINITY, responseMillis: Number.POSITIVE_INFINITY }

/** The URL of the database, the size of the pool, and the timeouts. */
export interface Options {
  readonly url: string
  /** The state of the server (default `read-write`). */
  readonly target?: PostgresAddress.Target | undefined
  readonly connections: number
  /** The division of the connections (default: that of a store). */
  readonly shares?: typeof ConnectionClass.shares
  readonly statementMillis: number
  /** The timeout of a response. It is longer than that of a statement, so that after it the connection is lost. */
  readonly responseMillis: number
  /** Set when a pooler gives each transaction another session. */
  readonly isPooled?: boolean
  /** Set when each transaction names its company, for row-level security. */
  readonly isNamed?: boolean
  /** Called for each connection that cannot be opened, and for each one that is opened. */
  readonly onFailure?: (error: unknown) => void
  readonly onOpen?: () => void
  /** Called for each connection that is lost or closed. */
  readonly onLost?: () => void
}

const nothing = () => undefined

/** Opens a pool, which connects when it is used. */
export const open = ({
  connections,
  isNamed: wasNamed = false,
  isPooled = false,
  onFailure = nothing,
  onLost = nothing,
  onOpen = nothing,
  responseMillis,
  shares,
  statementMillis,
  target = "read-write",
  url
}: Options): PostgresDriver => {
  const { isPrepared, tableOf } = texts()
  const serverMillis = statementMillis + graceMillis
  let isNamed = wasNamed
  const shared = { url, target, statementMillis, responseMillis, serverMillis, isPrepared, isPooled }
  const ending = (onEnd: () => void) => () => {
    onEnd()
    onLost()
  }
  const hosts = PostgresHosts.make(PostgresAddress.hostsOf(url, process.env), target)
  const pool = PostgresPool.make({
    connections,
    ...(shares === undefined ? {} : { shares }),
    statementMillis,
    onFailure,
    onOpen,
    open: (onEnd) => hosts.open((host, onEnd) => PostgresConnection.open({ ...shared, host, onEnd }), ending(onEnd))
  })
  const monitor = PostgresMonitor.make({
    isPooled,
    millis: Math.min(statementMillis, responseMillis),
    open: async (onEnd, onNotification) => {
      try {
        const connection = await hosts.open(
          (host, onEnd) => PostgresConnection.open({ ...shared, host, onEnd, onNotification }),
          ending(onEnd)
        )
        onOpen()
        return connection
      } catch (error) {
        onFailure(error)
        throw error
      }
    }
  })

  /** Sends a statement, with row-level security in a transaction that names its company. */
  const send = (
    connection: PostgresConnection.PostgresConnection,
    statement: Statement,
    { companyId, deadline, isRead = false }: Pick<Use, "companyId" | "deadline" | "isRead">,
    resolve: (rows: Rows) => void,
    reject: (error: unknown) => void,
    onEnd: () => void
  ): (() => void) =>
    isNamed && companyId !== undefined
      ? CompanyScope.send(connection, statement, { companyId, deadline, isRead }, resolve, reject, onEnd)
      : connection.send(statement, { deadline, isRead }, resolve, reject, onEnd).cancel

  const execute: PostgresDriver["execute"] = (statement, use, resolve, reject) => {
    pool.submit({
      ...use,
      start: (connection, release) => void send(connection, statement, use, resolve, reject, release),
      fail: reject
    })
  }

  const read: PostgresDriver["read"] = (statement, companyId, resolve, reject) =>
    execute(
      statement,
      {
        class: "reads",
        group: tableOf(statement.text),
        isExclusive: false,
        isRead: true,
        companyId,
        deadline: performance.now() + statementMillis
      },
      resolve,
      reject
    )

  /** The parameters of a transaction. Those of a session that is not shared last as long as it. */
  const parameters = (isOperation: boolean, companyId: string | undefined): string =>
    [
      ...(isOperation ? [`SET LOCAL statement_timeout = ${operationMillis}`] : []),
      ...(isPooled && !isOperation ? [`SET LOCAL statement_timeout = ${serverMillis}`] : []),
      ...(companyId !== undefined && (isNamed || isOperation) ? [CompanyScope.name(companyId)] : [])
    ]
      .map((text) => `; ${text}`)
      .join("")

  /** Runs a transaction on a connection that nothing else uses. */
  const within = async <A, E>(
    connection: PostgresConnection.PostgresConnection,
    body: (connection: Connection) => Promise<Either.Either<A, E>>,
    mode: string,
    { companyId, deadline }: Use
  ): Promise<Either.Either<A, E>> => {
    const isOperation = deadline === Number.POSITIVE_INFINITY
    const limits = isOperation ? { deadline, responseMillis: operationMillis + responseMillis } : { deadline }
    // Scripts of operations wait for locks, for any time.
    const scriptLimits = isOperation ? { deadline, responseMillis: Number.POSITIVE_INFINITY } : limits
    // A canceled COMMIT or ROLLBACK would leave the transaction open.
    const last = { ...limits, deadline: Number.POSITIVE_INFINITY }
    const begun = connection.script(`BEGIN ${mode}${parameters(isOperation, companyId)}`, limits)
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
      companyId: consumer.companyId,
      isExclusive: true,
      deadline,
      start: (connection, release) => {
        const end = () => {
          release()
          onEnd()
        }
        const { companyId } = consumer
        cancel = send(connection, statement, { companyId, deadline, isRead: true }, resolve, reject, end)
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
    readOnce: (statement) => new Promise((resolve, reject) => read(statement, undefined, resolve, reject)),
    execute,
    transaction,
    query,
    alone: (sql) =>
      new Promise((resolve, reject) => {
        const run = async (connection: PostgresConnection.PostgresConnection) => {
          // Sessions of a pooler are shared: there the role's own timeout holds.
          if (!isPooled) await connection.script("SET statement_timeout = 0", unlimited)
          try {
            await connection.script(sql, unlimited)
          } finally {
            if (!isPooled) await connection.script("RESET statement_timeout", unlimited)
          }
        }
        pool.submit({
          ...operation,
          class: "writes",
          start: (connection, release) => void run(connection).finally(release).then(resolve, reject),
          fail: reject
        })
      }),
    nameCompanies: () => {
      isNamed = true
    },
    monitor: monitor.execute,
    listen: monitor.listen,
    poolMode: () =>
      PoolMode.find(() =>
        hosts.open((host, onEnd) => PostgresConnection.open({ ...shared, host, isPooled: true, onEnd }), nothing)
      ),
    usage: pool.usage,
    close: async (millis) => {
      await pool.close(millis)
      monitor.close()
    }
  }
}
