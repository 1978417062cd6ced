/**
 * Reads and writes the metadata of an embedded store: its schema and its rule set.
 */
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import type { Statement } from "../../sql/Statement.ts"
import { type ClockState, clockName } from "../Snapshot.ts"
import { metaName } from "../Vault.ts"
import type { SqliteDriver } from "./SqliteDriver.ts"

/** The store itself, or an attached one. */
type Database = "main" | "staged" | "store"

/** The number of the last migration; 0 when the store was never migrated. */
export const schema = (driver: Pick<SqliteDriver, "execute">, database: Database = "main"): number =>
  Number(read(driver, "schema", database) ?? 0)

export const setSchema = (driver: SqliteDriver, number: number): void => write(driver, "schema", String(number))

/** The rule set in force, in the store itself or in an attached database. */
export const ruleSet = (driver: Pick<SqliteDriver, "execute">, database: Database = "main"): RuleSet =>
  read(driver, "ruleSet", database) === "public" ? "public" : "contract"

export const setRuleSet = (driver: SqliteDriver, ruleSet: RuleSet): void => write(driver, "ruleSet", ruleSet)

/** The id of the key that the secrets are encrypted with. */
export const secretKey = (driver: SqliteDriver, database: "main" | "staged" = "main"): string | undefined => {
  const id = read(driver, metaName, database)
  return typeof id === "string" ? id : undefined
}

export const setSecretKey = (driver: SqliteDriver, id: string | undefined): void =>
  id === undefined
    ? void driver.execute({ text: `DELETE FROM "_meta" WHERE "key" = ?`, parameters: [metaName] })
    : write(driver, metaName, id)

/** The clock of a world whose rows these are. */
export const clock = (
  driver: Pick<SqliteDriver, "execute">,
  database: "main" | "staged" = "main"
): ClockState | undefined => {
  const text = read(driver, clockName, database)
  // Only `setClock` writes the value.
  return typeof text === "string" ? (JSON.parse(text) as ClockState) : undefined
}

export const setClock = (driver: SqliteDriver, state: ClockState | undefined): void =>
  state === undefined
    ? void driver.execute({ text: `DELETE FROM "_meta" WHERE "key" = ?`, parameters: [clockName] })
    : write(driver, clockName, JSON.stringify(state))

const read = (driver: Pick<SqliteDriver, "execute">, key: string, database: Database = "main") =>
  driver.execute({ text: `SELECT "value" FROM ${database}."_meta" WHERE "key" = ?`, parameters: [key] })[0]?.[0]

const write = (driver: SqliteDriver, key: string, value: string): void =>
  void driver.execute({
    text: `INSERT INTO "_meta" ("key", "value") VALUES (?, ?) ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value"`,
    parameters: [key, value]
  })

/** Writes an unused value of several pages, to test whether there is space, and removes it again. */
export const fill: Statement = {
  text: `INSERT INTO "_meta" ("key", "value") VALUES ('space', ?)
    ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value"`,
  parameters: ["0".repeat(64 * 1024)]
}

export const clear: Statement = { text: `DELETE FROM "_meta" WHERE "key" = 'space'`, parameters: [] }
