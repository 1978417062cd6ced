/**
 * The errors of calls: a response of the service that is an error, and the absence of a response.
 */

/** A problem with one field of a request. */
export interface Issue {
  readonly field: string
  readonly message: string
}

/** The facts of an error response. */
interface Facts {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details?: string | undefined
  readonly hint?: string | undefined
  readonly issues: ReadonlyArray<Issue>
  readonly requestId?: string | undefined
}

/** An error response. */
export class ServiceError extends Error {
  override readonly name = "ServiceError"
  readonly status: number
  readonly code: string
  readonly details: string | undefined
  readonly hint: string | undefined
  readonly issues: ReadonlyArray<Issue>
  readonly requestId: string | undefined

  constructor({ code, details, hint, issues, message, requestId, status }: Facts) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
    this.hint = hint
    this.issues = issues
    this.requestId = requestId
  }
}

/** A write without a response: it may have happened. Reads are sent again when the service is back. */
export class Unreachable extends Error {
  override readonly name = "Unreachable"

  constructor() {
    super("The service did not answer. The change may have happened: look before you send it again.")
  }
}

/** A call that needs the administrator's key, which the session does not have. */
export class AdminKeyMissing extends Error {
  override readonly name = "AdminKeyMissing"

  constructor() {
    super("This needs the administrator's key.")
  }
}

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

const issuesOf = (data: unknown): ReadonlyArray<Issue> => {
  const issues = isObject(data) && Array.isArray(data["issues"]) ? data["issues"] : []
  return issues.filter(isObject).map(({ message, path }) => ({
    field: Array.isArray(path) ? path.join(".") : "",
    message: String(message)
  }))
}

/** The column that the details of a row error name. */
const fieldIssues = (body: { readonly [name: string]: unknown }): ReadonlyArray<Issue> => {
  const [, field] = /column "?(\w+)"?|Key \((\w+)\)/.exec(`${textOf(body["message"])} ${textOf(body["details"])}`) ?? []
  return field === undefined ? [] : [{ field, message: textOf(body["message"]) ?? "" }]
}

/** Reads the error of a response: of rows (`code`, `message`, `details`, `hint`) and of operations (`data.issues`). */
export const fromResponse = (status: number, text: string, requestId: string | undefined): ServiceError => {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    body = undefined
  }
  const fields = isObject(body) ? body : {}
  const issues = issuesOf(fields["data"])
  return new ServiceError({
    status,
    code: textOf(fields["code"]) ?? String(status),
    message: textOf(fields["message"]) ?? `The service responded with ${status}.`,
    details: textOf(fields["details"]),
    hint: textOf(fields["hint"]),
    issues: issues.length > 0 ? issues : fieldIssues(fields),
    requestId
  })
}

/** The fields of an error that a form shows next to its inputs: messages by the name of the field. */
export const messagesByField = (error: unknown): ReadonlyMap<string, string> =>
  new Map(error instanceof ServiceError ? error.issues.map(({ field, message }) => [field, message]) : [])
