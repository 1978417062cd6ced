/**
 * Opens further connections to the file of a store, whose statements run on threads of the driver. It avoids these
 * defects of libsql, each with a test: only the first row is computed off the event loop, so a query returns one; the
 * garbage collection of a statement blocks the event loop while its connection works, so a connection keeps its
 * statements, and is replaced when it has too many; and a closed connection keeps the locks of its file, so the file is
 * attached, and detached before closing.
 */
import Database from "libsql"
import type { Rows } from "../../../sql/Change.ts"
import type { Statement } from "../../../sql/Statement.ts"
import { type Bytes, rewrite } from "../GuardedText.ts"
import { attach, check, decodeRows, SqliteError, type Trust } from "../SqliteDriver.ts"
import * as ThreadPriority from "./ThreadPriority.ts"

export interface Options {
  readonly durable: boolean
  readonly isReadOnly: boolean
  /** The size of the page cache. */
  readonly cacheKiB: number
  /** The number of connections that work at the same time; the first connection of the process decides. */
  readonly threads: number
  /** Shared by the connections of the store (default: its texts are checked). */
  readonly trust?: Trust
}

export interface AsyncConnection {
  /** Runs literal SQL, in which the store is the schema `store`. */
  readonly script: (sql: string) => Promise<void>
  /** Runs a query that returns one row. */
  readonly query: (statement: Statement) => Promise<Rows>
  /** Fails the running query with `SQLITE_INTERRUPT`. */
  readonly interrupt: () => void
  /** Reports whether the connection keeps too many statements and should be replaced. */
  readonly isWorn: () => boolean
  /** Releases the file; call it when no query runs. */
  readonly close: () => Promise<void>
}

/** The part of `libsql/promise` in use, whose own types are `any`. */
interface AsyncStatement {
  readonly raw: (isRaw: boolean) => void
  readonly columns: () => ReadonlyArray<unknown>
  readonly all: (parameters: Statement["parameters"]) => Promise<Array<Array<Bytes>>>
}

interface AsyncDatabase {
  readonly exec: (sql: string) => Promise<unknown>
  readonly prepare: (sql: string) => Promise<AsyncStatement>
  readonly interrupt: () => void
  readonly close: () => void
}

/** The start of the names of the driver's threads. */
const driverThreads = "tokio-runtime"

const maxStatements = 256
const maxCharacters = 1024 * 1024

const guarded = <A>(result: Promise<A>): Promise<A> =>
  result.catch((error: unknown) => {
    throw error instanceof Database.SqliteError ? new SqliteError({ code: error.code, message: error.message }) : error
  })

export const open = async (
  path: string,
  { cacheKiB, durable, isReadOnly, threads, trust = { isTrusted: false } }: Options
): Promise<AsyncConnection> => {
  // A statement occupies a thread of the driver, of which there would be one for each core.
  process.env["TOKIO_WORKER_THREADS"] ??= String(threads)
  // Loaded on demand: a store without large queries needs no threads.
  const { default: Promised } = await import("libsql/promise")
  // The types of the driver are `any`; this module declares what it uses.
  const database = new Promised(":memory:", {}) as unknown as AsyncDatabase
  const kept: Array<AsyncStatement> = []
  const statements = new Map<string, AsyncStatement>()
  let characters = 0
  let isOpen = true

  const script = (sql: string) => guarded(database.exec(sql).then(() => undefined))

  const prepare = async (text: string): Promise<AsyncStatement> => {
    const statement = await database.prepare(text)
    kept.push(statement)
    characters += text.length
    statement.raw(true)
    return statement
  }

  /** A statement whose texts are returned as bytes, unless they are trusted. */
  const prepareFor = async (text: string, isTrusted: boolean): Promise<AsyncStatement> => {
    const statement = await prepare(text)
    return isTrusted ? statement : prepare(rewrite(text, statement.columns().length))
  }

  const query = async ({ parameters, text }: Statement): Promise<Rows> => {
    check(parameters)
    const { isTrusted } = trust
    const key = `${isTrusted} ${text}`
    let statement = statements.get(key)
    if (statement === undefined) statements.set(key, (statement = await guarded(prepareFor(text, isTrusted))))
    try {
      return decodeRows(await guarded(statement.all(parameters)))
    } catch (error) {
      // A failed statement must not be used again.
      statements.delete(key)
      throw error
    }
  }

  try {
    await script(`${attach(path, cacheKiB)};
      PRAGMA store.synchronous = ${durable ? "NORMAL" : "OFF"};
      PRAGMA query_only = ${isReadOnly ? "ON" : "OFF"}`)
  } catch (error) {
    database.close()
    throw error
  }
  ThreadPriority.lower(driverThreads)
  return {
    script,
    query,
    // An interrupt of a closed database ends the process.
    interrupt: () => isOpen && database.interrupt(),
    isWorn: () => kept.length >= maxStatements || characters >= maxCharacters,
    close: async () => {
      isOpen = false
      try {
        await script("DETACH store")
      } finally {
        database.close()
      }
    }
  }
}
