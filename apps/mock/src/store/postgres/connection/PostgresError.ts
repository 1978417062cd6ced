/**
 * Converts errors of the driver to one error, whose message contains no values.
 */
import * as Data from "effect/Data"

/** An error of PostgreSQL or of the connection: a SQLSTATE or a system code, and a message without values. */
export class PostgresError extends Data.TaggedError("PostgresError")<{
  readonly code: string
  readonly message: string
  readonly table: string | undefined
  readonly constraint: string | undefined
  /** The columns of the key that violated a constraint. */
  readonly columns: ReadonlyArray<string>
  /** Set when the connection failed, and not the statement. */
  readonly isConnectionFailure: boolean
}> {
  /** Reports whether the server is unavailable or read-only: shutting down, out of connections, or a standby. */
  get isLost(): boolean {
    return /^(08|57P|53300|25006|28|3D|E[A-Z]{2}|CONNECT)/.test(this.code)
  }
  /** Reports whether no server accepts writes, of those that can be reached. */
  get isReadOnly(): boolean {
    return this.code === "25006" || this.code === "CONNECT_TARGET"
  }
  /** Reports whether a retry may succeed: the statement conflicted with another one, or another one was to be canceled. */
  get isTransient(): boolean {
    return this.code === "40001" || this.code === "40P01" || this.code === "57014"
  }
  /** Reports whether the server lacked time or resources. */
  get isExhausted(): boolean {
    return (
      this.code === "57014" || this.code === "55P03" || this.code === unreplicatedCode || /^(53|58)/.test(this.code)
    )
  }
  /** Reports whether the server has no space for a write. */
  get isFull(): boolean {
    return this.code === "53100"
  }
  /** Reports whether the server found damaged pages or indexes. */
  get isDamaged(): boolean {
    return this.code === "XX001" || this.code === "XX002"
  }
  /** Reports whether the server ran out of memory. */
  get isOutOfMemory(): boolean {
    return this.code === "53200"
  }
}

const unreplicatedCode = "UNREPLICATED"

/** The failure of a write that is committed, but not on a synchronous standby: it is lost if a standby is promoted now. */
export const unreplicated = (): PostgresError =>
  new PostgresError({
    code: unreplicatedCode,
    message: `${unreplicatedCode}: no synchronous standby has confirmed the write in time`,
    table: undefined,
    constraint: undefined,
    columns: [],
    isConnectionFailure: false
  })

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** Reads the column names of a detail such as `Key (_tenant, _hash("clientId"))=(…)`. */
const columnsOf = (detail = ""): ReadonlyArray<string> => {
  const [, names] = /\(([^=]*)\)=\(/.exec(detail) ?? []
  return names === undefined ? [] : names.split(", ").map((name) => name.replaceAll(/^_hash\(|[")]/g, ""))
}

/** Converts an error of the driver; any other value is returned as it is. */
export const fromUnknown = (error: unknown): unknown => {
  if (error instanceof PostgresError) return error
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return error
  const facts: { readonly [name: string]: unknown } = { ...error }
  const { code } = error
  return new PostgresError({
    code,
    // Messages of the class 22, on invalid values, contain the value.
    message: `${code}: ${code.startsWith("22") ? error.message.split(":", 1)[0] : error.message}`,
    table: textOf(facts["table_name"]),
    constraint: textOf(facts["constraint_name"]),
    columns: columnsOf(textOf(facts["detail"])),
    // Errors of the server have a severity; errors of the driver about a statement have other codes.
    isConnectionFailure: facts["severity"] === undefined && /^(E[A-Z]|CONNECT)/.test(code)
  })
}

/** The failure of a connection. */
export const ofConnection = (code: string, text: string): PostgresError =>
  new PostgresError({
    code,
    message: `${code}: ${text}`,
    table: undefined,
    constraint: undefined,
    columns: [],
    isConnectionFailure: true
  })
