/** The text of an unknown failure. */
export const ofCause = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
