/**
 * Saves and restores snapshots of an SQLite store: a save copies the database in one consistent state, and a restore
 * replaces all rows by those of a copy in one transaction. The portable form is written from such a copy, and read
 * into one.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as fs from "node:fs"
import * as path from "node:path"
import * as SqliteMigrator from "./SqliteMigrator.ts"
import { RulesViolated } from "../OpenError.ts"
import { list, quote } from "../RuleSet.ts"
import * as Snapshot from "../Snapshot.ts"
import * as SqliteDriver from "./SqliteDriver.ts"
import * as SqliteSnapshotRows from "./SqliteSnapshotRows.ts"
import * as SqliteMeta from "./SqliteMeta.ts"
import * as SqliteRecorder from "./SqliteRecorder.ts"
import * as SqliteRuleSet from "./SqliteRuleSet.ts"
import * as AsyncConnection from "./readers/AsyncConnection.ts"
import * as SqliteTables from "./SqliteTables.ts"

type Driver = SqliteDriver.SqliteDriver

/** The failure of a step in the file system or the database; the caller adds the name of the snapshot. */
class Stopped extends Data.TaggedError("Stopped")<{ readonly cause: unknown }> {}

const attempt = <A>(body: () => A) => Effect.try({ try: body, catch: (cause) => new Stopped({ cause }) })

const attemptAsync = <A>(body: () => Promise<A>) =>
  Effect.tryPromise({ try: body, catch: (cause) => new Stopped({ cause }) })

/** A folder for temporary files, removed with its scope. */
const scratch = (parent: string) =>
  Effect.acquireRelease(
    attempt(() => fs.mkdtempSync(path.join(parent, Snapshot.scratchPrefix))),
    (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true }))
  )

const causeOf = (error: { readonly _tag: string }): unknown => (error instanceof Stopped ? error.cause : error)

/** The page cache of a copy, whose rows are read or written once. */
const cacheKiB = 2048

const opened = (file: string) =>
  Effect.acquireRelease(
    attempt(() => SqliteDriver.open(file, { durable: false, cacheKiB })),
    (driver) => Effect.sync(driver.close)
  )

/**
 * Renames a complete file, once it is on the disk, off the event loop. Only its owner may read it: it contains digests of
 * keys and secrets of webhooks.
 */
const publish = async (from: string, to: string) => {
  await fs.promises.chmod(from, 0o600)
  const handle = await fs.promises.open(from, "r+")
  await handle.sync().finally(() => handle.close())
  await fs.promises.rename(from, to)
}

/** Copies the last committed state of a database into a new file. */
export type Copy = (file: string) => Promise<void> | void

/** A copy on a connection of its own, which runs off the event loop, and reads one state while commits go on. */
export const copyOff =
  (connect: () => Promise<AsyncConnection.AsyncConnection>): Copy =>
  async (file) => {
    const connection = await connect()
    await connection.script(`VACUUM store INTO '${file.replaceAll("'", "''")}'`).finally(connection.close)
  }

/** A copy on the connection of the store, which waits for it. */
export const copyOn =
  (driver: Driver): Copy =>
  (file) =>
    void driver.execute({ text: "VACUUM INTO ?", parameters: [file] })

const setApplicationId = (id: number) => (driver: Driver) => driver.script(`PRAGMA application_id = ${id}`)

/** Marks an open database as a store, also if it was a snapshot before. */
export const markStore = (driver: Driver): void => {
  const [row] = driver.execute({ text: "PRAGMA application_id", parameters: [] })
  if (row?.[0] === Snapshot.applicationId) setApplicationId(0)(driver)
}

/** Writes a snapshot: a copy of the database where the name ends in `.db`, else the portable form. */
export const save = (copyTo: Copy, file: string): Effect.Effect<void, Snapshot.SnapshotUnwritable> =>
  Effect.gen(function* () {
    const copy = path.join(yield* scratch(path.dirname(file)), "copy.db")
    yield* attemptAsync(async () => copyTo(copy))
    if (file.endsWith(".db")) {
      yield* Effect.scoped(Effect.map(opened(copy), setApplicationId(Snapshot.applicationId)))
      return yield* attemptAsync(() => publish(copy, file))
    }
    const source = yield* opened(copy)
    yield* Snapshot.write(file, SqliteSnapshotRows.header(source), SqliteSnapshotRows.all(source))
  }).pipe(
    Effect.scoped,
    Effect.mapError((error) =>
      error instanceof Snapshot.SnapshotUnwritable
        ? error
        : new Snapshot.SnapshotUnwritable({ file, cause: causeOf(error) })
    )
  )

/** Checks every page, index and row of a snapshot that is a database, off the event loop. */
export const verify = (file: string): Effect.Effect<void, Snapshot.SnapshotUnreadable> =>
  Effect.tryPromise({
    try: async () => {
      if (!Snapshot.is(file)) throw new Error("it is not a snapshot")
      const connection = await AsyncConnection.open(file, {
        cacheKiB,
        durable: false,
        isReadOnly: true,
        threads: 1
      })
      const check = connection.query({ text: "PRAGMA store.integrity_check(1)", parameters: [] })
      const [[finding] = []] = await check.finally(connection.close)
      if (finding !== "ok") throw new Error(String(finding))
    },
    catch: (cause) => new Snapshot.SnapshotUnreadable({ file, cause })
  })

