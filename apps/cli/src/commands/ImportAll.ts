/**
 * `mfg import <file|folder>...`: rows of several resources, whose references to each other are kept.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Suggestion from "@mfgdata/domain/Suggestion"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { readdirSync, statSync } from "node:fs"
import { basename, extname, join } from "node:path"
import { FileFailed, UsageError } from "../CliError.ts"
import * as Input from "../Input.ts"
import * as Program from "../Program.ts"
import * as ImportFlags from "../transfer/ImportFlags.ts"
import type * as Importing from "../transfer/Importing.ts"
import * as Source from "../transfer/Source.ts"

const stem = (path: string): string => basename(path, extname(path))

const isOfResource = (path: string): boolean =>
  /\.(?:csv|ndjson|jsonl)$/i.test(path) && Catalogue.find(stem(path)) !== undefined

/** The files of a folder that are called after resources, or the file itself. */
const expand = (path: string): Effect.Effect<ReadonlyArray<string>, FileFailed> =>
  Effect.try({
    try: () =>
      statSync(path).isDirectory()
        ? readdirSync(path)
            .filter(isOfResource)
            .map((name) => join(path, name))
        : [path],
    catch: (cause) => new FileFailed({ path, verb: "read", reason: Input.reasonOf(cause) })
  })

/** A file by its name, or by `resource=path`. */
const input = (argument: string, flags: ImportFlags.Flags): Effect.Effect<Importing.Input, UsageError> => {
  const named = /^(\w+)=(.+)$/.exec(argument)
  const [, name = stem(argument), path = argument] = named ?? []
  const resource = Catalogue.find(name)
  return resource === undefined
    ? Effect.fail(
        new UsageError({
          problem: `There is no resource ${name} that rows of ${path} could be of.`,
          nearest: Suggestion.find(
            name,
            Catalogue.resources.map(({ resource }) => resource)
          ),
          expected: "A file is called after its resource, or given as resource=path.",
          example: "mfg import warehouseTransfer.ndjson warehouseTransferLine=lines.csv"
        })
      )
    : Effect.map(Source.formatOf(path, Option.getOrUndefined(flags.format)), (format) => ({ resource, path, format }))
}

const parentsFirst = (inputs: ReadonlyArray<Importing.Input>): ReadonlyArray<Importing.Input> =>
  inputs.toSorted((a, b) => Catalogue.importOrder.indexOf(a.resource) - Catalogue.importOrder.indexOf(b.resource))

const isNamed = (argument: string): boolean => /^\w+=/.test(argument)

const command = Command.make(
  "import",
  {
    paths: Args.text({ name: "file" }).pipe(
      Args.withDescription("A file called after its resource, resource=path, or a folder of such files."),
      Args.atLeast(1)
    ),
    flags: ImportFlags.options
  },
  ({ flags, paths }) =>
    Effect.gen(function* () {
      const found = yield* Effect.forEach(paths, (path) => (isNamed(path) ? Effect.succeed([path]) : expand(path)))
      const inputs = parentsFirst(yield* Effect.forEach(found.flat(), (path) => input(path, flags)))
      const twice = inputs.find(
        ({ resource }, index) => inputs.findIndex((other) => other.resource === resource) !== index
      )
      if (twice !== undefined) {
        return yield* new UsageError({
          problem: `Two files hold rows of ${twice.resource.resource}.`,
          expected: "Put them into one, or import one after the other."
        })
      }
      if (inputs.length === 0) {
        return yield* new UsageError({
          problem: `${paths.join(", ")} holds no file that is called after a resource.`,
          example: "warehouseTransfer.ndjson"
        })
      }
      const [first] = paths
      const beside = isNamed(first) ? first.replace(/^\w+=/, "") : first.replace(/\/+$/, "")
      yield* ImportFlags.run(inputs, flags, beside)
    })
).pipe(
  Command.withDescription(
    "Create rows of several resources. The service gives them new keys; references among the files are rewritten to these."
  )
)

export const program: Program.Program = Program.make(command)
