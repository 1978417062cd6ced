/**
 * Lists the migrations of a store: numbered steps, each with its SQL for SQLite and for PostgreSQL.
 *
 * A store on PostgreSQL is migrated while instances of the last release serve it, so a migration of a released schema
 * adds: tables, columns that may be null or have a constant default, and indexes, which are built apart. It neither
 * rewrites nor reads a table under a lock. A later release, whose `serves` names the release before it, removes what no
 * instance uses any more.
 */
import { sqlite as initialSqlite } from "./0001_initial.ts"
import { postgres as initialPostgres } from "./0001_initial_postgres.ts"
import { sqlite as historySqlite } from "./0002_history.ts"
import { postgres as historyPostgres } from "./0002_history_postgres.ts"

export interface Migration {
  readonly number: number
  readonly name: string
  readonly sqlite: string
  readonly postgres: string
  /** The indexes of PostgreSQL, which are built after the migration while others write. */
  readonly indexes?: ReadonlyArray<Index>
  /** The schema of the oldest version that serves a store with this migration. */
  readonly serves: number
}

/** An index of an existing table. */
export interface Index {
  readonly name: string
  /** The table and the columns, such as `"holiday" ("_tenant", "date")`. */
  readonly on: string
  readonly isUnique?: boolean
}

/** All migrations, the first one first. */
export const migrations: ReadonlyArray<Migration> = [
  { number: 1, name: "initial", sqlite: initialSqlite, postgres: initialPostgres, serves: 1 },
  { number: 2, name: "history", sqlite: historySqlite, postgres: historyPostgres, serves: 2 }
]

/** The number of the schema that this version writes. */
export const latest = migrations.length

/** The migrations that a store of the schema `number` lacks. */
export const after = (schema: number, all = migrations): ReadonlyArray<Migration> =>
  all.filter(({ number }) => number > schema)
