/**
 * `mfg <resource> import <file>`.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ImportFlags from "../../transfer/ImportFlags.ts"
import * as Source from "../../transfer/Source.ts"

/** The command. */
export const make = (resource: Resource.Any) =>
  Command.make(
    "import",
    {
      path: Args.text({ name: "file" }).pipe(Args.withDescription("A .ndjson or .csv file, or - for standard input.")),
      flags: ImportFlags.options
    },
    ({ flags, path }) =>
      Effect.flatMap(Source.formatOf(path, Option.getOrUndefined(flags.format)), (format) =>
        ImportFlags.run([{ resource, path, format }], flags, path)
      )
  ).pipe(
    Command.withDescription(
      `Create rows of ${resource.resource} from a file. An import that was interrupted goes on when it is repeated, and writes nothing twice.`
    )
  )
