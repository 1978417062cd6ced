/**
 * Checks and repairs the file of an SQLite store for a command. A store that is served can be checked, but not repaired.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as fs from "node:fs"
import type { Finding } from "../../check/Finding.ts"
import * as LostRows from "../../check/LostRows.ts"
import { type Options, RepairImpossible, type Report, stamp } from "../../check/Report.ts"
import * as Migration from "../../migrations/Migration.ts"
import { NotAStore, StoreLocked, type StoreTooNew, type StoreTooOld, versionError } from "../../OpenError.ts"
import * as FileLock from "../FileLock.ts"
import * as SqliteDriver from "../SqliteDriver.ts"
import * as SqliteMeta from "../SqliteMeta.ts"
import * as SqliteTables from "../SqliteTables.ts"
import * as StoreLock from "../file/StoreLock.ts"
import * as SqliteCheck from "./SqliteCheck.ts"
import * as SqliteRepair from "./SqliteRepair.ts"

export type CheckError = NotAStore | StoreLocked | StoreTooNew | StoreTooOld | RepairImpossible

/** The size of the page cache. */
const cacheKiB = 8192

/** Locks a store; undefined if another process has it. */
const lock = (file: string): (() => void) | undefined => {
  try {
    return StoreLock.acquire(file)
  } catch {
    return undefined
  }
}

const isDamage = (error: unknown): error is SqliteDriver.SqliteError =>
  error instanceof SqliteDriver.SqliteError && error.isStorageFailure

/** The error of a database that is not a store of this version. */
const versionProblem = (
  reader: Pick<SqliteDriver.SqliteDriver, "execute">,
  store: string
): NotAStore | StoreTooNew | StoreTooOld | undefined => {
  const names = new Set(SqliteTables.all(reader, "store").map(({ name }) => name))
  if (!names.has(SqliteTables.metadata)) return new NotAStore({ store })
  return versionError({ store, found: SqliteMeta.schema(reader, "store"), known: Migration.latest })
}

const findingsOf = async (reader: Pick<SqliteDriver.SqliteDriver, "execute">): Promise<ReadonlyArray<Finding>> => {
  const findings: Array<Finding> = []
  const tables = SqliteTables.all(reader, "store")
  const query: SqliteCheck.Options["query"] = async (statement) => reader.execute(statement)
  for await (const finding of SqliteCheck.complete({ query, schema: "store", tables })) findings.push(finding)
  return findings
}

const sync = (file: string) => {
  const descriptor = fs.openSync(file, "r+")
  fs.fsyncSync(descriptor)
  fs.closeSync(descriptor)
}

/** Copies the files as they are. */
const copy = (file: string, backup: string) => {
  for (const suffix of ["", "-wal"]) {
    if (!fs.existsSync(`${file}${suffix}`)) continue
    fs.copyFileSync(`${file}${suffix}`, `${backup}${suffix}`, fs.constants.COPYFILE_EXCL)
    fs.chmodSync(`${backup}${suffix}`, 0o600)
    sync(`${backup}${suffix}`)
  }
}

/** Puts a complete file in the place of a store, whose log must not be applied to it. */
const replace = (complete: string, file: string) => {
  sync(complete)
  for (const suffix of ["-wal", "-shm"]) fs.rmSync(`${file}${suffix}`, { force: true })
  fs.renameSync(complete, file)
}

/** Checks a store, and repairs it if that is wanted and needed. */
export const run = async (
  store: string,
  { hasBackup, isRepair }: Options
): Promise<Either.Either<Report, CheckError>> => {
  const file = fs.realpathSync(store)
  const unlock = lock(file)
  if (unlock === undefined && isRepair) {
    return Either.left(new StoreLocked({ store, owner: Option.getOrUndefined(FileLock.read(file)) }))
  }
  const time = stamp(Date.now())
  const partial = `${file}.repaired`
  // A statement that fails here shows that the description of the tables cannot be read.
  let reader: ReturnType<typeof SqliteDriver.openReader> | undefined
  const close = () => {
    const closing = reader
    reader = undefined
    try {
      closing?.close()
    } catch (error) {
      if (!isDamage(error)) throw error
    }
  }
  try {
    const backup = isRepair && hasBackup ? `${file}.backup-${time}` : undefined
    if (backup !== undefined) copy(file, backup)
    const opened = (reader = SqliteDriver.openReader(file, cacheKiB))
    const problem = versionProblem(opened, store)
    const findings = problem === undefined ? await findingsOf(opened) : []
    if (problem !== undefined || findings.length === 0 || !isRepair) {
      if (backup !== undefined) for (const suffix of ["", "-wal"]) fs.rmSync(`${backup}${suffix}`, { force: true })
      return problem === undefined ? Either.right({ findings, repair: undefined }) : Either.left(problem)
    }
    const lost = LostRows.make(`${file}.lost-${time}.ndjson`)
    const hasLostRules = await SqliteRepair.rebuild(opened, partial, lost)
    const place = lost.close()
    close()
    replace(partial, file)
    return Either.right({ findings, repair: { backup, lost: place, lostRows: lost.count(), hasLostRules } })
  } catch (error) {
    if (!isDamage(error)) throw error
    if (isRepair) return Either.left(new RepairImpossible({ store, reason: error.message }))
    const text = `the file cannot be read as a store (${error.message})`
    return Either.right({ findings: [{ _tag: "Structure", text }], repair: undefined })
  } finally {
    for (const suffix of ["", "-wal", "-shm"]) fs.rmSync(`${partial}${suffix}`, { force: true })
    close()
    unlock?.()
  }
}
