/**
 * The driver of the embedded database: one connection, which owns its file. It is the only import of libsql, and avoids
 * these defects of it, each with a test: a parameter that is not text, a number or null ends the process, as does a query
 * on a closed database; missing parameters are null and surplus ones are ignored; a second statement in a text is
 * dropped; a statement whose `get` has failed keeps failing until it is prepared again; and closing keeps prepared
 * statements, and with them the lock of the file.
 */
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import Database from "libsql"
import type { Rows } from "../../sql/Change.ts"
import type { Statement, Value } from "../../sql/Statement.ts"
import * as StatementCache from "../StatementCache.ts"

/** An error of SQLite: its extended code, such as `SQLITE_CONSTRAINT_UNIQUE`, and its message. */
export class SqliteError extends Data.TaggedError("SqliteError")<{ readonly code: string; readonly message: string }> {
  /** Reports whether the storage failed (full, corrupt, locked or missing) and not the statement. */
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
  /** Runs one statement and returns its rows, if it has any. */
  readonly execute: (statement: Statement) => Rows
  /** Runs literal SQL of any number of statements. */
  readonly script: (sql: string) => void
  readonly inTransaction: () => boolean
  /** Closes the database: its file is then complete and unlocked. */
  readonly close: () => void
}

interface Prepared {
  readonly count: number
  readonly execute: (parameters: Statement["parameters"]) => Rows
  /** Returns only the first row, in half the time. After a failure the statement must not be used again. */
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
    // Rows are arrays in raw mode, which the driver's types do not express.
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
 * Opens a file, or `:memory:`, and locks it: until it is closed or the process ends, no other process can read or write
 * it. Throws a {@link SqliteError}. Without `durable`, a loss of power may lose committed changes.
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
    // Prepared statements keep the connection and its lock until they are garbage collected. Leaving the write-ahead log
    // and the exclusive mode releases the file immediately.
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
    // Set before the first use of the log, so that there is no shared memory file, and fewer locks per transaction.
    pragma("locking_mode = EXCLUSIVE")
    pragma(durable ? "synchronous = FULL" : "synchronous = OFF")
    pragma(durable ? "journal_mode = WAL" : "journal_mode = MEMORY")
    // In pages. A page that many commits have changed is copied from the log once.
    pragma("wal_autocheckpoint = 8192")
    // In KiB, allocated as pages are read. With the default of 2 MB, a larger store reads its pages from the system.
    pragma("cache_size = -65536")
    pragma("foreign_keys = ON")
    pragma("case_sensitive_like = ON")
    pragma("trusted_schema = OFF")
    // The statistics of a table are computed from a sample.
    pragma("analysis_limit = 400")
    // The first transaction takes the lock.
    script("BEGIN IMMEDIATE; COMMIT")
  } catch (error) {
    isOpen = false
    database.close()
    throw error
  }
  return { execute, script, inTransaction: () => isOpen && database.inTransaction, close }
}

/** Runs `body` in a transaction, which is rolled back when it returns `Left` or throws. */
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
