/**
 * `mfg export --to <folder> [resource]...`: rows of several resources, a file each, and one manifest.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Suggestion from "@mfgdata/domain/Suggestion"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { FileFailed, UsageError } from "../CliError.ts"
import * as Connection from "../Connection.ts"
import * as Input from "../Input.ts"
import * as Output from "../Output.ts"
import * as Program from "../Program.ts"
import * as Screen from "../Screen.ts"
import * as Exporting from "../transfer/Exporting.ts"
import * as Source from "../transfer/Source.ts"

const names: ReadonlyArray<string> = Catalogue.resources.map(({ resource }) => resource)

const resourceOf = (name: string): Either.Either<Resource.Any, UsageError> =>
  Either.fromNullable(
    Catalogue.find(name),
    () => new UsageError({ problem: `There is no resource ${name}.`, nearest: Suggestion.find(name, names) })
  )

const Files = Schema.Struct({ files: Schema.Array(Exporting.Manifest) })

/** The files that an interrupted export has finished. */
const finished = (path: string): ReadonlyArray<Exporting.Manifest> => {
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
      Args.withDescription("Resources whose rows to write; all that the key may read when left out."),
      Args.repeated
    ),
    to: Options.text("to").pipe(Options.withPseudoName("folder"), Options.withDescription("The folder to write into.")),
    format: Options.choice("format", Source.formats).pipe(
      Options.withDescription("What to write."),
      Options.withDefault("ndjson" as const)
    ),
    restart: Options.boolean("restart").pipe(
      Options.withDescription("Begin anew, whatever an interrupted export has written.")
    ),
    output: Output.options,
    profile: Connection.profile
  },
  ({ format, output, profile, resources, restart, to }) =>
    Effect.gen(function* () {
      const chosen: ReadonlyArray<Resource.Any> =
        resources.length === 0 ? Catalogue.resources : yield* Either.all(resources.map(resourceOf))
      const note = join(to, "manifest.part.json")
      yield* Effect.try({
        try: () => {
          mkdirSync(to, { recursive: true })
          if (restart) rmSync(note, { force: true })
        },
        catch: (cause) => new FileFailed({ path: to, verb: "written", reason: Input.reasonOf(cause) })
      })
      const before = finished(note).filter(({ file }) => existsSync(join(to, file)))
      const files: Array<Exporting.Manifest> = []
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
              const columns = Exporting.columnsOf(resource)
              const exported = Exporting.run(connection, { resource, path, format, query: "", columns, restart })
              const written = yield* Effect.asSome(exported).pipe(
                // Nobody named it: what is closed to the key is left out, and told.
                Effect.catchTag("Forbidden", (error) =>
                  resources.length > 0
                    ? Effect.fail(error)
                    : Effect.as(Screen.note(`Left out ${resource.resource}: ${error.message}`), Option.none())
                )
              )
              if (Option.isNone(written)) return
              const { resumedAt: _, ...manifest } = written.value
              files.push(manifest)
              yield* Exporting.writeManifest(note, { files })
            })
          ),
        "long"
      )
      yield* Exporting.writeManifest(join(to, "manifest.json"), { files })
      yield* Effect.sync(() => rmSync(note, { force: true }))
      yield* Output.show(
        files.map(({ bytes, file, rows }): Output.Row => ({ file, rows, bytes })),
        output
      )
    })
).pipe(
  Command.withDescription(
    "Write rows of several resources into a folder, a file each, with counts and checksums in manifest.json. Repeat it to go on after an interruption."
  )
)

export const program: Program.Program = Program.make(command)