const isDatabase = (file: string): boolean => {
  const magic = "SQLite format 3\u0000"
  const descriptor = fs.openSync(file, "r")
  try {
    const start = Buffer.alloc(magic.length)
    fs.readSync(descriptor, start)
    return start.toString("latin1") === magic
  } finally {
    fs.closeSync(descriptor)
  }
}

/** Copies a database and migrates the copy to this version. */
const adopt = (file: string, copy: string) =>
  Effect.gen(function* () {
    if (fs.existsSync(`${file}-wal`))
      return yield* new Stopped({ cause: new Error("it is a store in use, not a snapshot") })
    yield* attempt(() => fs.copyFileSync(file, copy))
    const driver = yield* opened(copy)
    yield* SqliteMigrator.migrate(driver, { store: file, ruleSet: "contract" })
  }).pipe(Effect.scoped)

/** Builds a database from the portable form. */
const build = (file: string, copy: string) =>
  Effect.gen(function* () {
    const driver = yield* opened(copy)
    yield* SqliteMigrator.migrate(driver, { store: file, ruleSet: "contract" })
    driver.script("BEGIN")
    // A row may precede the row that it refers to; a reference that is still missing fails the commit.
    driver.script("PRAGMA defer_foreign_keys = ON")
    yield* Snapshot.read(file, {
      header: ({ clock, ruleSet, secretKey }) => {
        SqliteMeta.setClock(driver, clock)
        SqliteMeta.setRuleSet(driver, ruleSet)
        SqliteMeta.setSecretKey(driver, secretKey)
      },
      line: SqliteSnapshotRows.insert(driver)
    })
    yield* attempt(() => driver.script("COMMIT"))
  }).pipe(Effect.scoped)

/** Replaces all rows and the rule set by those of another database. */
const replace = (driver: Driver, file: string, recording: Recording): Either.Either<void, RulesViolated | Stopped> => {
  driver.execute({ text: "ATTACH ? AS staged", parameters: [file] })
  try {
    return SqliteDriver.transaction<void, RulesViolated | Stopped>(driver, () => {
      driver.script("PRAGMA defer_foreign_keys = ON")
      const ruleSet = SqliteMeta.ruleSet(driver, "staged")
      const key = SqliteMeta.secretKey(driver, "staged")
      const problem = Snapshot.keyProblem(key, SqliteMeta.secretKey(driver))
      if (problem !== undefined) return Either.left(new Stopped({ cause: problem }))
      SqliteMeta.setSecretKey(driver, key)
      SqliteMeta.setClock(driver, SqliteMeta.clock(driver, "staged"))
      return Either.flatMap(SqliteRuleSet.apply(driver, "contract"), () => {
        if (recording._tag === "On") SqliteRecorder.pause(driver)
        for (const { columns, name } of SqliteTables.list(driver)) {
          const listed = list(columns)
          driver.script(`DELETE FROM main.${quote(name)}`)
          driver.script(`INSERT INTO main.${quote(name)} (${listed}) SELECT ${listed} FROM staged.${quote(name)}`)
        }
        if (recording._tag === "On") SqliteRecorder.span(driver, recording.since)
        if (recording._tag === "Off") SqliteRecorder.end(driver, 0)
        return SqliteRuleSet.apply(driver, ruleSet)
      })
    })
  } finally {
    driver.script("DETACH staged")
  }
}

const notPortable = new Error("it is a database, and the compressed form was expected, as an export has it")

/**
 * The history of the rows after a restore. A store that keeps it begins one at a time in microseconds, if the snapshot
 * has none; another store ends that of the snapshot; and a file that is not served is left as the snapshot is.
 */
export type Recording =
  | { readonly _tag: "On"; readonly since: number }
  | { readonly _tag: "Off" }
  | { readonly _tag: "Unchanged" }

/** Replaces all data by a snapshot; `home` is a folder with space for a copy. */
const restoreFrom = (
  driver: Driver,
  file: string,
  home: string,
  isPortable: boolean,
  recording: Recording
): Effect.Effect<void, Snapshot.SnapshotUnreadable | RulesViolated> =>
  Effect.gen(function* () {
    const copy = path.join(yield* scratch(home), "copy.db")
    const form = (yield* attempt(() => isDatabase(file))) ? adopt : build
    // The content of a database is not checked, so that of a stranger is not opened.
    if (isPortable && form === adopt) return yield* new Stopped({ cause: notPortable })
    yield* form(file, copy)
    yield* replace(driver, copy, recording)
  }).pipe(
    Effect.scoped,
    Effect.mapError((error) =>
      error instanceof Snapshot.SnapshotUnreadable || error instanceof RulesViolated
        ? error
        : new Snapshot.SnapshotUnreadable({ file, cause: causeOf(error) })
    )
  )

/** Replaces all data by a snapshot in either form; `home` is a folder with space for a copy. */
export const restore = (
  driver: Driver,
  file: string,
  home: string,
  recording: Recording
): Effect.Effect<void, Snapshot.SnapshotUnreadable | RulesViolated> => restoreFrom(driver, file, home, false, recording)

/** Replaces all data by a snapshot in the portable form. */
export const restorePortable = (
  driver: Driver,
  file: string,
  home: string
): Effect.Effect<void, Snapshot.SnapshotUnreadable | RulesViolated> =>
  restoreFrom(driver, file, home, true, { _tag: "Unchanged" })
