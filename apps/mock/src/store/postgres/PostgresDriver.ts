/**
 * The pool of connections to PostgreSQL, and the only import of its driver, which is loaded when a pool is opened.
 * Rules that live here, each with a test: nothing is read or written by the driver's own ideas of types; a text is
 * prepared when it comes a second time, and no more of them than a connection should hold; what the server says of a
 * value is not repeated.
 */
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import type postgres from "postgres"
import type { Rows } from "../../sql/Change.ts"
import type { Statement } from "../../sql/Statement.ts"
import * as PostgresSockets from "./PostgresSockets.ts"
import * as StatementCache from "../StatementCache.ts"
import * as InFlight from "./InFlight.ts"

/** What PostgreSQL said, or the way to it: a SQLSTATE or the system's code, and words without values. */
export class PostgresError extends Data.TaggedError("PostgresError")<{
  readonly code: string
  readonly message: string
  readonly table: string | undefined
  readonly constraint: string | undefined
  /** The columns of a key that stood against a constraint. */
  readonly columns: ReadonlyArray<string>
  /** Whether the connection failed, and not what was asked of the server. */
  readonly isConnectionFailure: boolean
}> {
  /** Whether the server is gone, or no place to write: shutting down, out of connections, a standby. */
  get isLost(): boolean {
    return /^(08|57P|53300|25006|28|3D|E[A-Z]{2}|CONNECT)/.test(this.code)
  }
  /** Whether the same again may succeed: the statement stood in another's way. */
  get isTransient(): boolean {
    return this.code === "40001" || this.code === "40P01"
  }
  /** Whether the server gave up, for lack of time or of room. */
  get isExhausted(): boolean {
    return this.code === "57014" || this.code === "55P03" || /^(53|58)/.test(this.code)
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** `Key (_tenant, _hash("clientId"))=(…)`: the names alone. */
const columnsOf = (detail = ""): ReadonlyArray<string> => {
  const [, names] = /\(([^=]*)\)=\(/.exec(detail) ?? []
  return names === undefined ? [] : names.split(", ").map((name) => name.replaceAll(/^_hash\(|[")]/g, ""))
}

/** An error of the driver as ours; what is no error of its is thrown on. */
const failure = (error: unknown): PostgresError => {
  if (error instanceof PostgresError) return error
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") throw error
  const facts: { readonly [name: string]: unknown } = { ...error }
  const { code } = error
  return new PostgresError({
    code,
    // What is wrong with a value is told with the value.
    message: `${code}: ${code.startsWith("22") ? error.message.split(":", 1)[0] : error.message}`,
    table: textOf(facts["table_name"]),
    constraint: textOf(facts["constraint_name"]),
    columns: columnsOf(textOf(facts["detail"])),
    // What the server says has a severity; a word of the driver's about a statement is none about the way.
    isConnectionFailure: facts["severity"] === undefined && /^(E[A-Z]|CONNECT)/.test(code)
  })
}

/**
 * Throws an error as ours. A loss comes with others, and the driver never uses a connection again of which it is asked
 * something while it is being closed; so it is told when they have all been closed.
 */
const rethrow = async (error: unknown): Promise<never> => {
  const known = failure(error)
  if (known.isConnectionFailure) await new Promise((resolve) => setTimeout(resolve, 0))
  throw known
}

/** Where statements run: any connection, or the one of a transaction. */
export interface Connection {
  readonly execute: (statement: Statement) => Promise<Rows>
  /** Runs literal SQL of any number of statements. */
  readonly script: (sql: string) => Promise<void>
}

export interface PostgresDriver extends Connection {
  /** Runs `body` in one transaction: all of it, or nothing when it answers `Left` or fails. */
  readonly transaction: <A, E>(
    body: (connection: Connection) => Promise<Either.Either<A, E>>,
    mode?: string
  ) => Promise<Either.Either<A, E>>
  /** Asks for nothing, by a connection of its own. */
  readonly probe: () => Promise<void>
  /** Hears a channel; `onReady` whenever it has begun to, also after a loss. */
  readonly listen: (channel: string, onPayload: (payload: string) => void, onReady: () => void) => Promise<void>
  /** Finishes what was asked, for so long, and closes every connection. */
  readonly close: (seconds: number) => Promise<void>
}

const asText = (value: unknown): string => String(value)

/** Types by their numbers. Whole numbers of the service stay below what doubles count. */
const types = {
  number: { to: 20, from: [20, 21, 23, 26, 700, 701, 1700], serialize: asText, parse: Number },
  boolean: { to: 16, from: [16], serialize: asText, parse: (value: string) => (value === "t" ? 1 : 0) },
  text: { to: 114, from: [17, 114, 1082, 1114, 1184, 3802], serialize: asText, parse: asText }
}

/** How many statements a connection keeps prepared, and among how many a second coming is noticed. */
const capacity = { prepared: 512, seen: 4096 }

const overdue = (): PostgresError =>
  new PostgresError({
    code: "ETIMEDOUT",
    message: "ETIMEDOUT: the server has not answered in the time that it has for a statement",
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

/** How long to wait for a connection, or for an answer that costs nothing. */
const promptSeconds = 5

/** Where a database is, how many connections to hold, and how long a statement may take. */
export interface Options {
  readonly url: string
  readonly connections: number
  readonly statementMillis: number
  /** How long an answer is waited for: longer than the server gives a statement, so that it was lost on the way. */
  readonly answerMillis: number
}

/** Opens a pool; its connections are made when they are needed. */
export const open = async ({ answerMillis, connections, statementMillis, url }: Options): Promise<PostgresDriver> => {
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
  // A socket that was silent for longer than a statement may take has lost its way.
  const sockets = PostgresSockets.make(statementMillis, (answerMillis - statementMillis) / 2)
  const asideSockets = PostgresSockets.make(0, 1000)
  // Its types do not know of `socket`.
  const over = ({ open }: PostgresSockets.PostgresSockets): object => ({ socket: open })
  const sql = make(url, { ...options, ...over(sockets), max: connections })
  const aside = make(url, { ...options, ...over(asideSockets), max: 1, idle_timeout: 5 })
  const isPrepared = admission()

  const { track, drain } = InFlight.make()

  /** Waits for an answer of the server's so long; `lose` hears of one that is overdue. */
  const within = <A>(millis: number, answer: Promise<A>, lose: (error: PostgresError) => void): Promise<A> =>
    new Promise((resolve, reject) => {
      const late = () => {
        const error = overdue()
        lose(error)
        reject(error)
      }
      const timer = setTimeout(late, millis)
      answer.then(resolve, reject).finally(() => clearTimeout(timer))
    })

  /** Waits for an answer as long as it can take. One that is lost takes its connection along. */
  const awaited = <A>(answer: Promise<A>, lose?: (error: PostgresError) => void): Promise<A> =>
    within(answerMillis, answer, (error) => {
      lose?.(error)
      sockets.dropSilent()
    })

  const on = (sql: Pick<postgres.ISql, "unsafe">, lose?: (error: PostgresError) => void): Connection => ({
    execute: async ({ parameters, text }) => {
      try {
        // The types above make every value text, a number or null.
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

  /** The connection of a transaction as long as there is one: the driver does not survive what is asked of none. */
  const guarded = (connection: Connection) => {
    let loss: PostgresError | undefined
    const lose = (error: unknown) => {
      const known = failure(error)
      if (known.isConnectionFailure) loss ??= known
      throw known
    }
    const guard =
      <A extends ReadonlyArray<unknown>, B>(ask: (...asked: A) => Promise<B>) =>
      (...asked: A): Promise<B> =>
        loss === undefined ? ask(...asked).catch(lose) : Promise.reject(loss)
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
        // Where there is no connection the driver must not go on to end what was begun; it has heard of the loss.
        if (isLost()) await new Promise<never>(() => undefined)
      }
      // The end is an answer of the server's too.
      awaited(begun, lose).catch(() => undefined)
      if (Either.isLeft(outcome)) throw undone
    })
    try {
      await awaited(Promise.race([opened, begun, lost]), lose)
      await Promise.race([begun, lost])
    } catch (error) {
      if (error !== undone) return rethrow(error)
    }
    if (outcome === undefined) throw new Error("the transaction came to nothing")
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
      // What still waits is given up; the driver's own end would wait for connections that it is about to make.
      await Promise.all([sql.end({ timeout: 0 }), aside.end({ timeout: 0 })])
      sockets.close()
      asideSockets.close()
    }
  }
}
