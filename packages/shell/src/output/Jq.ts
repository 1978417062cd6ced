/**
 * Runs jq expressions over the output of a command. The program is jq itself, compiled to WebAssembly; it is loaded
 * where an expression is used.
 */
import { UsageError } from "@mfgdata/domain/UsageError"
import * as Effect from "effect/Effect"

/** The first line of jq's message. */
const reasonOf = (stderr: string): string =>
  (stderr.split("\n", 1)[0] ?? "")
    .replace(/^jq: error(?: \(at [^)]*\))?: /, "")
    .replace(/ at <top-level>, line (\d+), column (\d+):$/, " in line $1, column $2")

const refused = (expression: string, stderr: string): UsageError =>
  new UsageError({
    problem: `Invalid value ${JSON.stringify(expression)} for --jq: ${reasonOf(stderr)}.`,
    example: "--jq '.[].id'"
  })

const jq = (expression: string, input: string, flags: ReadonlyArray<string> = []) =>
  Effect.promise(() => import("jq-wasm")).pipe(
    Effect.flatMap(({ raw }) => Effect.promise(() => raw(input, expression, [...flags])))
  )

/** Compiles an expression without running it, so that a mistake is found before a request is sent. */
export const check = (expression: string): Effect.Effect<string, UsageError> =>
  Effect.gen(function* () {
    const { exitCode } = yield* jq(`empty | (${expression}\n)`, "null")
    if (exitCode === 0) return expression
    // By itself, the expression fails at the position that the caller sees.
    const { stderr } = yield* jq(expression, "null")
    return yield* refused(expression, stderr)
  })

/** Writes a text as it is, as `jq --raw-output` does. Only a text begins its line with a quote. */
const unquoted = (line: string): string => (line.startsWith('"') ? String(JSON.parse(line)) : line)

/** The outputs of an expression for some JSON, each on a line of its own, or indented. */
export const run = (expression: string, json: string, isIndented: boolean): Effect.Effect<string, UsageError> =>
  Effect.flatMap(jq(expression, json, isIndented ? ["--indent", "2"] : ["-c"]), ({ exitCode, stderr, stdout }) =>
    exitCode !== 0
      ? Effect.fail(refused(expression, stderr))
      : Effect.succeed(stdout === "" ? "" : `${stdout.split("\n").map(unquoted).join("\n")}\n`)
  )
