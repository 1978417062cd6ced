/**
 * `mfg diff <folder>`: shows the changes of a pulled folder.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import type { JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Output from "@mfgdata/shell/output/Output"
import * as Program from "@mfgdata/shell/Program"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import * as Fields from "../Fields.ts"
import * as FolderChange from "../folder/FolderChange.ts"
import * as PulledFolder from "../folder/PulledFolder.ts"
import * as RowChange from "../RowChange.ts"

/** The argument of commands over a pulled folder. */
export const folder: Args.Args<string> = Args.text({ name: "folder" }).pipe(
  Args.withDescription("Folder that mfg pull has made.")
)

const valuesOf = (resource: Resource.Any, row: JsonObject): JsonObject =>
  Object.fromEntries(
    Fields.writable(resource).flatMap(({ name }) => (row[name] == null ? [] : [[name, row[name]] as const]))
  )

/** The lines of a change: one for a row, and one for each field of a changed row. */
const linesOf = (resource: Resource.Any, change: FolderChange.FolderChange): ReadonlyArray<Output.Row> => {
  const of = { resource: resource.resource, change: change._tag.toLowerCase() }
  switch (change._tag) {
    case "Create":
      return [{ ...of, key: change.key ?? null, field: null, before: null, after: valuesOf(resource, change.row) }]
    case "Update":
      return RowChange.between(resource, change.base, change.row).map((field) => ({ ...of, key: change.key, ...field }))
    case "Delete":
      return [{ ...of, key: change.key, field: null, before: valuesOf(resource, change.base), after: null }]
  }
}

/** The lines of all changes. */
export const lines = (folder: string, resources: ReadonlyArray<Resource.Any>) =>
  Stream.flatMap(Stream.fromIterable(resources), (resource) =>
    Stream.fromIterable(FolderChange.changes(resource, folder)).pipe(
      Stream.mapEffect((read) => Either.map(read, (change) => linesOf(resource, change)))
    )
  )

const command = Command.make("diff", { folder, output: Output.options }, ({ folder, output }) =>
  Effect.gen(function* () {
    const manifest = yield* PulledFolder.read(folder)
    const pieces = Stream.map(Stream.grouped(lines(folder, PulledFolder.resourcesOf(manifest)), 1000), (group) =>
      Array.from(group).flat()
    )
    yield* Output.stream(pieces, { flags: output, none: "No changes." })
  })
).pipe(
  Command.withDescription(
    "Show the changes of a folder since mfg pull: new, changed and deleted rows. Sends no request."
  )
)

export const program: Program.Program = Program.make(command)
