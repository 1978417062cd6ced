/**
 * Opens the file of a store: locks it, migrates it, and converts failures to errors of one sentence.
 */
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as fs from "node:fs"
import * as path from "node:path"
import * as Migration from "../../migrations/Migration.ts"
import { NotAStore, type OpenError, StoreDamaged, StoreLocked, StoreUnreachable } from "../../OpenError.ts"
import * as FreePages from "../FreePages.ts"
import * as FileLock from "../FileLock.ts"
import * as SqliteDriver from "../SqliteDriver.ts"
import * as SqliteMeta from "../SqliteMeta.ts"
import * as SqliteMigrator from "../SqliteMigrator.ts"
import * as SqliteSnapshot from "../SqliteSnapshot.ts"
import * as StoreLock from "./StoreLock.ts"
import * as TemporaryFile from "./TemporaryFile.ts"

export const inMemory = ":memory:"

/** A file that was opened by this process alone. */
export interface StoreFile {
  readonly driver: SqliteDriver.SqliteDriver
  /** The path without symbolic links, which every process finds the same locks by. */
  readonly file: string
  readonly trust: SqliteDriver.Trust
  /** Set when the process that had the store before has not closed it. */
  readonly wasUnclean: boolean
}

export interface Options {
  readonly path: string
  readonly ruleSet: RuleSet
  readonly durable: boolean
  readonly memoryBytes: number
}

/** The owner, by its number where the system has one, and the remedy for missing rights. */
const denied = `change its owner or its mode, or start the service as its owner`

/** The sentence for an error of the file system at one of the paths of a store. */
const explain = (store: string, { code = "", message, path: at = store }: NodeJS.ErrnoException): string => {
  const isStore = at === store
  switch (code) {
    case "EISDIR":
      return isStore
        ? `it is a directory; name a file in it, such as ${path.join(store, "mock.db")}`
        : `${at} is a directory, and has to be a file; remove it`
    case "EACCES":
    case "EPERM":
    case "EROFS": {
      if (at === path.dirname(store) || !fs.existsSync(at)) {
        const folder = at === path.dirname(store) ? at : path.dirname(at)
        return `this user may not create files in the directory ${folder}; ${denied}`
      }
      return `this user may not ${isStore ? "read and write it" : `write ${at}`}; ${denied}`
    }
    case "ENOTDIR":
    case "EEXIST":
      return `a part of the path ${at} is a file, and has to be a directory`
    default:
      return message
  }
}

const failure = (store: string, file: string, cause: unknown): OpenError => {
  if (!(cause instanceof Error)) throw cause
  if (cause instanceof SqliteDriver.SqliteError) {
    if (cause.code === "SQLITE_NOTADB") return new NotAStore({ store })
    if (cause.code.startsWith("SQLITE_CORRUPT")) return new StoreDamaged({ store, problem: cause.message })
    if (cause.code === "SQLITE_BUSY") {
      return new StoreLocked({ store, owner: Option.getOrUndefined(FileLock.read(file)) })
    }
    return new StoreUnreachable({ store, cause })
  }
  return new StoreUnreachable({ store, cause: new Error(explain(file, cause)) })
}

/** The path of a file without symbolic links; the file is created with its folders if it does not exist. */
const create = (store: string): string => {
  fs.mkdirSync(path.dirname(store), { recursive: true, mode: 0o700 })
  // The files of the log get the mode of this one.
  fs.closeSync(fs.openSync(store, "a", 0o600))
  const file = fs.realpathSync(store)
  fs.accessSync(file, fs.constants.R_OK | fs.constants.W_OK)
  fs.accessSync(path.dirname(file), fs.constants.W_OK | fs.constants.X_OK)
  return file
}

/** A damaged file is not rewritten; what can be read of it is served. */
const enableFreePages = (driver: SqliteDriver.SqliteDriver): void => {
  try {
    FreePages.enable(driver)
  } catch (error) {
    if (!(error instanceof SqliteDriver.SqliteError) || !error.isStorageFailure) throw error
  }
}

/** Opens a file, or a temporary one in place of memory, and migrates it. */
export const open = ({ durable, memoryBytes, path: store, ruleSet }: Options): Either.Either<StoreFile, OpenError> => {
  const isFile = store !== inMemory
  let driver: SqliteDriver.SqliteDriver | undefined
  let file = store
  try {
    // Several connections share a file, but not memory.
    file = isFile ? create(store) : TemporaryFile.create()
    const trust: SqliteDriver.Trust = { isTrusted: !isFile || fs.statSync(file).size === 0 }
    const opened = (driver = SqliteDriver.open(file, { durable: durable && isFile, memoryBytes, trust }))
    const wasUnclean = isFile && Option.isSome(FileLock.read(file))
    if (isFile) FileLock.write(file, { pid: process.pid, address: null })
    const migrated = SqliteMigrator.migrate(opened, { store, ruleSet })
    if (Either.isLeft(migrated)) {
      if (isFile) FileLock.remove(file)
      opened.close()
    } else {
      SqliteSnapshot.markStore(opened)
      enableFreePages(opened)
    }
    return Either.map(migrated, () => ({ driver: opened, file, trust, wasUnclean }))
  } catch (cause) {
    driver?.close()
    return Either.left(failure(store, file, cause))
  }
}

/** A file that this service made itself, next to the store that it has locked. */
export interface OwnFile {
  /** Set when every text of the file is known to be readable. */
  readonly isTrusted: boolean
  /** The memory that the caches of all databases of the process keep to. */
  readonly memoryBytes: number
}

/** The caches of an own file, of which many are open. */
const ownCaches = { cacheKiB: 1024, statements: 128 }

/** Opens an own file, which needs no lock, and a migration only after an update of the service. */
export const openOwn = ({
  durable,
  isTrusted,
  memoryBytes,
  path: file
}: OwnFile & Pick<Options, "path" | "durable">): Either.Either<StoreFile, OpenError> => {
  const trust: SqliteDriver.Trust = { isTrusted }
  try {
    const driver = SqliteDriver.open(file, { durable, isLocked: false, memoryBytes, trust, ...ownCaches })
    const opened: StoreFile = { driver, file, trust, wasUnclean: false }
    if (SqliteMeta.schema(driver) === Migration.latest) return Either.right(opened)
    const migrated = SqliteMigrator.migrate(driver, { store: file, ruleSet: "contract" })
    if (Either.isLeft(migrated)) driver.close()
    return Either.map(migrated, () => opened)
  } catch (cause) {
    return Either.left(failure(file, file, cause))
  }
}

/** The files that another process must not remove or replace while the store is served. */
export const files = (file: string): ReadonlyArray<string> => [file, StoreLock.place(file)]
