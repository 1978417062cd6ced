/**
 * Renders a failure: as one paragraph, or as one JSON object where the output is JSON too.
 */
import * as Duration from "effect/Duration"
import type { Front } from "./Front.ts"
import type { Failure } from "./Program.ts"
import * as Terminal from "./Terminal.ts"

/** True when the command line asks for `--output json` or `ndjson`: the report is JSON then. */
export const isJson = (args: ReadonlyArray<string>): boolean =>
  args.some((arg, index) => {
    const [name, value = args[index + 1]] = arg.split("=", 2)
    return (name === "--output" || name === "-o") && (value === "json" || value === "ndjson")
  })

/** A fact of an error as JSON. */
const fact = (value: unknown): unknown => (Duration.isDuration(value) ? Duration.toSeconds(value) : value)

/** The facts of an error without its causes, which may hold the contents of a request. */
const facts = (failure: object): { readonly [name: string]: unknown } =>
  Object.fromEntries(
    Object.entries(failure).flatMap(([name, value]) =>
      name === "cause" || name === "decodeError" || value === undefined ? [] : [[name, fact(value)]]
    )
  )

/** The facts that any error may have, under the same names. */
interface SharedFacts {
  readonly code?: string | undefined
  readonly field?: string | undefined
  readonly fields?: ReadonlyArray<string> | undefined
  readonly requestId?: string | undefined
}

const json = (front: Policy, failure: Failure & SharedFacts, remedy: string | undefined): string => {
  const { _tag, code = null, field, fields = field === undefined ? [] : [field], message } = failure
  const { requestId = null } = failure
  const status = front.statusOf(failure) ?? null
  const shared = { _tag, message, code, status, fields, requestId, retryable: front.isRetryable(failure) }
  const error = { ...shared, ...facts(failure), ...shared, ...(remedy === undefined ? {} : { remedy }) }
  return `${JSON.stringify({ error, exitCode: front.exitCodeOf(failure) })}\n`
}

type Policy = Pick<Front, "name" | "exitCodeOf" | "isRetryable" | "remedyOf" | "statusOf">

/** The report for standard error. */
export const render = (front: Policy, failure: Failure, asJson: boolean): string => {
  const remedy = front.remedyOf(failure)
  if (asJson) return json(front, failure, remedy)
  const { message } = failure
  const paragraph = remedy === undefined ? message : `${message.replace(/\.?$/, ".")} ${remedy}`
  return `${Terminal.styledError("red", `${front.name}:`)} ${paragraph}\n`
}

/** The report of a defect of the program. */
export const defect = (front: Policy, description: string, asJson: boolean): string => {
  const message = `Unexpected failure, a defect of ${front.name}: ${description}`
  return asJson ? json(front, { _tag: "Defect", message }, undefined) : `${front.name}: ${message}\n`
}
