/**
 * Renders a failure: as one paragraph, or as one JSON object where the output is JSON too.
 */
import * as HelpDoc from "@effect/cli/HelpDoc"
import type * as ValidationError from "@effect/cli/ValidationError"
import { UsageError } from "@mfgdata/domain/UsageError"
import type { Front } from "./Front.ts"
import type { Failure } from "./Program.ts"
import * as Terminal from "./Terminal.ts"

/** The failure for an error of the parser. */
export const fromValidation = (error: ValidationError.ValidationError): UsageError =>
  new UsageError({
    problem: Terminal.plain(HelpDoc.toAnsiText(error.error))
      .replaceAll(/\s*\n\s*/g, " ")
      .trim()
  })

/** True when the command line asks for `--output json` or `ndjson`: the report is JSON then. */
export const isJson = (args: ReadonlyArray<string>): boolean =>
  args.some((arg, index) => {
    const [name, value = args[index + 1]] = arg.split("=", 2)
    return (name === "--output" || name === "-o") && (value === "json" || value === "ndjson")
  })

const facts = (failure: object): object =>
  Object.fromEntries(
    Object.entries(failure).filter(([name, value]) => name !== "cause" && name !== "decodeError" && value !== undefined)
  )

/** The report for standard error. */
export const render = (
  { exitCodeOf, name, remedyOf }: Pick<Front, "name" | "exitCodeOf" | "remedyOf">,
  failure: Failure,
  asJson: boolean
): string => {
  const remedy = remedyOf(failure)
  if (asJson) {
    const { _tag, message } = failure
    const error = { ...facts(failure), _tag, message, ...(remedy === undefined ? {} : { remedy }) }
    return `${JSON.stringify({ error, exitCode: exitCodeOf(failure) })}\n`
  }
  const { message } = failure
  const paragraph = remedy === undefined ? message : `${message.replace(/\.?$/, ".")} ${remedy}`
  return `${Terminal.styledError("red", `${name}:`)} ${paragraph}\n`
}
