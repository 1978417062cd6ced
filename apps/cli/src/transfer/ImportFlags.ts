/**
 * The flags of an import, and an import that is run by them.
 */
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { RowsRefused } from "../CliError.ts"
import * as Connection from "../Connection.ts"
import * as Input from "../Input.ts"
import * as Output from "../Output.ts"
import * as Screen from "../Screen.ts"
import * as Whole from "../Whole.ts"
import * as Checkpoint from "./Checkpoint.ts"
import * as Importing from "./Importing.ts"
import * as Rejects from "./Rejects.ts"
import * as Source from "./Source.ts"

const most = 5000

const text = (name: string, description: string) =>
  Options.text(name).pipe(Options.withDescription(description), Options.optional)

/** The flags. */
export const options = Options.all({
  format: Options.choice("format", Source.formats).pipe(
    Options.withDescription("What the file is; unless told, what its name ends with, and ndjson on standard input."),
    Options.optional
  ),
  onError: Options.choice("on-error", ["stop", "skip"] as const).pipe(
    Options.withDescription("Whether to stop at the first batch with a refused row, or to go on."),
    Options.withDefault("stop" as const)
  ),
  dryRun: Options.boolean("dry-run").pipe(Options.withDescription("Check every row, and write none.")),
  batch: Whole.option("batch", {
    description: "How many rows go together; 500 when left out.",
    least: 1,
    most,
    example: 500
  }).pipe(Options.withDefault(500)),
  rejects: text("rejects", "Where refused rows go, with reasons; beside the file when left out."),
  checkpoint: text("checkpoint", "Where it is kept how far the import has come; beside the file when left out."),
  restart: Options.boolean("restart").pipe(
    Options.withDescription("Forget how far an import had come; what it has written stays.")
  ),
  company: text("company", "The company of every row, whatever the file says."),
  output: Output.options,
  profile: Connection.profile
})

export type Flags = typeof options extends Options.Options<infer A> ? A : never

const fingerprint = (path: string) => (path === Input.standard ? Effect.succeed(null) : Source.fingerprint(path))

/** Runs an import. `beside` is the path that files of its own are named by. */
export const run = (inputs: ReadonlyArray<Importing.Input>, flags: Flags, beside: string) =>
  Effect.gen(function* () {
    const { batch, dryRun: isDry, onError, output, restart } = flags
    const isPiped = inputs.some(({ path }) => path === Input.standard)
    const name = isPiped ? "import" : beside
    const outcomes = yield* Connection.use(
      flags.profile,
      (connection) =>
        Effect.gen(function* () {
          const sources = yield* Effect.forEach(inputs, ({ path, resource }) =>
            Effect.map(fingerprint(path), (print) => ({ resource: resource.resource, fingerprint: print }))
          )
          const path = Option.getOrElse(flags.checkpoint, () => (isPiped ? undefined : `${name}.checkpoint`))
          const begun = { restUrl: connection.profile.restUrl, batch, sources }
          const checkpoint =
            isDry || path === undefined ? Checkpoint.none() : yield* Checkpoint.open(path, begun, restart)
          if (checkpoint.isResumed) yield* Screen.note(`Going on with the import that ${path} tells of.`)
          const rejects = Rejects.make(
            Option.getOrElse(flags.rejects, () => `${name}.rejected.ndjson`),
            checkpoint.rejects
          )
          const company = Option.getOrUndefined(flags.company)
          const outcomes = yield* Importing.run(connection, inputs, {
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
        isDry ? { resource, fit: written, unfit: refused } : { resource, written, refused }
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
