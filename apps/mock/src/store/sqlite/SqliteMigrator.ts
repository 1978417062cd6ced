/**
 * Brings a store from whatever version wrote it to this one: numbered migrations of literal SQL, each applied once,
 * all in one transaction together with the rules that lie over the tables.
 */
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as Either from "effect/Either"
import * as initial from "../migrations/0001_initial.ts"
import { NotAStore, type RulesViolated, StoreTooNew } from "../OpenError.ts"
import * as SqliteDriver from "./SqliteDriver.ts"
import * as SqliteMeta from "./SqliteMeta.ts"
import * as SqliteRuleSet from "./SqliteRuleSet.ts"

export interface Migration {
  readonly number: number
  readonly name: string
  readonly sqlite: string
}

/** All migrations, the first one first. */
export const migrations: ReadonlyArray<Migration> = [initial]

/** The schema this version writes. */
export const latest = migrations.length

const tables = (driver: SqliteDriver.SqliteDriver) =>
  new Set(
    driver
      .execute({ text: `SELECT "name" FROM sqlite_schema WHERE "type" = 'table'`, parameters: [] })
      .map(([name]) => name)
  )

export type MigrateError = StoreTooNew | NotAStore | RulesViolated

/** Migrates a store; one that is new gets `ruleSet`, others keep theirs. Answers the migrations that were applied. */
export const migrate = (
  driver: SqliteDriver.SqliteDriver,
  options: { readonly store: string; readonly ruleSet: RuleSet }
): Either.Either<ReadonlyArray<Migration>, MigrateError> =>
  SqliteDriver.transaction<ReadonlyArray<Migration>, MigrateError>(driver, () => {
    const { ruleSet, store } = options
    const names = tables(driver)
    const isNew = !names.has("_meta")
    if (isNew && names.size > 0) return Either.left(new NotAStore({ store }))
    const found = isNew ? 0 : SqliteMeta.schema(driver)
    if (found > latest) return Either.left(new StoreTooNew({ store, found, known: latest }))
    const pending = migrations.filter(({ number }) => number > found)
    for (const { sqlite } of pending) driver.script(sqlite)
    SqliteMeta.setSchema(driver, latest)
    return Either.map(SqliteRuleSet.apply(driver, isNew ? ruleSet : SqliteMeta.ruleSet(driver)), () => pending)
  })
