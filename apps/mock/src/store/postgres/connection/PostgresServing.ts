/**
 * Marks a store as in use by an instance, so that a repair finds out whether one serves it: by a lock that the instances
 * share, or where a pooler gives each transaction another session, by rows with the time of each instance.
 */
import { randomUUID } from "node:crypto"
import type { Statement } from "../../../sql/Statement.ts"

const key = `hashtextextended('mfgdata serve ' || current_schema(), 0)`

/** Shares the lock until the connection ends. */
export const share = `SELECT pg_advisory_lock_shared(${key})`

/** The beginning of the names of the rows in the metadata. */
const prefix = "serving "

/** The seconds between two marks of an instance, and those after which its mark no longer counts. */
const seconds = { between: 5, valid: 20 }

const now = "extract(epoch FROM clock_timestamp())::bigint"

const isRecent = `starts_with("key", '${prefix}') AND "value"::bigint > ${now} - ${seconds.valid}`

/** Takes the lock until the transaction ends; the result is 0 while an instance uses the store. */
export const take = `SELECT (pg_try_advisory_xact_lock(${key})
  AND NOT EXISTS (SELECT 1 FROM "_meta" WHERE ${isRecent}))::integer`

/** Writes the time of an instance, and deletes those of instances that ended without their own deletion. */
const mark = (name: string): Statement => ({
  text: `WITH "gone" AS (DELETE FROM "_meta" WHERE starts_with("key", '${prefix}') AND "key" <> $1 AND NOT (${isRecent}))
    INSERT INTO "_meta" ("key", "value") VALUES ($1, (${now})::text)
    ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value"`,
  parameters: [name]
})

const unmark = (name: string): Statement => ({ text: `DELETE FROM "_meta" WHERE "key" = $1`, parameters: [name] })

/** Marks the store until the returned function is called. A server that cannot be reached is tried again. */
export const begin = async (run: (statement: Statement) => Promise<unknown>): Promise<() => Promise<void>> => {
  const name = `${prefix}${randomUUID()}`
  await run(mark(name))
  const timer = setInterval(() => void run(mark(name)).catch(() => undefined), seconds.between * 1000).unref()
  return async () => {
    clearInterval(timer)
    await run(unmark(name)).catch(() => undefined)
  }
}
