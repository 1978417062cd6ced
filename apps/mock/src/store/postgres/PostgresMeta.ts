/**
 * Reads and writes the metadata of a store on PostgreSQL, and holds its lock.
 */
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as Either from "effect/Either"
import type { Statement } from "../../sql/Statement.ts"
import { randomBytes } from "node:crypto"
import { metaName } from "../Vault.ts"
import type { Connection, PostgresDriver } from "./PostgresDriver.ts"

type Reader = Pick<Connection, "execute">

const read = async (connection: Reader, key: string) => {
  const [row] = await connection.execute({ text: `SELECT "value" FROM "_meta" WHERE "key" = $1`, parameters: [key] })
  return row?.[0]
}

const write = async (connection: Connection, key: string, value: string): Promise<void> => {
  await connection.execute({
    text: `INSERT INTO "_meta" ("key", "value") VALUES ($1, $2)
      ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value" WHERE "_meta"."value" <> excluded."value"`,
    parameters: [key, value]
  })
}

/** The number of the last migration; 0 when the store was never migrated. */
export const schema = async (connection: Reader): Promise<number> => Number((await read(connection, "schema")) ?? 0)

export const setSchema = (connection: Connection, number: number): Promise<void> =>
  write(connection, "schema", String(number))

/** The schema of the oldest version that serves the store; undefined if no migration has written it. */
export const serves = async (connection: Reader): Promise<number | undefined> => {
  const number = await read(connection, "serves")
  return number === undefined ? undefined : Number(number)
}

export const setServes = (connection: Connection, number: number): Promise<void> =>
  write(connection, "serves", String(number))

/** The rule set in force. */
export const ruleSet = async (connection: Reader): Promise<RuleSet> =>
  (await read(connection, "ruleSet")) === "public" ? "public" : "contract"

export const setRuleSet = (connection: Connection, ruleSet: RuleSet): Promise<void> =>
  write(connection, "ruleSet", ruleSet)

/** The id of the key that the secrets are encrypted with. */
export const secretKey = async (connection: Reader): Promise<string | undefined> => {
  const id = await read(connection, metaName)
  return typeof id === "string" ? id : undefined
}

export const dropSecretKey = async (connection: Connection): Promise<void> => {
  await connection.execute({ text: `DELETE FROM "_meta" WHERE "key" = $1`, parameters: [metaName] })
}

/** Changes an unused value, to test a commit. */
export const touch: Statement = {
  text: `INSERT INTO "_meta" ("key", "value") VALUES ('touched', '0')
    ON CONFLICT ("key") DO UPDATE SET "value" = "_meta"."value"::bigint + 1`,
  parameters: []
}

/** Writes an unused value of several pages that does not compress well, to test whether there is space. */
export const fill = (): Statement => ({
  text: `INSERT INTO "_meta" ("key", "value") VALUES ('space', $1)
    ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value"`,
  parameters: [randomBytes(32 * 1024).toString("hex")]
})

export const clear: Statement = { text: `DELETE FROM "_meta" WHERE "key" = 'space'`, parameters: [] }

/** The schema of the tables. */
export const schemaName = async (connection: Reader): Promise<string> => {
  const [row] = await connection.execute({ text: "SELECT current_schema()", parameters: [] })
  return String(row?.[0])
}

/**
 * Waits for the lock of the store and holds it until the returned function is called. The lock belongs to a transaction,
 * so that the server releases it when the process dies.
 */
export const hold = (driver: Pick<PostgresDriver, "transaction">): Promise<() => Promise<void>> =>
  new Promise((resolve, reject) => {
    let end = () => {}
    const over = new Promise<void>((done) => (end = done))
    const held = driver.transaction<void, never>(async (connection) => {
      await connection.script(`SET LOCAL statement_timeout = 0;
        SET LOCAL idle_in_transaction_session_timeout = 0;
        SELECT pg_advisory_xact_lock(hashtextextended('mfgdata ' || current_schema(), 0))`)
      resolve(async () => {
        end()
        await held.catch(() => undefined)
      })
      await over
      return Either.void
    })
    held.catch(reject)
  })
