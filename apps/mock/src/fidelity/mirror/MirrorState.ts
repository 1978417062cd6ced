/**
 * Keeps the state of a mirror in a file next to its store: the place that an interrupted run continues from, and the keys
 * of the mirrored rows, as the store has them. It contains no value of the source that the rules replace.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import { randomBytes } from "node:crypto"
import * as fs from "node:fs"
import * as SqliteDriver from "../../store/sqlite/SqliteDriver.ts"
import * as Reason from "../../Reason.ts"

/** The file of a state cannot be used. */
export class MirrorStateUnusable extends Data.TaggedError("MirrorStateUnusable")<{
  readonly file: string
  readonly reason: string
}> {
  override get message() {
    return `The state ${this.file} cannot be used: ${this.reason}.`
  }
}

const optional = { exact: true } as const

/** The numbers of rows of a pass over a resource. */
const Counts = Schema.Struct({
  read: Schema.Number,
  created: Schema.Number,
  changed: Schema.Number,
  /** The rows that were read again, because they had changed after they were read. */
  reread: Schema.Number
})
export type Counts = typeof Counts.Type

/** The pass over a resource: what it has done, and what the next one continues from. */
const Pass = Schema.Struct({
  run: Schema.Number,
  /** The digest of the selection and the rules of the pass. */
  selection: Schema.String,
  phase: Schema.Literal("rows", "keys", "order", "done"),
  /** The cursor of the next page; absent at the start, and where the rules replace the key. */
  cursor: Schema.optionalWith(Schema.String, optional),
  /** The last change of the source before the pass, if it shows one. */
  before: Schema.optionalWith(Schema.String, optional),
  /** The same of the last complete pass with the same selection. */
  since: Schema.optionalWith(Schema.String, optional),
  counts: Counts
})
export type Pass = typeof Pass.Type

const decodePass = Schema.decodeUnknownOption(Schema.parseJson(Pass))
const encodePass = Schema.encodeSync(Schema.parseJson(Pass))

/** One run over all resources. */
interface Run {
  readonly number: number
  /** True when an interrupted run continues. */
  readonly isContinued: boolean
}

export interface MirrorState {
  /** The key of the pseudonyms, made with the file. */
  readonly key: string
  /** The text that a name was given; the first one stays. */
  readonly fixed: (name: string, text: string) => string
  /** Begins a run, or continues the interrupted one with the same options. */
  readonly begin: (options: string) => Run
  readonly pass: (resource: string) => Pass | undefined
  /** Notes that rows with these keys exist at the source, and the state of the pass after them. */
  readonly commit: (resource: string, keys: ReadonlyArray<string>, pass: Pass) => void
  /** The next mirrored keys, after one, that the pass has not seen. */
  readonly unseen: (resource: string, run: number, after: string, limit: number) => ReadonlyArray<string>
  readonly forget: (resource: string, keys: ReadonlyArray<string>) => void
  /** Ends the run. */
  readonly complete: () => void
}

const schema = `
  CREATE TABLE IF NOT EXISTS "meta" ("name" TEXT PRIMARY KEY, "value" TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS "pass" ("resource" TEXT PRIMARY KEY, "value" TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS "seen" ("resource" TEXT NOT NULL, "key" TEXT NOT NULL, "run" INTEGER NOT NULL,
    PRIMARY KEY ("resource", "key")) STRICT, WITHOUT ROWID;
  PRAGMA wal_autocheckpoint = 1000`

const make = (driver: SqliteDriver.SqliteDriver): MirrorState => {
  driver.script(schema)
  const text = (sql: string, ...parameters: ReadonlyArray<string | number>) => driver.execute({ text: sql, parameters })
  const meta = (name: string): string | undefined => {
    const [row] = text(`SELECT "value" FROM "meta" WHERE "name" = ?`, name)
    return row === undefined ? undefined : String(row[0])
  }
  const setMeta = (name: string, value: string) =>
    text(`INSERT INTO "meta" VALUES (?, ?) ON CONFLICT DO UPDATE SET "value" = excluded."value"`, name, value)

  const fixed = (name: string, text: string): string => {
    const known = meta(name)
    if (known === undefined) setMeta(name, text)
    return known ?? text
  }

  return {
    key: fixed("key", randomBytes(32).toString("base64url")),
    fixed,
    begin: (options) => {
      const last = Number(meta("run") ?? 0)
      const isContinued = last > 0 && meta("complete") === "no" && meta("options") === options
      const number = isContinued ? last : last + 1
      setMeta("run", String(number))
      setMeta("options", options)
      setMeta("complete", "no")
      return { number, isContinued }
    },
    pass: (resource) => {
      const [row] = text(`SELECT "value" FROM "pass" WHERE "resource" = ?`, resource)
      return row === undefined ? undefined : Option.getOrUndefined(decodePass(row[0]))
    },
    commit: (resource, keys, pass) => {
      driver.script("BEGIN IMMEDIATE")
      try {
        text(
          `INSERT INTO "seen" SELECT ?, "value", ? FROM json_each(?) WHERE true
            ON CONFLICT DO UPDATE SET "run" = excluded."run"`,
          resource,
          pass.run,
          JSON.stringify(keys)
        )
        text(
          `INSERT INTO "pass" VALUES (?, ?) ON CONFLICT DO UPDATE SET "value" = excluded."value"`,
          resource,
          encodePass(pass)
        )
        driver.script("COMMIT")
      } catch (error) {
        if (driver.inTransaction()) driver.script("ROLLBACK")
        throw error
      }
    },
    unseen: (resource, run, after, limit) =>
      text(
        `SELECT "key" FROM "seen" WHERE "resource" = ? AND "key" > ? AND "run" <> ? ORDER BY "key" LIMIT ?`,
        resource,
        after,
        run,
        limit
      ).map(([key]) => String(key)),
    forget: (resource, keys) =>
      void text(
        `DELETE FROM "seen" WHERE "resource" = ? AND "key" IN (SELECT "value" FROM json_each(?))`,
        resource,
        JSON.stringify(keys)
      ),
    complete: () => void setMeta("complete", "yes")
  }
}

/** Opens the state in a file, which is created for its owner alone, and closes it with the scope. */
export const open = (file: string): Effect.Effect<MirrorState, MirrorStateUnusable, Scope> => {
  const unusable = (cause: unknown) => new MirrorStateUnusable({ file, reason: Reason.ofCause(cause) })
  return Effect.acquireRelease(
    Effect.try({
      try: () => {
        fs.closeSync(fs.openSync(file, "a", 0o600))
        return SqliteDriver.open(file, { durable: false })
      },
      catch: unusable
    }),
    (driver) => Effect.sync(driver.close)
  ).pipe(Effect.flatMap((driver) => Effect.try({ try: () => make(driver), catch: unusable })))
}
