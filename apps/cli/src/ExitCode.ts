/**
 * Maps each error to its exit code. Scripts rely on the codes: they never change.
 */
import * as Shared from "@mfgdata/shell/ExitCode"

/** Each code with its meaning and its errors. */
export const codes = [
  { code: 0, meaning: "success, also when the reader of a pipe closes it early", tags: [] },
  {
    code: Shared.failed,
    meaning: "a failure without a code of its own",
    tags: ["FileFailed", "EditorFailed", "ChecksFailed"]
  },
  {
    code: Shared.misused,
    meaning: "an invalid command line, or a missing confirmation",
    tags: ["UsageError", "Unconfirmed"]
  },
  {
    code: 3,
    meaning: "no set-up: no address, no key, or a profile that other users can read or whose keychain is locked",
    tags: ["ProfileMissing", "ProfileUnusable", "KeysUnreadable", "AdminKeyMissing", "AdminInterfaceMissing"]
  },
  {
    code: 4,
    meaning: "the service rejects the key, or the key is for another service",
    tags: ["Unauthorized", "KeyNotSent"]
  },
  { code: 5, meaning: "the key lacks a scope", tags: ["Forbidden"] },
  { code: 6, meaning: "no row, account, path or page of this name", tags: ["RowNotFound", "PageMissing"] },
  {
    code: 7,
    meaning: "the service refuses the request",
    tags: ["QueryRejected", "RowRejected", "DryRunUnsupported"]
  },
  {
    code: 8,
    meaning: "a conflict with stored rows: a duplicate, a missing or remaining reference, a concurrent change",
    tags: ["Conflict", "ReferenceMissing", "StillReferenced", "PreconditionFailed", "EditConflict", "FolderConflict"]
  },
  { code: 9, meaning: "too many requests", tags: ["RateLimited"] },
  { code: 10, meaning: "the service is unavailable", tags: ["ServiceUnavailable"] },
  { code: 11, meaning: "no service at the address", tags: ["Unreachable"] },
  { code: 12, meaning: "the response does not match the interface", tags: ["ResponseMalformed"] },
  { code: 13, meaning: "an import with refused rows", tags: ["RowsRefused"] },
  {
    code: 14,
    meaning: "a file or folder whose contents cannot be read",
    tags: ["CertificatesUnusable", "InputMalformed", "FolderUnusable"]
  },
  {
    code: 15,
    meaning: "the request exceeds a limit of the service: time, memory or size",
    tags: ["QueryTooCostly"]
  },
  { code: Shared.interrupted, meaning: "interrupted", tags: [] }
] as const

const byTag: ReadonlyMap<string, number> = new Map(
  codes.flatMap(({ code, tags }) => tags.map((tag): [string, number] => [tag, code]))
)

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

const statusOf = (error: Failure): number | undefined =>
  (error._tag === "CallRefused" || error._tag === "OperationRefused") && typeof error.status === "number"
    ? error.status
    : undefined

interface Failure {
  readonly _tag: string
  readonly status?: unknown
}

/** The exit code of an error. */
export const of = (error: Failure): number => {
  const status = statusOf(error)
  return status === undefined ? (byTag.get(error._tag) ?? Shared.failed) : fromStatus(status)
}
