/**
 * Parses the bodies of error responses.
 */

/** The body of an error response, in the form of either interface. */
export interface ErrorBody {
  readonly code: string
  readonly message: string
  readonly details: string | undefined
  readonly hint: string | undefined
}

/** The reason where the service gives none. */
export const noReason = "no reason given"

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

/** Parses the body of an error response; `undefined` for a body without an error code, and for other responses. */
export const parse = ({ status, text }: { readonly status: number; readonly text: string }): ErrorBody | undefined => {
  if (status < 400) return undefined
  try {
    // Null throws, and other values have no code.
    const { code, details, hint, message } = JSON.parse(text) as { readonly [name: string]: unknown }
    const known = textOf(code)
    return known === undefined
      ? undefined
      : { code: known, message: textOf(message) ?? noReason, details: textOf(details), hint: textOf(hint) }
  } catch {
    return undefined
  }
}
