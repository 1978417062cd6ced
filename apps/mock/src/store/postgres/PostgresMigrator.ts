/**
 * Migrates a store on PostgreSQL to this version: one instance at a time applies the missing migrations and the
 * constraints of the rule set in one transaction.
 */
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as Either from "effect/Either"
import * as Migration from "../migrations/Migration.ts"
import { type MigrateError, NotAStore, StoreTooNew } from "../OpenError.ts"
import type { Connection, PostgresDriver } from "./PostgresDriver.ts"
import * as PostgresMeta from "./PostgresMeta.ts"
import * as PostgresRuleSet from "./PostgresRuleSet.ts"
import { quote } from "../RuleSet.ts"

/** Creates the first schema of the search path, if it does not exist. */
const createSchema = async (connection: Connection): Promise<void> => {
  const [row] = await connection.execute({
    text: `SELECT current_schema(), trim(both ' "' from split_part(current_setting('search_path'), ',', 1))`,
    parameters: []
  })
  const [current, wanted] = row ?? []
  if (current === null) await connection.script(`CREATE SCHEMA IF NOT EXISTS ${quote(String(wanted))}`)
}

/** Migrates a store and returns the number of migrations. A new store gets `ruleSet`, an existing one keeps its own. */
export const migrate = (
  driver: PostgresDriver,
  { ruleSet, store }: { readonly store: string; readonly ruleSet: RuleSet }
): Promise<Either.Either<number, MigrateError>> =>
  driver.transaction<number, MigrateError>(async (connection) => {
    // The schema may not exist yet, so the lock covers the database.
    await connection.script(`SET LOCAL statement_timeout = 0;
      SELECT pg_advisory_xact_lock(hashtextextended('mfgdata', 0))`)
    await createSchema(connection)
    const [row] = await connection.execute({
      text: `SELECT count(*), count(*) FILTER (WHERE relname = '_meta'), current_setting('server_encoding')
        FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm')`,
      parameters: []
    })
    const [tables, metas, encoding] = row ?? []
    const isNew = metas === 0
    if (encoding !== "UTF8" || (isNew && tables !== 0)) return Either.left(new NotAStore({ store }))
    const schema = isNew ? 0 : await PostgresMeta.schema(connection)
    if (schema > Migration.latest) {
      return Either.left(new StoreTooNew({ store, found: schema, known: Migration.latest }))
    }
    const pending = Migration.after(schema)
    for (const { postgres } of pending) await connection.script(postgres)
    if (pending.length > 0) await PostgresMeta.setSchema(connection, Migration.latest)
    const rules = isNew ? ruleSet : await PostgresMeta.ruleSet(connection)
    return Either.map(await PostgresRuleSet.apply(connection, rules), () => pending.length)
  })
