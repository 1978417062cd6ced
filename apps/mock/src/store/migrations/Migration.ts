/**
 * Lists the migrations of a store: numbered steps, each with its SQL for SQLite and for PostgreSQL.
 */
import { sqlite as initialSqlite } from "./0001_initial.ts"
import { postgres as initialPostgres } from "./0001_initial_postgres.ts"

export interface Migration {
  readonly number: number
  readonly name: string
  readonly sqlite: string
  readonly postgres: string
}

/** All migrations, the first one first. */
export const migrations: ReadonlyArray<Migration> = [
  { number: 1, name: "initial", sqlite: initialSqlite, postgres: initialPostgres }
]

/** The number of the schema that this version writes. */
export const latest = migrations.length

/** The migrations that a store of the schema `number` lacks. */
export const after = (schema: number): ReadonlyArray<Migration> => migrations.filter(({ number }) => number > schema)
