/**
 * Runs a command line, from the arguments of a process to its exit code.
 */
import * as Effect from "effect/Effect"
import * as CommandLine from "./CommandLine.ts"
import * as Executable from "./Executable.ts"
import * as FailureReport from "./FailureReport.ts"
import * as Front from "./Front.ts"
import * as Help from "./help/Help.ts"
import type { Failure, Flag } from "./Program.ts"
import * as ProgramHelp from "./help/ProgramHelp.ts"
import * as Switches from "./Switches.ts"
import * as Terminal from "./Terminal.ts"

/** The command that the completion scripts of shells call. */
export const completing = "__complete"

/** Moves the flags before the first word to the end, where the commands look for them. */
const reordered = (flags: ReadonlyArray<Flag>, args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [name = "", value, ...rest] = args
  return flags.some(({ names }) => names.includes(name)) && value !== undefined && rest.length > 0
    ? reordered(flags, [...rest, name, value])
    : args
}

const dispatch = (front: Front.Front, version: string, args: ReadonlyArray<string>): Effect.Effect<void, Failure> => {
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
    const program = yield* Effect.promise(() => group.load(rest[0]))
    const action = yield* CommandLine.parse(`${front.name} ${name}`, rest, program.syntax(), front.commonFlags)
    return yield* action._tag === "Help"
      ? Terminal.write(program.help(front.name, action.subcommand))
      : program.run({ name: front.name, version }, [name, ...action.args])
  })
}

/** Runs a command line. Rows go to standard output, the report of a failure to standard error. */
export const run = (front: Front.Front, version: string, args: ReadonlyArray<string>): Effect.Effect<number> => {
  const work = Effect.gen(function* () {
    const { on, others } = yield* Switches.divide(args, front.switches ?? [])
    yield* Switches.within(dispatch(front, version, reordered(front.commonFlags, others)), on)
  })
  return Executable.within(work, { name: front.name, version }).pipe(
    Effect.as(0),
    Effect.catchAll((failure) => {
      const report = FailureReport.render(front, failure, FailureReport.isJson(args))
      return Effect.as(Terminal.writeError(report), front.exitCodeOf(failure))
    })
  )
}
