/**
 * The exit code of every way in which a command can end. Scripts rely on these numbers: they never change.
 */

/** Each code, what it means, and the errors that end with it. */
export const codes = [
  { code: 0, meaning: "done; a reader that closed the pipe early counts too", tags: [] },
  { code: 1, meaning: "failed in a way that has no code of its own", tags: ["FileFailed", "Unwell"] },
  { code: 2, meaning: "the command line, or a value in it, is not understood", tags: ["UsageError", "Unconfirmed"] },
  {
    code: 3,
    meaning: "not set up: no address, no key, or a profile that others can read",
    tags: ["ProfileMissing", "ProfileUnusable", "AdminKeyMissing", "ControlMissing"]
  },
  { code: 4, meaning: "the service does not accept the key", tags: ["Unauthorized"] },
  { code: 5, meaning: "the key does not allow this", tags: ["Forbidden"] },
  { code: 6, meaning: "there is no such row, account or path", tags: ["RowNotFound", "NotFound"] },
  {
    code: 7,
    meaning: "the service refused what was asked or written",
    tags: ["QueryRejected", "RowRejected", "OperationRejected"]
  },
  {
    code: 8,
    meaning: "in conflict with what is stored: a duplicate, a missing or remaining reference, another's change",
    tags: ["Conflict", "ReferenceMissing", "StillReferenced", "PreconditionFailed"]
  },
  { code: 9, meaning: "too many calls", tags: ["RateLimited"] },
  { code: 10, meaning: "the service cannot answer now", tags: ["ServiceUnavailable"] },
  { code: 11, meaning: "no service at the address", tags: ["Unreachable"] },
  { code: 12, meaning: "the answer is not one of this interface", tags: ["ResponseMalformed"] },
  { code: 13, meaning: "an import left rows out", tags: ["RowsRefused"] },
  { code: 14, meaning: "a file is not what an import or a resumed export needs", tags: ["InputMalformed"] },
  { code: 130, meaning: "interrupted", tags: [] }
] as const

const byTag: ReadonlyMap<string, number> = new Map(
  codes.flatMap(({ code, tags }) => tags.map((tag): [string, number] => [tag, code]))
)

/** Interrupted by a person. */
export const interrupted = 130

const fromStatus = (status: number): number => {
  switch (status) {
    case 401:
      return 4
    case 403:
      return 5
    case 404:
      return 6
    case 409:
    case 412:
      return 8
    case 429:
      return 9
    default:
      return status >= 500 ? 10 : 7
  }
}

const statusOf = (error: { readonly _tag: string; readonly status?: unknown }): number | undefined =>
  (error._tag === "CallRefused" || error._tag === "OperationRefused") && typeof error.status === "number"
    ? error.status
    : undefined

/** The code that an error ends with. */
export const of = (error: { readonly _tag: string; readonly status?: unknown }): number => {
  const status = statusOf(error)
  return status === undefined ? (byTag.get(error._tag) ?? 1) : fromStatus(status)
}
