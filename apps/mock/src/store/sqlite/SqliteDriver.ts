/**
 * The driver of the embedded database: the connection of the process that writes its file, and reads what is small. It
 * avoids these defects of libsql, each with a test: a parameter that is not text, a number or null ends the process, as does a query
 * on a closed database; missing parameters are null and surplus ones are ignored; a second statement in a text is
 * dropped; a statement whose `get` has failed keeps failing until it is prepared again; a text that is not UTF-8 ends the
 * process; and closing keeps prepared statements, and with them the locks of the file. One file, because all of them concern the
 * same connection.
 */
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import Database from "libsql"
import type { Rows } from "../../sql/Change.ts"
import type { Statement, Value } from "../../sql/Statement.ts"
import * as StatementCache from "../StatementCache.ts"
import * as GuardedText from "./GuardedText.ts"
import * as SharedReads from "./SharedReads.ts"
import * as StoreLock from "./file/StoreLock.ts"

/** An error of SQLite: its extended code, such as `SQLITE_CONSTRAINT_UNIQUE`, and its message. */
export class SqliteError extends Data.TaggedError("SqliteError")<{ readonly code: string; readonly message: string }> {
  /** Reports whether the storage failed (full, corrupt, locked or missing) and not the statement. */
  get isStorageFailure(): boolean {
    return storageFailureCodes.some((code) => this.code === code || this.code.startsWith(`${code}_`))
  }
  /** Reports whether a text could not be read, which says nothing on other rows. */
  get isDamagedText(): boolean {
    return this.code === damagedText
  }
}

const damagedText = "SQLITE_CORRUPT_TEXT"

/** Throws the error of a text that cannot be read. */
const failText = (): never => {
  throw new SqliteError({ code: damagedText, message: "a text is not valid UTF-8" })
}

/** Decodes the rows of a guarded statement. */
export const decodeRows = (rows: ReadonlyArray<ReadonlyArray<GuardedText.Bytes>>): Rows =>
  GuardedText.decode(rows, failText)

/** Set when every text of the store is known to be readable, so that it is read without a check. */
export interface Trust {
  isTrusted: boolean
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
  /** Runs a query, in a transaction that the queries of this turn of the event loop share. */
  readonly read: (statement: Statement) => Rows
  /** Runs literal SQL of any number of statements. */
  readonly script: (sql: string) => void
  readonly inTransaction: () => boolean
  /** Closes the database: its file is then complete and unlocked. */
  readonly close: () => void
  /** Leaves a database whose file was replaced, without touching the files at its path. */
  readonly abandon: () => void
}

interface Prepared {
  readonly count: number
  readonly execute: (parameters: Statement["parameters"]) => Rows
  /** Returns only the first row, in half the time. After a failure the statement must not be used again. */
  readonly first: (parameters: Statement["parameters"]) => Rows
}

const quoted = /'[^']*'|"[^"]*"/g

const prepare =
  (database: Database.Database, trust: Trust) =>
  (text: string): Prepared => {
    const bare = text.replaceAll(quoted, "")
    if (/;\s*\S/.test(bare)) throw new RangeError("a text holds one statement; the driver would drop the others")
    const statement = database.prepare<Array<Statement["parameters"]>>(text)
    const reader = statement.reader
    if (reader) statement.raw(true)
    const count = bare.split("?").length - 1
    if (reader && !trust.isTrusted)
      return guardedStatement(database, GuardedText.rewrite(text, statement.columns().length), count)
    // Rows are arrays in raw mode, which the driver's types do not express.
    return {
      count,
      execute: (parameters) => {
        if (reader) return statement.all(parameters) as Array<Array<Value>>
        statement.run(parameters)
        return []
      },
      first: (parameters) => {
        const row = statement.get(parameters) as Array<Value> | undefined
        return row === undefined ? [] : [row]
      }
    }
  }

