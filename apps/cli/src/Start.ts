/**
 * From the arguments of a process to its exit code.
 */
import type * as CliApp from "@effect/cli/CliApp"
import * as ValidationError from "@effect/cli/ValidationError"
import { unknownCommand } from "@mfgdata/domain/UsageError"
import * as Effect from "effect/Effect"
import * as CommandLine from "./CommandLine.ts"
import * as ExitCode from "./ExitCode.ts"
import * as Groups from "./Groups.ts"
import * as Help from "./Help.ts"
import type { Failure } from "./Program.ts"
import * as Screen from "./Screen.ts"
import * as Telling from "./Telling.ts"

/** Flags that stand before the first word are moved behind all others, where they are looked for. */
const leading: ReadonlySet<string> = new Set(["--profile", "--output", "-o"])

const reordered = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [flag = "", value, ...rest] = args
  return leading.has(flag) && value !== undefined && rest.length > 0 ? reordered([...rest, flag, value]) : args
}

/** The parser's own words for what it refuses are told by {@link Telling} instead. */
const quietly = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.console, (console) => Effect.withConsole(self, { ...console, error: () => Effect.void }))

/** What the scripts of `mfg completions` ask. */
const complete = (typed: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.promise(() => import("./Completion.ts")).pipe(
    Effect.flatMap(({ words }) => words(typed)),
    Effect.flatMap((words) => Screen.write(words.map((word) => `${word}\n`).join("")))
  )

const dispatch = (
  version: string,
  args: ReadonlyArray<string>
): Effect.Effect<void, Failure | ValidationError.ValidationError, CliApp.CliApp.Environment> => {
  const [name = "--help", ...rest] = args
  if (name === "--help" || name === "-h" || name === "help") return Screen.write(Help.text(version))
  if (name === "--version") return Screen.write(`${version}\n`)
  if (name === "__complete") return complete(rest)
  const group = Groups.find(name)
  if (group === undefined) return Effect.fail(unknownCommand("mfg", name, Groups.names))
  return Effect.gen(function* () {
    const program = yield* Effect.promise(group.load)
    const wanted = yield* CommandLine.check(name, rest, program.words())
    return yield* wanted._tag === "Help"
      ? Screen.write(program.help(wanted.word))
      : quietly(program.run(version, [name, ...wanted.args]))
  })
}

/** Runs a command line. Rows go to standard output; how it failed, if it did, to standard error. */
export const run = (
  version: string,
  given: ReadonlyArray<string>
): Effect.Effect<number, never, CliApp.CliApp.Environment> => {
  const args = reordered(given)
  return dispatch(version, args).pipe(
    Effect.as(0),
    Effect.catchAll((error) => {
      const failure = ValidationError.isValidationError(error) ? Telling.fromValidation(error) : error
      return Effect.as(
        Effect.sync(() => void process.stderr.write(Telling.tell(failure, Telling.isJson(args)))),
        ExitCode.of(failure)
      )
    })
  )
}
