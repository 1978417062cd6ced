/**
 * What can go wrong before or beside a call of the service. Errors of the calls themselves are the client's.
 */
import * as Data from "effect/Data"

const sentences = (...parts: ReadonlyArray<string | undefined>): string =>
  parts.filter((part) => part !== undefined).join(" ")

export { UsageError } from "@mfgdata/domain/UsageError"

/** No address or no key is known. */
export class ProfileMissing extends Data.TaggedError("ProfileMissing")<{
  /** The profile that was asked for by name. */
  readonly name: string | undefined
  readonly known: ReadonlyArray<string>
}> {
  override get message(): string {
    const { known, name } = this
    const others = known.length === 0 ? undefined : `There is ${known.join(", ")}.`
    const login = `mfg login --url http://127.0.0.1:4010${name === undefined ? "" : ` --profile ${name}`}`
    return sentences(
      name === undefined ? "No service is known yet." : `There is no profile ${name}.`,
      others,
      `Run: ${login}, or set MFG_REST_URL, MFG_BASE_URL and MFG_API_KEY.`
    )
  }
}

/** The file of profiles cannot be used as it is. */
export class ProfileUnusable extends Data.TaggedError("ProfileUnusable")<{
  readonly path: string
  readonly reason: string
  readonly remedy: string
}> {
  override get message(): string {
    return `The profiles in ${this.path} cannot be used: ${this.reason}. ${this.remedy}`
  }
}

/** What an administrator alone can do, without an administrator's key. */
export class AdminKeyMissing extends Data.TaggedError("AdminKeyMissing")<{ readonly purpose: string }> {
  override get message(): string {
    return `${this.purpose} needs the administrator's key of the service. Set MFG_ADMIN_KEY, or run: mfg login --admin`
  }
}

/** The service has nothing under the path that a command needs. */
export class ControlMissing extends Data.TaggedError("ControlMissing")<{ readonly origin: string }> {
  override get message(): string {
    return `The service at ${this.origin} takes no orders from administrators: it has no /_mock, or was started without an administrator's key`
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

/** What was read is not of the form that was expected. */
export class InputMalformed extends Data.TaggedError("InputMalformed")<{
  readonly path: string
  readonly line: number
  readonly reason: string
}> {
  override get message(): string {
    return `${this.path}, line ${this.line}: ${this.reason}`
  }
}

/** A destructive command that nobody said yes to. */
export class Unconfirmed extends Data.TaggedError("Unconfirmed")<{ readonly action: string }> {
  override get message(): string {
    return `Not done: ${this.action}. Add --yes to do it without being asked.`
  }
}

/** An import that left rows out. */
export class RowsRefused extends Data.TaggedError("RowsRefused")<{
  readonly written: number
  readonly refused: number
  /** Why the first was refused. */
  readonly first: string
  readonly rejects: string | undefined
  /** How to go on, where the import stopped. */
  readonly remedy: string | undefined
}> {
  override get message(): string {
    const { first, refused, rejects, remedy, written } = this
    return sentences(
      `${refused} of ${written + refused} rows ${refused === 1 ? "was" : "were"} refused. ${first}.`,
      rejects === undefined ? undefined : `All of them, with reasons, are in ${rejects}.`,
      remedy
    )
  }
}

/** An answer of a raw call with a status from 400. */
export class CallRefused extends Data.TaggedError("CallRefused")<{
  readonly method: string
  readonly path: string
  readonly status: number
}> {
  override get message(): string {
    return `${this.method} ${this.path} was answered with status ${this.status}`
  }
}

/** An operation, or an order of an administrator, that the service refused. */
export class OperationRefused extends Data.TaggedError("OperationRefused")<{
  readonly operation: string
  readonly status: number
  readonly code: string
  readonly detail: string
}> {
  override get message(): string {
    return `${this.operation} is refused: ${this.detail} (${this.code})`
  }
}

/** Something is wrong with the set-up, which the command has already shown. */
export class Unwell extends Data.TaggedError("Unwell")<{ readonly findings: number }> {
  override get message(): string {
    return `${this.findings} ${this.findings === 1 ? "finding needs" : "findings need"} attention.`
  }
}
