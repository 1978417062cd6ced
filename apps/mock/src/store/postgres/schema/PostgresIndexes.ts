/**
 * Builds the indexes of migrations on PostgreSQL without a lock that keeps others from writing. One that an interrupted
 * build has left invalid is dropped and built again.
 */
import * as Either from "effect/Either"
import { quote } from "../../RuleSet.ts"
import type * as Migration from "../../migrations/Migration.ts"
import type { Connection, PostgresDriver } from "../PostgresDriver.ts"

type Reader = Pick<Connection, "execute">

/** The indexes that are missing or invalid. */
const missing = async (connection: Reader, wanted: ReadonlyArray<Migration.Index>) => {
  const rows = await connection.execute({
    text: `SELECT c.relname, i.indisvalid::integer FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
      WHERE c.relnamespace = current_schema()::regnamespace`,
    parameters: []
  })
  const valid = new Map(rows.map(([name, isValid]) => [String(name), isValid === 1]))
  return wanted
    .filter(({ name }) => valid.get(name) !== true)
    .map((index) => ({ ...index, isInvalid: valid.has(index.name) }))
}

/** Builds the indexes that are missing. `lock` keeps other processes from it in a transaction that reads nothing. */
export const build = async (
  driver: Pick<PostgresDriver, "alone" | "readOnce" | "transaction">,
  migrations: ReadonlyArray<Pick<Migration.Migration, "indexes">>,
  lock: (connection: Connection) => Promise<void>
): Promise<void> => {
  const wanted = migrations.flatMap(({ indexes = [] }) => indexes)
  if (wanted.length === 0 || (await missing({ execute: driver.readOnce }, wanted)).length === 0) return
  await driver.transaction<void, never>(async (connection) => {
    await lock(connection)
    for (const { isInvalid, isUnique = false, name, on } of await missing(connection, wanted)) {
      if (isInvalid) await driver.alone(`DROP INDEX CONCURRENTLY ${quote(name)}`)
      await driver.alone(`CREATE ${isUnique ? "UNIQUE " : ""}INDEX CONCURRENTLY ${quote(name)} ON ${on}`)
    }
    return Either.void
  })
}
