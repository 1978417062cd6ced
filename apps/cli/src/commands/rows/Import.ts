/**
 * `mfg <resource> import <file>`: imports rows from a file.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ImportFlags from "../../transfer/ImportFlags.ts"
import * as ImportFile from "../../transfer/ImportFile.ts"

/** The command of a resource. */
export const make = (resource: Resource.Any) =>
  Command.make(
    "import",
    {
      path: Args.text({ name: "file" }).pipe(Args.withDescription("File in NDJSON or CSV, or - for standard input.")),
      flags: ImportFlags.options
    },
    ({ flags, path }) =>
      Effect.flatMap(ImportFile.formatOf(path, Option.getOrUndefined(flags.format)), (format) =>
        ImportFlags.run([{ resource, path, format }], flags, path)
      )
  ).pipe(
    Command.withDescription(
      `Create rows of ${resource.resource} from a file. Repeat the command to resume an interrupted import; no row is written twice.`
    )
  )
