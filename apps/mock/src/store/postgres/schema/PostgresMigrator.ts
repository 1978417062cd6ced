/**
 * Migrates a store on PostgreSQL to this version while others serve it. One process at a time applies the missing
 * migrations, each in a transaction that waits for locks briefly and is tried again, and then builds their indexes. A
 * role that does not own the tables changes nothing: it is checked for what serving needs.
 */
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as Either from "effect/Either"
import * as Migration from "../../migrations/Migration.ts"
import {
  type MigrateError,
  MigrationBlocked,
  NotAStore,
  OwnerNeeded,
  RoleLacksRights,
  RowSecurityBypassed,
  StoreTooNew
} from "../../OpenError.ts"
import { PostgresError } from "../connection/PostgresError.ts"
import type { Connection, PostgresDriver } from "../PostgresDriver.ts"
import * as PostgresGrants from "./PostgresGrants.ts"
import * as PostgresIndexes from "./PostgresIndexes.ts"
import * as PostgresMeta from "../PostgresMeta.ts"
import * as PostgresRecorder from "../PostgresRecorder.ts"
import * as PostgresRuleSet from "../PostgresRuleSet.ts"
import * as RowSecurity from "./RowSecurity.ts"
import { quote } from "../../RuleSet.ts"

export interface Options {
  readonly store: string
  readonly ruleSet: RuleSet
  /** Starts or stops to record the history of the rows; undefined leaves it as it is. */
  readonly recording?: undefined | { readonly isOn: boolean; readonly micros: number }
  /** Row-level security on the company; undefined leaves it as it is. */
  readonly rowSecurity?: boolean | undefined
  /** The migrations (default: those of this version). */
  readonly migrations?: ReadonlyArray<Migration.Migration>
}

/** The time that a statement of a migration waits for a lock, with everybody who comes after it. */
const lockMillis = 2000

/** The number of attempts to get the locks of a migration, and the longest pause between two. */
const attempts = 30
const pauseMillis = 2000

const pause = (millis: number) => new Promise((done) => setTimeout(done, millis))

const failureIs = (error: unknown, code: string): boolean => error instanceof PostgresError && error.code === code

/** Takes the lock of migrations without a statement that waits, which would keep indexes from being built. */
const lock = async (connection: Connection): Promise<void> => {
  // The schema may not exist yet, so the lock covers the database.
  const text = `SELECT pg_try_advisory_xact_lock(hashtextextended('mfgdata', 0))::integer`
  await connection.script("SET LOCAL idle_in_transaction_session_timeout = 0")
  while ((await connection.execute({ text, parameters: [] }))[0]?.[0] !== 1) await pause(50)
}

/** Creates the first schema of the search path, if it does not exist. */
const createSchema = async (connection: Connection): Promise<void> => {
  const [row] = await connection.execute({ text: "SELECT current_schema()", parameters: [] })
  if (row?.[0] !== null) return
  await connection.script(`CREATE SCHEMA IF NOT EXISTS ${quote(await PostgresGrants.schemaOf(connection))}`)
}

/** The facts about a database before its migration. */
const factsOf = async (connection: Connection) => {
  const [row] = await connection.execute({
    text: `SELECT count(*), count(*) FILTER (WHERE relname = '_meta'), current_setting('server_encoding'),
        count(*) FILTER (WHERE relname = '_meta' AND pg_has_role(relowner, 'USAGE')),
        (SELECT count(*) FROM pg_namespace WHERE nspname = $1::text AND has_schema_privilege(oid, 'USAGE'))
      FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm')
        AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1::text)`,
    parameters: [await PostgresGrants.schemaOf(connection)]
  })
  const [tables, metas, encoding, owned, usable] = row ?? []
  return { encoding, isEmpty: tables === 0, isNew: metas === 0, isOwner: owned === 1, isUsable: usable === 1 }
}

type Facts = Awaited<ReturnType<typeof factsOf>>

/** The error of a schema that this version does not serve. */
const tooNew = async (connection: Connection, store: string, known: number) => {
  const found = await PostgresMeta.schema(connection)
  // The version that has migrated the store knows whether this one serves it.
  const isServed = found <= known || ((await PostgresMeta.serves(connection)) ?? found) <= known
  return isServed ? undefined : new StoreTooNew({ store, found, known })
}

