/** The text of an unknown failure. */
export const ofCause = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** The text of a failed `fetch`, whose cause has the reason. An attempt at several addresses has a code in its place. */
export const ofFetch = (failure: unknown): string => {
  const cause = failure instanceof Error ? failure.cause : undefined
  if (!(cause instanceof Error)) return ofCause(failure)
  return cause.message === "" && "code" in cause ? String(cause.code) : cause.message
}
