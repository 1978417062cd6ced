/**
 * Runs a command line, from the arguments of a process to its exit code.
 */
import type * as CliApp from "@effect/cli/CliApp"
import * as ValidationError from "@effect/cli/ValidationError"
import * as Effect from "effect/Effect"
import * as CommandLine from "./CommandLine.ts"
import * as FailureReport from "./FailureReport.ts"
import * as Front from "./Front.ts"
import * as Help from "./help/Help.ts"
import type { Failure } from "./Program.ts"
import * as ProgramHelp from "./help/ProgramHelp.ts"
import * as Switches from "./Switches.ts"
import * as Terminal from "./Terminal.ts"

/** The command that the completion scripts of shells call. */
export const completing = "__complete"

/** Moves the flags before the first word to the end, where the commands look for them. */
const reordered = (leadingFlags: ReadonlySet<string>, args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [flag = "", value, ...rest] = args
  return leadingFlags.has(flag) && value !== undefined && rest.length > 0
    ? reordered(leadingFlags, [...rest, flag, value])
    : args
}

/** Silences the parser's own report of its errors, which {@link FailureReport} replaces. */
const quietly = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.console, (console) => Effect.withConsole(self, { ...console, error: () => Effect.void }))

const dispatch = (
  front: Front.Front,
  version: string,
  args: ReadonlyArray<string>
): Effect.Effect<void, Failure | ValidationError.ValidationError, CliApp.CliApp.Environment> => {
  const [name = "--help", ...rest] = args
  if (name === "--help" || name === "-h") return Terminal.write(ProgramHelp.text(front, version))
  if (name === "help") return Effect.flatMap(Help.find(front, version, rest), Terminal.write)
  if (name === "--version") return Terminal.write(`${version}\n`)
  if (name === completing && front.complete !== undefined) {
    return Effect.flatMap(front.complete(rest), (words) => Terminal.write(words.map((word) => `${word}\n`).join("")))
  }
  const group = Front.find(front, name)
  if (group === undefined) return Effect.fail(CommandLine.unknownWord(front.name, name, Front.names(front)))
  return Effect.gen(function* () {
    const program = yield* Effect.promise(group.load)
    const action = yield* CommandLine.parse(`${front.name} ${name}`, rest, program.syntax())
    return yield* action._tag === "Help"
      ? Terminal.write(program.help(front.name, action.subcommand))
      : quietly(program.run({ name: front.name, version }, [name, ...action.args]))
  })
}

/** Runs a command line. Rows go to standard output, the report of a failure to standard error. */
export const run = (
  front: Front.Front,
  version: string,
  args: ReadonlyArray<string>
): Effect.Effect<number, never, CliApp.CliApp.Environment> => {
  const { on, others } = Switches.divide(
    args,
    (front.switches ?? []).map(([name]) => name)
  )
  const ordered = reordered(front.leadingFlags, others)
  return Switches.within(dispatch(front, version, ordered), on).pipe(
    Effect.as(0),
    Effect.catchAll((error) => {
      const failure = ValidationError.isValidationError(error) ? FailureReport.fromValidation(error) : error
      const report = FailureReport.render(front, failure, FailureReport.isJson(ordered))
      return Effect.as(Terminal.writeError(report), front.exitCodeOf(failure))
    })
  )
}
