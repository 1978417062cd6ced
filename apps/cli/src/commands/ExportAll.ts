/**
 * `mfg export --to <folder> [resource]...`: exports several resources, each into a file, with one manifest.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import * as FileAccess from "../FileAccess.ts"
import * as ResourceName from "../ResourceName.ts"
import * as Connection from "../service/Connection.ts"
import * as Default from "@mfgdata/shell/Default"
import * as Output from "@mfgdata/shell/output/Output"
import * as Program from "@mfgdata/shell/Program"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Export from "../transfer/Export.ts"
import * as ImportFile from "../transfer/ImportFile.ts"

const Files = Schema.Struct({ files: Schema.Array(Export.Manifest) })

/** The finished files of an interrupted export. */
const finished = (path: string): ReadonlyArray<Export.Manifest> => {
  try {
    return Schema.decodeUnknownSync(Schema.parseJson(Files))(readFileSync(path, "utf8")).files
  } catch {
    return []
  }
}

const command = Command.make(
  "export",
  {
    resources: Args.text({ name: "resource" }).pipe(
      Args.withDescription("Resources to export (default: all that the key can read)."),
      Args.repeated
    ),
    to: Options.text("to").pipe(Options.withPseudoName("folder"), Options.withDescription("Folder of the files.")),
    format: Options.choice("format", ImportFile.formats).pipe(
      Options.withDescription("Format of the files."),
      Default.of("ndjson")
    ),
    restart: Options.boolean("restart").pipe(Options.withDescription("New start, in place of an interrupted export.")),
    output: Output.options,
    profile: Connection.profile
  },
  ({ format, output, profile, resources, restart, to }) =>
    Effect.gen(function* () {
      const chosen: ReadonlyArray<Resource.Any> =
        resources.length === 0 ? Catalogue.resources : yield* Either.all(resources.map(ResourceName.parse))
      const note = join(to, "manifest.part.json")
      yield* FileAccess.writing(to, () => {
        mkdirSync(to, { recursive: true })
        if (restart) rmSync(note, { force: true })
      })
      const before = finished(note).filter(({ file }) => existsSync(join(to, file)))
      const files: Array<Export.Manifest> = []
      yield* Connection.use(
        profile,
        (connection) =>
          Effect.forEach(chosen, (resource) =>
            Effect.gen(function* () {
              const done = before.find(
                (file) =>
                  file.resource === resource.resource &&
                  file.format === format &&
                  file.source === connection.profile.restUrl
              )
              if (done !== undefined) return void files.push(done)
              const path = join(to, `${resource.resource}.${format}`)
              const columns = Export.columnsOf(resource)
              const exported = Export.run(connection, { resource, path, format, query: "", columns, restart })
              const written = yield* Effect.asSome(exported).pipe(
                // A resource that was not named is optional.
                Effect.catchTag("Forbidden", (error) =>
                  resources.length > 0
                    ? Effect.fail(error)
                    : Effect.as(Terminal.note(`Skipped ${resource.resource}: ${error.message}`), Option.none())
                )
              )
              if (Option.isNone(written)) return
              const { resumedAt: _, ...manifest } = written.value
              files.push(manifest)
              yield* Export.writeManifest(note, { files })
            })
          ),
        "long"
      )
      yield* Export.writeManifest(join(to, "manifest.json"), { files })
      yield* Effect.sync(() => rmSync(note, { force: true }))
      yield* Output.show(
        files.map(({ bytes, file, rows }): Output.Row => ({ file, rows, bytes })),
        output
      )
    })
).pipe(
  Command.withDescription(
    "Export several resources into a folder, each into a file, with counts and checksums in manifest.json. Repeat the command to resume an interrupted export."
  )
)

export const program: Program.Program = Program.make(command)