/** A statement whose texts are returned as bytes. */
const guardedStatement = (database: Database.Database, text: string, count: number): Prepared => {
  const statement = database.prepare<Array<Statement["parameters"]>>(text)
  statement.raw(true)
  // As above.
  const all = (parameters: Statement["parameters"]) => statement.all(parameters) as Array<Array<GuardedText.Bytes>>
  return {
    count,
    execute: (parameters) => decodeRows(all(parameters)),
    first: (parameters) => decodeRows(all(parameters).slice(0, 1))
  }
}

/** The characters of parameters. Throws for a parameter of a type that would end the process. */
export const check = (parameters: Statement["parameters"]): number => {
  let characters = 0
  for (const parameter of parameters) {
    if (typeof parameter === "string") characters += parameter.length
    else if (typeof parameter !== "number" && parameter !== null) {
      throw new TypeError(`a parameter is text, a number or null, not ${typeof parameter}`)
    }
  }
  return characters
}

const guarded = <A>(body: () => A): A => {
  try {
    return body()
  } catch (error) {
    throw error instanceof Database.SqliteError ? new SqliteError({ code: error.code, message: error.message }) : error
  }
}

export interface Options {
  /**
   * Keeps a complete file after a loss of power (default true); commits are durable after the next sync of the log.
   */
  readonly durable?: boolean
  /** Locks the file for this process (default: if it is durable). */
  readonly isLocked?: boolean
  /** The memory that the caches of all databases of the process keep to (default: as set before, or unlimited). */
  readonly memoryBytes?: number
  /** The size of the page cache (default: a quarter of the memory, if it is given, and at most 32 MB). */
  readonly cacheKiB?: number
  /** The number of cached statements (default 512). */
  readonly statements?: number
  /** Shared by the connections of a store (default: its texts are checked). */
  readonly trust?: Trust
}

/**
 * The maximum characters of a cached statement, and of its parameters: it keeps both, and all cached statements must fit
 * the memory.
 */
const maxCachedCharacters = 16_384

/** Runs statements on an open database, until it is closed. */
const connection = (database: Database.Database, trust: Trust, capacity = 512) => {
  let isOpen = true
  const prepared = prepare(database, trust)
  const cache = () => StatementCache.make(capacity, prepared)
  let statements = cache()
  let { isTrusted } = trust
  const checked = () => {
    if (!isOpen) throw new Error("the database is closed")
    return database
  }
  const attempt = ({ isSingle = false, parameters, text }: Statement): Rows => {
    checked()
    if (trust.isTrusted !== isTrusted) {
      isTrusted = trust.isTrusted
      statements = cache()
    }
    const isCached = check(parameters) <= maxCachedCharacters && text.length <= maxCachedCharacters
    if (!isCached) statements.drop(text)
    const statement = isCached ? statements.get(text) : prepared(text)
    if (parameters.length !== statement.count) {
      throw new RangeError(`the statement takes ${statement.count} parameters and was given ${parameters.length}`)
    }
    if (!isSingle) return statement.execute(parameters)
    try {
      return statement.first(parameters)
    } catch (error) {
      statements.drop(text)
      throw error
    }
  }
  const execute = (statement: Statement): Rows => guarded(() => attempt(statement))
  return {
    execute,
    script: (sql: string) => guarded(() => void checked().exec(sql)),
    inTransaction: () => isOpen && database.inTransaction,
    isOpen: () => isOpen,
    stop: () => void (isOpen = false),
    end: () => {
      isOpen = false
      database.close()
    }
  }
}

/**
 * Opens a file, or `:memory:`, and locks it: until it is closed or the process ends, no other process can open it. Throws
 * a {@link SqliteError}.
 */
