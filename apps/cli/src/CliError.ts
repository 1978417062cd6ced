/**
 * Declares the errors of `mfg` other than those of the client.
 */
import * as Data from "effect/Data"

const sentences = (...parts: ReadonlyArray<string | undefined>): string =>
  parts.filter((part) => part !== undefined).join(" ")

export { UsageError } from "@mfgdata/domain/UsageError"
export { KeyNotSent, KeysUnreadable, ProfileMissing, ProfileUnusable } from "@mfgdata/shell/profile/ProfileError"

/** An administrator's operation without an administrator's key. */
export class AdminKeyMissing extends Data.TaggedError("AdminKeyMissing")<{ readonly purpose: string }> {
  override get message(): string {
    return `${this.purpose} needs the administrator's key of the service. Set MFG_ADMIN_KEY, or run: mfg login --admin`
  }
}

/** A service without the administrator's interface. */
export class AdminInterfaceMissing extends Data.TaggedError("AdminInterfaceMissing")<{ readonly origin: string }> {
  override get message(): string {
    return `The service at ${this.origin} has no administrator's interface: it is another service, or runs without an administrator's key.`
  }
}

/** A service that does not take changes back. */
export class DryRunUnsupported extends Data.TaggedError("DryRunUnsupported")<{ readonly origin: string }> {
  override get message(): string {
    return `The service at ${this.origin} has no dry runs (Prefer: tx=rollback). Nothing was written.`
  }
}

/** A file or stream that cannot be read or written. */
export class FileFailed extends Data.TaggedError("FileFailed")<{
  readonly path: string
  readonly verb: "read" | "written"
  readonly reason: string
}> {
  override get message(): string {
    return `${this.path} cannot be ${this.verb}: ${this.reason}`
  }
}

/** An input file with an unexpected form. */
export class InputMalformed extends Data.TaggedError("InputMalformed")<{
  readonly path: string
  readonly line: number
  readonly column?: number
  readonly reason: string
}> {
  override get message(): string {
    const { column, line, path, reason } = this
    return `${path}, line ${line}${column === undefined ? "" : `, column ${column}`}: ${reason}`
  }
}

/** An import with refused rows. */
export class RowsRefused extends Data.TaggedError("RowsRefused")<{
  readonly written: number
  readonly refused: number
  /** The reason of the first refusal. */
  readonly first: string
  readonly rejects: string | undefined
  /** The way to continue an import that stopped. */
  readonly remedy: string | undefined
}> {
  override get message(): string {
    const { first, refused, rejects, remedy, written } = this
    return sentences(
      `${refused} of ${written + refused} rows ${refused === 1 ? "was" : "were"} refused. ${first}.`,
      rejects === undefined ? undefined : `${rejects} contains all of them, with reasons.`,
      remedy
    )
  }
}

/** A response of `mfg api` with a status of 400 or more. */
export class CallRefused extends Data.TaggedError("CallRefused")<{
  readonly method: string
  readonly path: string
  readonly status: number
  readonly requestId: string | undefined
}> {
  override get message(): string {
    return `${this.method} ${this.path} failed with status ${this.status}.`
  }
}

/** An operation that the service refused. */
export class OperationRefused extends Data.TaggedError("OperationRefused")<{
  readonly operation: string
  readonly status: number
  readonly code: string
  readonly detail: string
  /** The invalid parameters. */
  readonly fields: ReadonlyArray<string>
  readonly requestId: string | undefined
}> {
  override get message(): string {
    return `${this.operation} was refused: ${this.detail} (${this.code}).`
  }
}

/** Failed checks of `mfg doctor`, which the command has shown. */
export class ChecksFailed extends Data.TaggedError("ChecksFailed")<{ readonly findings: number }> {
  override get message(): string {
    return `${this.findings} ${this.findings === 1 ? "check" : "checks"} failed.`
  }
}
