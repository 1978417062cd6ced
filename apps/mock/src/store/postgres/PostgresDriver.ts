/**
 * The pool of connections to PostgreSQL, and the only import of its driver, which is loaded when a pool is opened. Its
 * rules, each with a test: the driver does not convert types; a statement is prepared at its second use, up to a maximum
 * number for each connection; and values in messages of the server are removed.
 */
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import type postgres from "postgres"
import type { Rows } from "../../sql/Change.ts"
import type { Statement } from "../../sql/Statement.ts"
import * as PostgresSockets from "./PostgresSockets.ts"
import * as StatementCache from "../StatementCache.ts"
import * as InFlight from "./InFlight.ts"

/** An error of PostgreSQL or of the connection: a SQLSTATE or a system code, and a message without values. */
export class PostgresError extends Data.TaggedError("PostgresError")<{
  readonly code: string
  readonly message: string
  readonly table: string | undefined
  readonly constraint: string | undefined
  /** The columns of the key that violated a constraint. */
  readonly columns: ReadonlyArray<string>
  /** Set when the connection failed, and not the statement. */
  readonly isConnectionFailure: boolean
}> {
  /** Reports whether the server is unavailable or read-only: shutting down, out of connections, or a standby. */
  get isLost(): boolean {
    return /^(08|57P|53300|25006|28|3D|E[A-Z]{2}|CONNECT)/.test(this.code)
  }
  /** Reports whether a retry may succeed: the statement conflicted with another one. */
  get isTransient(): boolean {
    return this.code === "40001" || this.code === "40P01"
  }
  /** Reports whether the server canceled the statement for lack of time or resources. */
  get isExhausted(): boolean {
    return this.code === "57014" || this.code === "55P03" || /^(53|58)/.test(this.code)
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** Reads the column names of a detail such as `Key (_tenant, _hash("clientId"))=(…)`. */
const columnsOf = (detail = ""): ReadonlyArray<string> => {
  const [, names] = /\(([^=]*)\)=\(/.exec(detail) ?? []
  return names === undefined ? [] : names.split(", ").map((name) => name.replaceAll(/^_hash\(|[")]/g, ""))
}

/** Converts an error of the driver; any other error is thrown. */
const failure = (error: unknown): PostgresError => {
  if (error instanceof PostgresError) return error
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") throw error
  const facts: { readonly [name: string]: unknown } = { ...error }
  const { code } = error
  return new PostgresError({
    code,
    // Messages of the class 22, on invalid values, contain the value.
    message: `${code}: ${code.startsWith("22") ? error.message.split(":", 1)[0] : error.message}`,
    table: textOf(facts["table_name"]),
    constraint: textOf(facts["constraint_name"]),
    columns: columnsOf(textOf(facts["detail"])),
    // Errors of the server have a severity; errors of the driver about a statement have other codes.
    isConnectionFailure: facts["severity"] === undefined && /^(E[A-Z]|CONNECT)/.test(code)
  })
}

/**
 * Throws a converted error. A lost connection fails all its statements, and the driver breaks when it receives a new one
 * before it has failed them all, so the error is thrown in the next turn of the event loop.
 */
const rethrow = async (error: unknown): Promise<never> => {
  const known = failure(error)
  if (known.isConnectionFailure) await new Promise((resolve) => setTimeout(resolve, 0))
  throw known
}

/** Runs statements on any connection of the pool, or on that of a transaction. */
export interface Connection {
  readonly execute: (statement: Statement) => Promise<Rows>
  /** Runs literal SQL of any number of statements. */
  readonly script: (sql: string) => Promise<void>
}

export interface PostgresDriver extends Connection {
  /** Runs `body` in a transaction, which is rolled back when it returns `Left` or fails. */
  readonly transaction: <A, E>(
    body: (connection: Connection) => Promise<Either.Either<A, E>>,
    mode?: string
  ) => Promise<Either.Either<A, E>>
  /** Runs an empty query on a connection outside the pool. */
  readonly probe: () => Promise<void>
  /** Subscribes to a channel; `onReady` is called for each new subscription, also after a lost connection. */
  readonly listen: (channel: string, onPayload: (payload: string) => void, onReady: () => void) => Promise<void>
  /** Waits for the statements in flight, up to a timeout, and closes every connection. */
  readonly close: (seconds: number) => Promise<void>
}

const asText = (value: unknown): string => String(value)

/** The conversion of types by their OIDs. Whole numbers of the service fit into a double. */
const types = {
  number: { to: 20, from: [20, 21, 23, 26, 700, 701, 1700], serialize: asText, parse: Number },
  boolean: { to: 16, from: [16], serialize: asText, parse: (value: string) => (value === "t" ? 1 : 0) },
  text: { to: 114, from: [17, 114, 1082, 1114, 1184, 3802], serialize: asText, parse: asText }
}

/** The maximum number of prepared statements of a connection, and of texts whose uses are counted. */
const capacity = { prepared: 512, seen: 4096 }

const overdue = (): PostgresError =>
  new PostgresError({
    code: "ETIMEDOUT",
    message: "ETIMEDOUT: the server has not responded within the statement timeout",
    table: undefined,
    constraint: undefined,
    columns: [],
    isConnectionFailure: true
  })

const admission = (): ((text: string) => boolean) => {
  const prepared = new Set<string>()
  const seen = StatementCache.make(capacity.seen, () => ({ count: 0 }))
  return (text) => {
    if (prepared.has(text)) return true
    const found = seen.get(text)
    found.count += 1
    if (found.count < 2 || prepared.size === capacity.prepared) return false
    prepared.add(text)
    return true
  }
}

/** The timeout of a new connection, and of the probe. */
const promptSeconds = 5

/** The URL of the database, the size of the pool, and the timeouts. */
export interface Options {
  readonly url: string
  readonly connections: number
  readonly statementMillis: number
  /** The timeout of a response. It is longer than that of a statement, so that after it the connection is lost. */
  readonly responseMillis: number
}

/** Opens a pool, which connects when it is used. */
export const open = async ({ responseMillis, connections, statementMillis, url }: Options): Promise<PostgresDriver> => {
  const { default: make } = await import("postgres")
  const options = {
    types,
    fetch_types: false,
    connect_timeout: promptSeconds,
    keep_alive: 10,
    backoff: () => 0.1,
    onnotice: () => undefined,
    connection: {
      application_name: "mfg-mock",
      TimeZone: "UTC",
      DateStyle: "ISO, YMD",
      statement_timeout: statementMillis,
      idle_in_transaction_session_timeout: 2 * statementMillis
    }
  } satisfies postgres.Options<Record<string, postgres.PostgresType>>
  // A socket that receives nothing for longer than the statement timeout has lost its connection.
  const sockets = PostgresSockets.make(statementMillis, (responseMillis - statementMillis) / 2)
  const asideSockets = PostgresSockets.make(0, 1000)
  // The driver's types lack the option `socket`.
  const over = ({ open }: PostgresSockets.PostgresSockets): object => ({ socket: open })
  const sql = make(url, { ...options, ...over(sockets), max: connections })
  const aside = make(url, { ...options, ...over(asideSockets), max: 1, idle_timeout: 5 })
  const isPrepared = admission()

  const { track, drain } = InFlight.make()

  /** Waits for a response with a timeout, after which it calls `lose`. */
  const within = <A>(millis: number, response: Promise<A>, lose: (error: PostgresError) => void): Promise<A> =>
    new Promise((resolve, reject) => {
      const late = () => {
        const error = overdue()
        lose(error)
        reject(error)
      }
      const timer = setTimeout(late, millis)
      response.then(resolve, reject).finally(() => clearTimeout(timer))
    })

  /** Waits for a response. After its timeout, the connections without traffic are closed. */
  const awaited = <A>(response: Promise<A>, lose?: (error: PostgresError) => void): Promise<A> =>
    within(responseMillis, response, (error) => {
      lose?.(error)
      sockets.dropSilent()
    })

  const on = (sql: Pick<postgres.ISql, "unsafe">, lose?: (error: PostgresError) => void): Connection => ({
    execute: async ({ parameters, text }) => {
      try {
        // The types above convert every value to text, a number or null.
        return await awaited(sql.unsafe(text, [...parameters], { prepare: isPrepared(text) }).values(), lose)
      } catch (error) {
        return await rethrow(error)
      }
    },
    script: async (text) => {
      try {
        await sql.unsafe(text)
      } catch (error) {
        return await rethrow(error)
      }
    }
  })

  /** Guards the connection of a transaction: after its loss, a statement would break the driver. */
  const guarded = (connection: Connection) => {
    let loss: PostgresError | undefined
    const lose = (error: unknown) => {
      const known = failure(error)
      if (known.isConnectionFailure) loss ??= known
      throw known
    }
    const guard =
      <A extends ReadonlyArray<unknown>, B>(run: (...parameters: A) => Promise<B>) =>
      (...parameters: A): Promise<B> =>
        loss === undefined ? run(...parameters).catch(lose) : Promise.reject(loss)
    return {
      connection: { execute: guard(connection.execute), script: guard(connection.script) },
      lose,
      isLost: () => loss !== undefined
    }
  }

  const transaction: PostgresDriver["transaction"] = async (body, mode = "") => {
    const undone = new Error("undone")
    let outcome: Awaited<ReturnType<typeof body>> | undefined
    let lose: (error: PostgresError) => void = () => undefined
    let open: () => void = () => undefined
    const lost = new Promise<never>((_, reject) => (lose = reject))
    const opened = new Promise<void>((resolve) => (open = resolve))
    const begun = sql.begin(mode, async (reserved) => {
      open()
      const { connection, isLost, lose: close } = guarded(on(reserved, lose))
      begun.catch(close).catch(() => undefined)
      try {
        outcome = await body(connection)
      } finally {
        // Without a connection the driver must not send COMMIT or ROLLBACK. The loss has failed the transaction already.
        if (isLost()) await new Promise<never>(() => undefined)
      }
      // The response to COMMIT has the same timeout.
      awaited(begun, lose).catch(() => undefined)
      if (Either.isLeft(outcome)) throw undone
    })
    try {
      await awaited(Promise.race([opened, begun, lost]), lose)
      await Promise.race([begun, lost])
    } catch (error) {
      if (error !== undone) return rethrow(error)
    }
    if (outcome === undefined) throw new Error("the transaction has no outcome")
    return outcome
  }

  const connection = on(sql)
  return {
    execute: (statement) => track(() => connection.execute(statement)),
    script: (text) => track(() => connection.script(text)),
    transaction: (body, mode) => track(() => transaction(body, mode)),
    probe: () => within(promptSeconds * 1000, on(aside).script("SELECT 1"), asideSockets.dropSilent),
    listen: async (channel, onPayload, onReady) => {
      await sql.listen(channel, onPayload, onReady)
    },
    close: async (seconds) => {
      await drain(seconds * 1000)
      // A timeout of 0 fails the waiting statements: by default the driver would wait for connections that it opens.
      await Promise.all([sql.end({ timeout: 0 }), aside.end({ timeout: 0 })])
      sockets.close()
      asideSockets.close()
    }
  }
}
