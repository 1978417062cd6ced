/**
 * Saves snapshots into a folder at regular times, and deletes the oldest. A snapshot is complete under its name, and is
 * verified before another one is deleted.
 */
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as path from "node:path"
import type * as Settings from "../../Settings.ts"
import * as Snapshot from "../../store/Snapshot.ts"
import * as SqliteSnapshot from "../../store/sqlite/SqliteSnapshot.ts"
import * as AdminTarget from "../target/AdminTarget.ts"

export interface Options {
  readonly target: Pick<Settings.Settings, (typeof AdminTarget.settings)[number]>
  readonly folder: string
  readonly everyMillis: number
  /** The number of snapshots that are kept. */
  readonly keep: number
}

/** The names of scheduled snapshots; other files of the folder are never deleted. */
const form = /^scheduled-\d{8}T\d{9}Z\.(?:db|ndjson\.gz)$/

const nameAt = (millis: number, extension: string): string =>
  `scheduled-${new Date(millis).toISOString().replaceAll(/[-:.]/g, "")}.${extension}`

/** The time after which the temporary folder of a save that was killed is deleted. */
const abandonedMillis = 3_600_000

const isAbandoned = (folder: string, now: number): boolean =>
  [folder, ...fs.readdirSync(folder).map((name) => path.join(folder, name))].every(
    (found) => now - fs.statSync(found).mtimeMs > abandonedMillis
  )

/** Deletes what killed saves have left. */
const clean = (folder: string, now: number) => {
  for (const name of fs.existsSync(folder) ? fs.readdirSync(folder) : []) {
    const found = path.join(folder, name)
    if (name.startsWith(Snapshot.scratchPrefix) && isAbandoned(found, now)) {
      fs.rmSync(found, { recursive: true, force: true })
    }
  }
}

const noTarget: Snapshot.Target = { header: () => {}, line: () => {} }

const verify = (file: string) => (file.endsWith(".db") ? SqliteSnapshot.verify(file) : Snapshot.read(file, noTarget))

/** Deletes all but the newest. The names sort by their times. */
const prune = (folder: string, keep: number): ReadonlyArray<string> => {
  const names = fs
    .readdirSync(folder)
    .filter((name) => form.test(name))
    .toSorted()
  const old = names.slice(0, Math.max(0, names.length - keep))
  for (const name of old) fs.rmSync(path.join(folder, name))
  return old
}

/** Saves one snapshot, verifies it, then deletes the oldest. */
const save = ({ folder, keep, target }: Options) =>
  Effect.gen(function* () {
    const now = Date.now()
    yield* Effect.sync(() => clean(folder, now))
    const file = path.join(folder, nameAt(now, target.store._tag === "Sqlite" ? "db" : "ndjson.gz"))
    yield* AdminTarget.use(target, (admin) => admin.saveSnapshot({ file }))
    yield* verify(file)
    const deleted = yield* Effect.sync(() => prune(folder, keep))
    const size = fs.statSync(file).size
    const millis = Date.now() - now
    yield* Terminal.note(
      `Saved to ${file}: ${size} bytes in ${Duration.format(millis)}${deleted.length === 0 ? "" : `; deleted ${deleted.join(", ")}`}.`
    )
  })

/** Saves now, and then at each time that is a multiple of the interval, until the process is stopped. */
export const run = (options: Options) => {
  const wait = Effect.suspend(() => Effect.sleep(options.everyMillis - (Date.now() % options.everyMillis)))
  // The first failure is one of the configuration; later ones end, for example when the service is started again.
  const next = Effect.catchAll(save(options), ({ message }) =>
    Terminal.note(`No snapshot was saved: ${message.replace(/\.$/, "")}. The next one follows.`)
  )
  return Effect.zipRight(save(options), Effect.forever(Effect.zipRight(wait, next)))
}
