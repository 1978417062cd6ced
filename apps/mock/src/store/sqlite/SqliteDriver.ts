/**
 * The embedded database: one connection that owns its file. The only import of libsql, whose rules live here, each
 * with a test: a parameter that is not text, number or null ends the process, and so does a question to a closed
 * database; missing parameters count as null and surplus ones as nothing; a second statement in a text is dropped; a
 * `get` that failed once fails forever, so its statement is prepared anew; closing leaves prepared statements at work
 * and the file locked.
 */
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import Database from "libsql"
import type { Rows } from "../../sql/Change.ts"
import type { Statement, Value } from "../../sql/Statement.ts"
import * as StatementCache from "../StatementCache.ts"

/** What SQLite said: its extended code, such as `SQLITE_CONSTRAINT_UNIQUE`, and its words. */
export class SqliteError extends Data.TaggedError("SqliteError")<{ readonly code: string; readonly message: string }> {
  /** Whether the medium failed (full, broken, locked, gone) and not the statement. */
  get isStorageFailure(): boolean {
    return storageFailureCodes.some((code) => this.code === code || this.code.startsWith(`${code}_`))
  }
}

const storageFailureCodes = [
  "SQLITE_BUSY",
  "SQLITE_LOCKED",
  "SQLITE_NOMEM",
  "SQLITE_READONLY",
  "SQLITE_INTERRUPT",
  "SQLITE_IOERR",
  "SQLITE_CORRUPT",
  "SQLITE_FULL",
  "SQLITE_CANTOPEN",
  "SQLITE_PROTOCOL",
  "SQLITE_NOTADB"
]

export interface SqliteDriver {
  /** Runs one statement and answers its rows; none where the statement has none. */
  readonly execute: (statement: Statement) => Rows
  /** Runs literal SQL of any number of statements. */
  readonly script: (sql: string) => void
  readonly inTransaction: () => boolean
  /** Leaves one complete file behind and gives up its lock. */
  readonly close: () => void
}

interface Prepared {
  readonly count: number
  readonly execute: (parameters: Statement["parameters"]) => Rows
  /** The first row alone, in half the time. A statement that failed so is not to be used again. */
  readonly first: (parameters: Statement["parameters"]) => Rows
}

const quoted = /'[^']*'|"[^"]*"/g

const prepare =
  (database: Database.Database) =>
  (text: string): Prepared => {
    const bare = text.replaceAll(quoted, "")
    if (/;\s*\S/.test(bare)) throw new RangeError("a text holds one statement; the driver would drop the others")
    const statement = database.prepare<Array<Statement["parameters"]>>(text)
    const reader = statement.reader
    if (reader) statement.raw(true)
    const count = bare.split("?").length - 1
    if (!reader) {
      const run = (parameters: Statement["parameters"]) => {
        statement.run(parameters)
        return []
      }
      return { count, execute: run, first: run }
    }
    // Rows come as arrays in raw mode; the driver's types cannot know it.
    return {
      count,
      execute: (parameters) => statement.all(parameters) as Array<Array<Value>>,
      first: (parameters) => {
        const row = statement.get(parameters) as Array<Value> | undefined
        return row === undefined ? [] : [row]
      }
    }
  }

const check = (parameters: Statement["parameters"], count: number) => {
  if (parameters.length !== count) {
    throw new RangeError(`the statement takes ${count} parameters and was given ${parameters.length}`)
  }
  for (const parameter of parameters) {
    if (typeof parameter !== "string" && typeof parameter !== "number" && parameter !== null) {
      throw new TypeError(`a parameter is text, a number or null, not ${typeof parameter}`)
    }
  }
}

const guarded = <A>(body: () => A): A => {
  try {
    return body()
  } catch (error) {
    throw error instanceof Database.SqliteError ? new SqliteError({ code: error.code, message: error.message }) : error
  }
}

/**
 * Opens a file, or `:memory:`, and takes it: as long as it is open, no other process can read or write it, and when
 * the process dies the system lets it go. Throws a {@link SqliteError}. What was answered by one that is not durable
 * can be lost with the power.
 */
export const open = (path: string, { durable = true }: { readonly durable?: boolean } = {}): SqliteDriver => {
  const database = guarded(() => new Database(path))
  let isOpen = true
  const statements = StatementCache.make(512, prepare(database))
  const checked = () => {
    if (!isOpen) throw new Error("the database is closed")
    return database
  }
  const execute = ({ isSingle = false, parameters, text }: Statement): Rows =>
    guarded(() => {
      checked()
      const statement = statements.get(text)
      check(parameters, statement.count)
      if (!isSingle) return statement.execute(parameters)
      try {
        return statement.first(parameters)
      } catch (error) {
        statements.drop(text)
        throw error
      }
    })
  const script = (sql: string) => guarded(() => void checked().exec(sql))
  const pragma = (setting: string) => execute({ text: `PRAGMA ${setting}`, parameters: [] })

  const close = () => {
    if (!isOpen) return
    // Statements that are still prepared keep the connection and its lock alive until they are collected; leaving
    // the log behind and the exclusive mode lets go of the file now.
    try {
      if (database.inTransaction) script("ROLLBACK")
      pragma("journal_mode = DELETE")
      pragma("locking_mode = NORMAL")
      execute({ text: "SELECT count(*) FROM sqlite_schema", parameters: [] })
    } finally {
      isOpen = false
      database.close()
    }
  }

  try {
    pragma("busy_timeout = 500")
    // Exclusive before the log is first touched: no shared memory beside the file, and fewer locks per transaction.
    pragma("locking_mode = EXCLUSIVE")
    pragma(durable ? "synchronous = FULL" : "synchronous = OFF")
    pragma(durable ? "journal_mode = WAL" : "journal_mode = MEMORY")
    // In pages: those that many commits change are copied out of the log once for all of them.
    pragma("wal_autocheckpoint = 8192")
    // In KiB, taken as pages are read: with the usual 2 MB a read of a larger store asks the system for its pages.
    pragma("cache_size = -65536")
    pragma("foreign_keys = ON")
    pragma("case_sensitive_like = ON")
    pragma("trusted_schema = OFF")
    // What is learned of a table is learned from a sample of it.
    pragma("analysis_limit = 400")
    // The lock is taken by the first transaction.
    script("BEGIN IMMEDIATE; COMMIT")
  } catch (error) {
    isOpen = false
    database.close()
    throw error
  }
  return { execute, script, inTransaction: () => isOpen && database.inTransaction, close }
}

/** Runs `body` in one transaction: all of it, or nothing when it answers `Left` or throws. */
export const transaction = <A, E>(driver: SqliteDriver, body: () => Either.Either<A, E>): Either.Either<A, E> => {
  driver.script("BEGIN IMMEDIATE")
  try {
    const outcome = body()
    driver.script(Either.isRight(outcome) ? "COMMIT" : "ROLLBACK")
    return outcome
  } catch (error) {
    if (driver.inTransaction()) driver.script("ROLLBACK")
    throw error
  }
}