export const open = (
  path: string,
  {
    durable = true,
    isLocked = durable,
    memoryBytes,
    cacheKiB = Math.floor(Math.min(32_768, (memoryBytes ?? Infinity) / 1024 / 4)),
    statements,
    trust = { isTrusted: false }
  }: Options = {}
): SqliteDriver => {
  const unlock = isLocked && path !== ":memory:" ? guarded(() => StoreLock.acquire(path)) : () => undefined
  const opened = () => {
    try {
      return guarded(() => new Database(path))
    } catch (error) {
      unlock()
      throw error
    }
  }
  const { end, isOpen, stop, ...plain } = connection(opened(), trust, statements)
  const reads = SharedReads.make(plain)
  const execute = (statement: Statement): Rows => {
    reads.end()
    return plain.execute(statement)
  }
  const script = (sql: string) => {
    reads.end()
    plain.script(sql)
  }
  const inTransaction = () => !reads.isOpen() && plain.inTransaction()
  const pragma = (setting: string) => execute({ text: `PRAGMA ${setting}`, parameters: [] })

  const close = () => {
    if (!isOpen()) return
    // Prepared statements keep the connection and its locks until they are garbage collected. Leaving the write-ahead log
    // completes and releases the file immediately.
    try {
      if (inTransaction()) script("ROLLBACK")
      pragma("journal_mode = DELETE")
      // The pages and the schema, about a megabyte, would be kept as long as the statements.
      script("PRAGMA shrink_memory; PRAGMA writable_schema = RESET")
    } catch (error) {
      // The file was removed, for example, or is in use: the log stays next to it, and is complete.
      if (!(error instanceof SqliteError)) throw error
    } finally {
      end()
      unlock()
    }
  }

  try {
    // One script, because a prepared statement takes several times as long as its pragma.
    script(`PRAGMA busy_timeout = 500;
      -- Before the first page is written: free pages can be returned to the system.
      PRAGMA auto_vacuum = INCREMENTAL;
      -- The log is synced after a commit and not in it, off the event loop. Checkpoints sync always.
      PRAGMA synchronous = ${durable ? "NORMAL" : "OFF"};
      PRAGMA journal_mode = WAL;
      PRAGMA wal_autocheckpoint = 0;
      -- Near this size, caches replace their pages instead of growing. A hard limit would change data: libsql ignores that
      -- a parameter could not be copied, and writes null.
      ${memoryBytes === undefined ? "" : `PRAGMA soft_heap_limit = ${memoryBytes};`}
      -- Allocated as pages are read. With the default of 2 MB, a larger store reads its pages from the system.
      PRAGMA cache_size = ${-cacheKiB};
      PRAGMA foreign_keys = ON;
      PRAGMA case_sensitive_like = ON;
      PRAGMA trusted_schema = OFF;
      -- The statistics of a table are computed from a sample.
      PRAGMA analysis_limit = 400`)
    // The first transaction fails for a file that is not a database, or not writable.
    script("BEGIN IMMEDIATE; COMMIT")
  } catch (error) {
    end()
    unlock()
    throw error
  }
  /** Closing would remove the log next to the path, which may be that of another process. */
  const abandon = () => {
    if (!isOpen()) return
    abandoned.push(plain)
    stop()
    unlock()
  }
  return { execute, read: reads.read, script, inTransaction, close, abandon }
}

/** Databases that must not be garbage collected, which would close them. */
const abandoned: Array<unknown> = []

/** The settings of a connection that attaches the file of an open store, and reads its last committed state. */
export const attach = (path: string, cacheKiB: number): string => `ATTACH '${path.replaceAll("'", "''")}' AS store;
  PRAGMA busy_timeout = 500;
  PRAGMA store.cache_size = ${-cacheKiB};
  PRAGMA case_sensitive_like = ON;
  PRAGMA trusted_schema = OFF`

/** Opens a second connection to the file of an open store, which reads its last committed state. */
export const openReader = (
  path: string,
  cacheKiB: number,
  trust: Trust = { isTrusted: false }
): Pick<SqliteDriver, "execute" | "close"> => {
  const { end, execute, isOpen, script } = connection(new Database(":memory:"), trust)
  const close = () => {
    if (!isOpen()) return
    try {
      // The file is attached because detaching releases it, unlike closing.
      script("DETACH store")
    } finally {
      end()
    }
  }
  try {
    script(`${attach(path, cacheKiB)}; PRAGMA query_only = ON`)
  } catch (error) {
    end()
    throw error
  }
  return { execute, close }
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