/** Checks a role that does not own the tables. */
const check = async (connection: Connection, options: Options, known: number): Promise<MigrateError | undefined> => {
  const { recording, rowSecurity, store } = options
  const missing = await PostgresGrants.missing(connection)
  if (missing.length > 0) return new RoleLacksRights({ store, missing })
  const refused = await tooNew(connection, store, known)
  if (refused !== undefined) return refused
  const found = await PostgresMeta.schema(connection)
  const needs = (cause: string) => new OwnerNeeded({ store, need: { _tag: "Setting", cause } })
  if (found < known) return new OwnerNeeded({ store, need: { _tag: "Schema", found, known } })
  if (recording?.isOn === true && !(await PostgresRecorder.isOpen(connection))) return needs("--history on")
  const isSecured = await RowSecurity.isOn(connection)
  if (rowSecurity !== undefined && rowSecurity !== isSecured)
    return needs(`--row-security ${rowSecurity ? "on" : "off"}`)
  return isSecured && (await RowSecurity.isBypassed(connection)) ? new RowSecurityBypassed({ store }) : undefined
}

/** A migration step: the number of migrations that it has applied, and whether others follow. */
interface Step {
  readonly count: number
  readonly isLast: boolean
}

const apply = async (connection: Connection, { number, postgres, serves }: Migration.Migration): Promise<void> => {
  await connection.script(postgres)
  await PostgresMeta.setSchema(connection, number)
  await PostgresMeta.setServes(connection, Math.max(serves, (await PostgresMeta.serves(connection)) ?? 0))
}

/** Applies the next migration as the owner, all of them to a new store, and at last the settings. */
const change = async (
  connection: Connection,
  { isNew }: Facts,
  { migrations = Migration.migrations, recording, rowSecurity, ruleSet }: Options
): Promise<Either.Either<Step, MigrateError>> => {
  await connection.script(`SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${lockMillis}`)
  if (isNew) await createSchema(connection)
  const pending = Migration.after(isNew ? 0 : await PostgresMeta.schema(connection), migrations)
  const [next] = pending
  if (!isNew && next !== undefined) {
    await apply(connection, next)
    return Either.right({ count: 1, isLast: false })
  }
  for (const migration of pending) await apply(connection, migration)
  if (recording !== undefined) await PostgresRecorder.apply(connection, recording.isOn, recording.micros)
  const applied = await PostgresRuleSet.apply(connection, isNew ? ruleSet : await PostgresMeta.ruleSet(connection))
  if (Either.isLeft(applied)) return Either.left(applied.left)
  await RowSecurity.apply(connection, rowSecurity)
  return Either.right({ count: pending.length, isLast: true })
}

/** One step of a migration, in a transaction of its own. */
const step = (driver: PostgresDriver, options: Options): Promise<Either.Either<Step, MigrateError>> =>
  driver.transaction<Step, MigrateError>(async (connection) => {
    const { migrations = Migration.migrations, rowSecurity, store } = options
    const known = migrations.length
    await lock(connection)
    const facts = await factsOf(connection)
    if (facts.encoding !== "UTF8" || (facts.isNew && !facts.isEmpty)) return Either.left(new NotAStore({ store }))
    const isServer = !facts.isNew && !facts.isOwner
    const problem = isServer
      ? await check(connection, options, known)
      : rowSecurity === true && (await RowSecurity.isBypassed(connection))
        ? new RowSecurityBypassed({ store })
        : facts.isNew
          ? undefined
          : await tooNew(connection, store, known)
    if (problem !== undefined) return Either.left(problem)
    if (isServer) return Either.right({ count: 0, isLast: true })
    try {
      return await change(connection, facts, options)
    } catch (error) {
      if (!facts.isNew || !failureIs(error, "42501")) throw error
      return Either.left(new OwnerNeeded({ store, need: { _tag: "Schema", found: 0, known } }))
    }
  })

/** Migrates a store and returns the number of migrations. A new store gets `ruleSet`, an existing one keeps its own. */
export const migrate = async (
  driver: PostgresDriver,
  options: Options
): Promise<Either.Either<number, MigrateError>> => {
  let applied = 0
  for (let failures = 0; failures < attempts;) {
    try {
      const done = await step(driver, options)
      if (Either.isLeft(done)) return Either.left(done.left)
      applied += done.right.count
      if (!done.right.isLast) continue
      await PostgresIndexes.build(driver, options.migrations ?? Migration.migrations, lock)
      return Either.right(applied)
    } catch (error) {
      // Another session holds a table: those that wait after this one go first.
      if (!failureIs(error, "55P03") && !failureIs(error, "40P01")) throw error
      failures += 1
      await pause(Math.random() * Math.min(pauseMillis, 100 * failures))
    }
  }
  return Either.left(new MigrationBlocked({ store: options.store, attempts }))
}
