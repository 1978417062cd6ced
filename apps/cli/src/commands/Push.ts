/**
 * `mfg push <folder>`: writes the changes of a pulled folder to the service.
 */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Output from "@mfgdata/shell/output/Output"
import * as Program from "@mfgdata/shell/Program"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { existsSync, statSync } from "node:fs"
import { RowsRefused } from "../CliError.ts"
import * as FileAccess from "../FileAccess.ts"
import * as PulledFolder from "../folder/PulledFolder.ts"
import * as Push from "../folder/Push.ts"
import * as PushCheck from "../folder/PushCheck.ts"
import * as PushJournal from "../folder/PushJournal.ts"
import type * as Rebase from "../folder/Rebase.ts"
import * as Settle from "../folder/Settle.ts"
import * as Connection from "../service/Connection.ts"
import * as Diff from "./Diff.ts"

/** Changes that do not apply to the rows of the service. Nothing was written. */
class FolderConflict extends Data.TaggedError("FolderConflict")<{
  readonly folder: string
  readonly conflicts: ReadonlyArray<Rebase.Conflict>
}> {
  override get message(): string {
    const { conflicts, folder } = this
    const listed = conflicts.map(({ key, reason, resource }) => `${resource} ${key} ${reason}`).join("\n")
    return `${listed}\nNothing was written. To merge your changes with the rows of the service, run: mfg pull --into ${folder}`
  }
}

const summary = ({ counts, resource }: Push.Changed, deletes: boolean): Output.Row => ({
  resource: resource.resource,
  ...counts,
  deletes: deletes ? counts.deletes : 0
})

/** Names the number of rows that only `--delete` deletes. */
const noteKept = (checked: ReadonlyArray<Push.Changed>, deletes: boolean): Effect.Effect<void> => {
  const kept = deletes ? 0 : checked.reduce((sum, { counts }) => sum + counts.deletes, 0)
  if (kept === 0) return Effect.void
  return Terminal.note(
    kept === 1
      ? "1 row is missing in the folder; --delete deletes it."
      : `${kept} rows are missing in the folder; --delete deletes them.`
  )
}

/** The checksum of a resource's file; a removed file has that of an empty one. */
const checksum = (resource: Resource.Any, folder: string) => {
  const path = PulledFolder.file(folder, resource)
  return FileAccess.reading(path, () => {
    const bytes = existsSync(path) ? statSync(path).size : 0
    return [resource.resource, FileAccess.hash(path, bytes).digest("hex")] as const
  })
}

/** Opens the journal of a push, or of an interrupted one with the same changes. */
const open = (folder: string, resources: ReadonlyArray<Resource.Any>, deletes: boolean) =>
  Effect.forEach(resources, (resource) => checksum(resource, folder)).pipe(
    Effect.flatMap((sums) =>
      PushJournal.open(PulledFolder.journal(folder), { files: Object.fromEntries(sums), deletes })
    ),
    Effect.flatMap(
      Option.match({
        onSome: Effect.succeed,
        onNone: () =>
          new PulledFolder.FolderUnusable({
            path: folder,
            reason: "a push of it was interrupted, and had other files or flags",
            remedy: "Undo the changes since then, and repeat that push with its flags first."
          })
      })
    )
  )

const command = Command.make(
  "push",
  {
    folder: Diff.folder,
    delete: Options.boolean("delete").pipe(
      Options.withDescription("Deletion of the rows that are missing in the folder, too.")
    ),
    dryRun: Options.boolean("dry-run").pipe(
      Options.withDescription("Comparison with the rows of the service, without a change.")
    ),
    output: Output.options,
    profile: Connection.profile
  },
  ({ delete: deletes, dryRun, folder, output, profile }) =>
    Effect.gen(function* () {
      const manifest = yield* PulledFolder.read(folder)
      const resources = PulledFolder.resourcesOf(manifest)
      yield* Connection.use(
        profile,
        (connection) =>
          Effect.gen(function* () {
            yield* PulledFolder.checkSource(folder, manifest, connection.profile.restUrl)
            const checked: Array<Push.Changed> = []
            const conflicts: Array<Rebase.Conflict> = []
            const begun = Option.getOrUndefined(yield* PushJournal.resources(PulledFolder.journal(folder)))
            for (const resource of resources) {
              if (begun !== undefined && !begun.includes(resource.resource)) continue
              const { conflicts: found, counts } = yield* PushCheck.run(connection, resource, folder)
              if (begun !== undefined || counts.creates + counts.updates + counts.deletes > 0) {
                checked.push({ resource, counts })
              }
              conflicts.push(...found)
            }
            // A push that began goes on: it refuses each row that has a conflict.
            if (conflicts.length > 0 && begun === undefined) return yield* new FolderConflict({ folder, conflicts })
            if (checked.length === 0) return yield* Terminal.note("No changes.")
            if (dryRun) {
              yield* Output.show(
                checked.map((changed) => summary(changed, deletes)),
                output
              )
              yield* noteKept(checked, deletes)
              return yield* Terminal.note(Terminal.styledError("dim", "(Dry run: nothing was written.)"))
            }
            const changed = checked.map(({ resource }) => resource)
            const journal = yield* open(folder, changed, deletes)
            if (journal.isResumed) yield* Terminal.note("Continuing the push that was interrupted.")
            const renamed = new Map(changed.map(({ resource }) => [resource, journal.keys(resource)]))
            const unsettled = checked.filter(({ resource }) => !journal.isSettled(resource.resource))
            yield* Push.run({ connection, folder, journal, renamed }, unsettled, deletes)
            for (const { counts, resource } of checked) {
              yield* Settle.run(connection, journal, folder, resource, !deletes && counts.deletes > 0)
            }
            yield* journal.finish
            yield* Effect.ensuring(report(journal, changed, output), noteKept(checked, deletes))
          }),
        "long"
      )
    })
).pipe(
  Command.withDescription(
    "Write the changes of a folder to the service: new rows, and changed rows at the version that was pulled. Conflicts are listed before anything is written. Repeat the command to resume an interrupted push."
  )
)

const phases = ["create", "update", "delete"] as const

/** Shows what was written, and fails where the service refused changes. */
const report = (journal: PushJournal.PushJournal, resources: ReadonlyArray<Resource.Any>, output: Output.Flags) =>
  Effect.gen(function* () {
    const rows = resources.map(({ resource }) => {
      const written = phases.map((phase) => journal.done(resource, phase) - journal.refused(resource, phase).length)
      const [creates = 0, updates = 0, deletes = 0] = written
      const refused = phases.reduce((sum, phase) => sum + journal.refused(resource, phase).length, 0)
      return { resource, creates, updates, deletes, refused }
    })
    yield* Output.show(rows, output)
    const refusals = resources.flatMap(({ resource }) =>
      phases.flatMap((phase) =>
        journal
          .refused(resource, phase)
          .map(({ id, reason }) =>
            phase === "create" ? `${resource}, line ${id}: ${reason}` : `${resource} ${id}: ${reason}`
          )
      )
    )
    const [first, ...others] = refusals
    if (first === undefined) return
    for (const refusal of others) yield* Terminal.note(refusal)
    return yield* new RowsRefused({
      written: rows.reduce((sum, { creates, deletes, updates }) => sum + creates + updates + deletes, 0),
      refused: refusals.length,
      first: first.replace(/\.$/, ""),
      rejects: undefined,
      remedy: "The folder has them still: correct the files, and push again."
    })
  })

export const program: Program.Program = Program.make(command)
