/**
 * Declares the flags of an import, and runs an import with them.
 */
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { RowsRefused } from "../CliError.ts"
import * as Connection from "../service/Connection.ts"
import * as Input from "../Input.ts"
import * as Default from "@mfgdata/shell/Default"
import * as Output from "@mfgdata/shell/output/Output"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as IntegerFlag from "@mfgdata/shell/IntegerFlag"
import * as Checkpoint from "./Checkpoint.ts"
import * as Import from "./Import.ts"
import * as Rejects from "./Rejects.ts"
import * as ImportFile from "./ImportFile.ts"
import * as TextFlag from "@mfgdata/shell/TextFlag"

const most = 5000

/** The flags. */
export const options = Options.all({
  format: Options.choice("format", ImportFile.formats).pipe(
    Options.withDescription("Format of the file (default: by its extension, ndjson on standard input)."),
    Options.optional
  ),
  onError: Options.choice("on-error", ["stop", "skip"] as const).pipe(
    Options.withDescription("Reaction to a refused row: stop after its batch, or skip it."),
    Default.of("stop")
  ),
  dryRun: Options.boolean("dry-run").pipe(Options.withDescription("Validation of every row, without a write.")),
  batch: IntegerFlag.option("batch", {
    description: "Number of rows in a batch.",
    least: 1,
    most,
    example: 500
  }).pipe(Default.of(500)),
  rejects: TextFlag.optional("rejects", "File of refused rows, with reasons (default: <file>.rejected.ndjson)."),
  checkpoint: TextFlag.optional(
    "checkpoint",
    "File of the progress, for a resumed import (default: <file>.checkpoint)."
  ),
  restart: Options.boolean("restart").pipe(
    Options.withDescription("New start, in place of an interrupted import; rows that it created are not removed.")
  ),
  company: TextFlag.optional("company", "Company of every row, in place of the company in the file."),
  output: Output.options,
  profile: Connection.profile
})

export type Flags = typeof options extends Options.Options<infer A> ? A : never

const fingerprint = (path: string) => (path === Input.standard ? Effect.succeed(null) : ImportFile.fingerprint(path))

/** Runs an import. `base` is the path that the names of its own files extend. */
export const run = (inputs: ReadonlyArray<Import.Input>, flags: Flags, base: string) =>
  Effect.gen(function* () {
    const { batch, dryRun: isDry, onError, output, restart } = flags
    const isStdin = inputs.some(({ path }) => path === Input.standard)
    const name = isStdin ? "import" : base
    const outcomes = yield* Connection.use(
      flags.profile,
      (connection) =>
        Effect.gen(function* () {
          const sources = yield* Effect.forEach(inputs, ({ path, resource }) =>
            Effect.map(fingerprint(path), (print) => ({ resource: resource.resource, fingerprint: print }))
          )
          const path = Option.getOrElse(flags.checkpoint, () => (isStdin ? undefined : `${name}.checkpoint`))
          const settings = { restUrl: connection.profile.restUrl, batch, sources }
          const checkpoint =
            isDry || path === undefined ? Checkpoint.none() : yield* Checkpoint.open(path, settings, restart)
          if (checkpoint.isResumed) yield* Terminal.note(`Resuming the import of ${path}.`)
          const rejects = Rejects.make(
            Option.getOrElse(flags.rejects, () => `${name}.rejected.ndjson`),
            checkpoint.rejects
          )
          const company = Option.getOrUndefined(flags.company)
          const outcomes = yield* Import.run(connection, inputs, {
            batch,
            onError,
            isDry,
            company,
            checkpoint,
            rejects
          })
          yield* checkpoint.finish
          const refused = outcomes.reduce((sum, outcome) => sum + outcome.refused, 0)
          const written = outcomes.reduce((sum, outcome) => sum + outcome.written, 0)
          return { outcomes, refused, written, path: rejects.path }
        }),
      "long"
    )
    yield* Output.show(
      outcomes.outcomes.map(({ refused, resource, written }): Output.Row =>
        isDry ? { resource, valid: written, invalid: refused } : { resource, written, refused }
      ),
      output
    )
    const { refused, written } = outcomes
    if (refused > 0) {
      return yield* new RowsRefused({
        written,
        refused,
        first: `See the first line of ${outcomes.path}`,
        rejects: outcomes.path,
        remedy: undefined
      })
    }
  })
