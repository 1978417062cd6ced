/**
 * How a failure is told: as a readable paragraph, or as one JSON object where the rest is JSON too.
 */
import * as HelpDoc from "@effect/cli/HelpDoc"
import type * as ValidationError from "@effect/cli/ValidationError"
import { UsageError } from "./CliError.ts"
import * as ExitCode from "./ExitCode.ts"
import type { Failure } from "./Program.ts"
import * as Screen from "./Screen.ts"

/** What to do about some failures, beyond what their message says. */
const remedies: { readonly [tag: string]: string } = {
  Unauthorized: "mfg login keeps another key; mfg whoami shows which one is used.",
  Unreachable: "Is the service running? mfg doctor checks the set-up.",
  ResponseMalformed: "mfg doctor checks the addresses.",
  PreconditionFailed: "Read the row again before changing it."
}

/** The failure that a parser's complaint amounts to. */
export const fromValidation = (error: ValidationError.ValidationError): UsageError =>
  new UsageError({
    problem: Screen.plain(HelpDoc.toAnsiText(error.error))
      .replaceAll(/\s*\n\s*/g, " ")
      .trim()
  })

/** Whether errors are told in JSON: where `--output json` or `ndjson` was asked for. */
export const isJson = (args: ReadonlyArray<string>): boolean =>
  args.some((arg, index) => {
    const [name, value = args[index + 1]] = arg.split("=", 2)
    return (name === "--output" || name === "-o") && (value === "json" || value === "ndjson")
  })

const facts = (error: object): object =>
  Object.fromEntries(
    Object.entries(error).filter(([name, value]) => name !== "cause" && name !== "malformed" && value !== undefined)
  )

/** The text for standard error. */
export const tell = (error: Failure, asJson: boolean): string => {
  const remedy = remedies[error._tag]
  if (asJson) {
    const { _tag, message } = error
    return `${JSON.stringify({ error: { ...facts(error), _tag, message, ...(remedy === undefined ? {} : { remedy }) }, exitCode: ExitCode.of(error) })}\n`
  }
  const paragraph = remedy === undefined ? error.message : `${error.message.replace(/\.?$/, ".")} ${remedy}`
  return `${Screen.styledError("red", "mfg:")} ${paragraph}\n`
}
