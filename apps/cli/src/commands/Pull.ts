/**
 * `mfg pull`: brings rows into a folder, to be changed without the service.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Output from "@mfgdata/shell/output/Output"
import * as Program from "@mfgdata/shell/Program"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as PulledFolder from "../folder/PulledFolder.ts"
import * as Pull from "../folder/Pull.ts"
import * as PushJournal from "../folder/PushJournal.ts"
import * as ResourceName from "../ResourceName.ts"
import * as Connection from "../service/Connection.ts"

const command = Command.make(
  "pull",
  {
    resources: Args.text({ name: "resource" }).pipe(
      Args.withDescription("Resource to pull; several are possible (default: those of the folder, else all)."),
      Args.repeated
    ),
    into: Options.text("into").pipe(Options.withPseudoName("folder"), Options.withDescription("Folder of the files.")),
    discard: Options.boolean("discard").pipe(
      Options.withDescription("Removal of the changes in the folder, in place of a merge.")
    ),
    output: Output.options,
    profile: Connection.profile
  },
  ({ discard, into: folder, output, profile, resources: names }) =>
    Effect.gen(function* () {
      const named = yield* Effect.forEach(names, ResourceName.parse)
      const before = yield* PulledFolder.find(folder)
      if (Option.isSome(yield* PushJournal.resources(PulledFolder.journal(folder)))) {
        return yield* new PulledFolder.FolderUnusable({
          path: folder,
          reason: "a push of it was interrupted",
          remedy: `Complete it first: mfg push ${folder}`
        })
      }
      const known = Option.match(before, { onNone: () => [], onSome: PulledFolder.resourcesOf })
      const { conflicts, pulled } = yield* Connection.use(
        profile,
        (connection) =>
          Effect.gen(function* () {
            if (Option.isSome(before)) {
              yield* PulledFolder.checkSource(folder, before.value, connection.profile.restUrl)
            }
            return yield* Pull.run(connection, {
              folder,
              resources: named.length > 0 ? named : known.length > 0 ? known : Catalogue.resources,
              isNamed: named.length > 0,
              others: known.map(({ resource }) => resource),
              discards: discard
            })
          }),
        "long"
      )
      yield* Output.show(
        pulled.map((file) => ({ ...file })),
        output
      )
      for (const { key, reason, resource } of conflicts) yield* Terminal.note(`${resource} ${key}: ${reason}.`)
      if (conflicts.some(({ isLost }) => isLost === true)) {
        yield* Terminal.note(`Your versions of deleted rows are in ${PulledFolder.lost(folder)}.`)
      }
      if (conflicts.some(({ isLost }) => isLost !== true)) {
        yield* Terminal.note("The folder has your values. To take those of the service, change the files.")
      }
    })
).pipe(
  Command.withDescription(
    "Pull rows into a folder, a file of JSON lines for each resource, sorted by key. Change the files, then use mfg diff and mfg push. Changes in the folder are merged with the newer rows."
  )
)

export const program: Program.Program = Program.make(command)
