/**
 * Migrates an embedded store to this version: it applies the missing migrations and the constraints of the rule set in
 * one transaction.
 */
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as Either from "effect/Either"
import * as Migration from "../migrations/Migration.ts"
import { type MigrateError, NotAStore, StoreTooNew } from "../OpenError.ts"
import * as SqliteDriver from "./SqliteDriver.ts"
import * as SqliteMeta from "./SqliteMeta.ts"
import * as SqliteRuleSet from "./SqliteRuleSet.ts"

const tables = (driver: SqliteDriver.SqliteDriver) =>
  new Set(
    driver
      .execute({ text: `SELECT "name" FROM sqlite_schema WHERE "type" = 'table'`, parameters: [] })
      .map(([name]) => name)
  )

/** Migrates a store and returns the applied migrations. A new store gets `ruleSet`, an existing one keeps its own. */
export const migrate = (
  driver: SqliteDriver.SqliteDriver,
  options: { readonly store: string; readonly ruleSet: RuleSet }
): Either.Either<ReadonlyArray<Migration.Migration>, MigrateError> =>
  SqliteDriver.transaction<ReadonlyArray<Migration.Migration>, MigrateError>(driver, () => {
    const { ruleSet, store } = options
    const names = tables(driver)
    const isNew = !names.has("_meta")
    if (isNew && names.size > 0) return Either.left(new NotAStore({ store }))
    const found = isNew ? 0 : SqliteMeta.schema(driver)
    if (found > Migration.latest) return Either.left(new StoreTooNew({ store, found, known: Migration.latest }))
    const pending = Migration.after(found)
    for (const { sqlite } of pending) driver.script(sqlite)
    SqliteMeta.setSchema(driver, Migration.latest)
    return Either.map(SqliteRuleSet.apply(driver, isNew ? ruleSet : SqliteMeta.ruleSet(driver)), () => pending)
  })
