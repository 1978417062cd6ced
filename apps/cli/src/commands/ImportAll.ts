/**
 * `mfg import <file|folder>...`: imports several resources, and rewrites the references among their rows.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Suggestion from "@mfgdata/domain/Suggestion"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { readdirSync, statSync } from "node:fs"
import { basename, extname, join } from "node:path"
import { type FileFailed, UsageError } from "../CliError.ts"
import * as FileAccess from "../FileAccess.ts"
import * as Program from "@mfgdata/shell/Program"
import * as ImportFlags from "../transfer/ImportFlags.ts"
import type * as Import from "../transfer/Import.ts"
import * as ImportFile from "../transfer/ImportFile.ts"

const stem = (path: string): string => basename(path, extname(path))

const isOfResource = (path: string): boolean =>
  /\.(?:csv|ndjson|jsonl)$/i.test(path) && Catalogue.find(stem(path)) !== undefined

/** The files of a folder with the name of a resource, or the file itself. */
const expand = (path: string): Effect.Effect<ReadonlyArray<string>, FileFailed> =>
  FileAccess.reading(path, () =>
    statSync(path).isDirectory()
      ? readdirSync(path)
          .filter(isOfResource)
          .map((name) => join(path, name))
      : [path]
  )

/** The input of an argument: a file with the name of its resource, or `resource=path`. */
const input = (argument: string, flags: ImportFlags.Flags): Effect.Effect<Import.Input, UsageError> => {
  const [, name = stem(argument), path = argument] = /^(\w+)=(.+)$/.exec(argument) ?? []
  const resource = Catalogue.find(name)
  return resource === undefined
    ? Effect.fail(
        new UsageError({
          problem: `Unknown resource ${name} of the file ${path}.`,
          nearest: Suggestion.find(
            name,
            Catalogue.resources.map(({ resource }) => resource)
          ),
          expected: "Name the file after its resource, or write resource=path.",
          example: "mfg import warehouseTransfer.ndjson warehouseTransferLine=lines.csv"
        })
      )
    : Effect.map(ImportFile.formatOf(path, Option.getOrUndefined(flags.format)), (format) => ({
        resource,
        path,
        format
      }))
}

const parentsFirst = (inputs: ReadonlyArray<Import.Input>): ReadonlyArray<Import.Input> =>
  inputs.toSorted((a, b) => Catalogue.importOrder.indexOf(a.resource) - Catalogue.importOrder.indexOf(b.resource))

const isNamed = (argument: string): boolean => /^\w+=/.test(argument)

const command = Command.make(
  "import",
  {
    paths: Args.text({ name: "file" }).pipe(
      Args.withDescription("File with the name of its resource, resource=path, or a folder of such files."),
      Args.atLeast(1)
    ),
    flags: ImportFlags.options
  },
  ({ flags, paths }) =>
    Effect.gen(function* () {
      const files = yield* Effect.forEach(paths, (path) => (isNamed(path) ? Effect.succeed([path]) : expand(path)))
      const inputs = parentsFirst(yield* Effect.forEach(files.flat(), (path) => input(path, flags)))
      const duplicate = inputs.find(
        ({ resource }, index) => inputs.findIndex((other) => other.resource === resource) !== index
      )
      if (duplicate !== undefined) {
        return yield* new UsageError({
          problem: `Two files contain rows of ${duplicate.resource.resource}.`,
          expected: "Merge them, or import one after the other."
        })
      }
      if (inputs.length === 0) {
        return yield* new UsageError({
          problem: `No file with the name of a resource in ${paths.join(", ")}.`,
          example: "warehouseTransfer.ndjson"
        })
      }
      const [first] = paths
      const name = isNamed(first) ? first.replace(/^\w+=/, "") : first.replace(/\/+$/, "")
      yield* ImportFlags.run(inputs, flags, name)
    })
).pipe(
  Command.withDescription(
    "Create rows of several resources. The service sets new keys; references among the files are rewritten to them."
  )
)

export const program: Program.Program = Program.make(command)
